"""The command line, one module a command. Each is loaded only when it is called."""
