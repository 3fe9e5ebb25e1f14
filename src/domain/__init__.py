"""Values of the work queue and functions of values; no clock, no input or output."""
