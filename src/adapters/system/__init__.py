"""The host: its clock, its dice, its threads, its names."""
