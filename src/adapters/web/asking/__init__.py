"""Asking for work: one door for each kind that an admin may ask for. Other kinds have none (S-32)."""
