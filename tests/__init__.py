"""The tests of the work queue."""
