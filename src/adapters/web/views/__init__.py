"""Wire records, alike for the web API and for `--json` on the command line. Names are camelCase."""
