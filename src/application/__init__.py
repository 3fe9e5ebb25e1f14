"""What the system does, told in terms of ports."""
