"""What the application needs from the world, one narrow face a file."""
