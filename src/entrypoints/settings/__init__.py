"""What an install is told by its environment: read once, checked as a whole, and never changed."""
