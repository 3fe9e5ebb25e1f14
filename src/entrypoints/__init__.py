"""Settings, wiring and the programs that start; no decisions."""
