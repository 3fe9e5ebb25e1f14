"""The rules of the periodic kinds, one class for each."""
