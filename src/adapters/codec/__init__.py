"""Records to JSON and back, by msgspec."""
