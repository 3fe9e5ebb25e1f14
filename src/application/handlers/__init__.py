"""What is done for each kind, one class for each."""
