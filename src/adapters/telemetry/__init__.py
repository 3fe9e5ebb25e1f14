"""What the program tells of itself while it runs, by structlog."""
