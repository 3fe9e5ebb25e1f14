"""The kinds of work: for each its payload, its result and its dedup key."""
