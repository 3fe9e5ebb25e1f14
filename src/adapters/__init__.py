"""Ports put to work, one technology in each package."""
