"""The wire: what leaves this install as JSON, and the web API that serves it."""
