"""The live stream: one look at the change feed at a time, however many listen (S-30)."""
