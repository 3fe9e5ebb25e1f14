"""Tests that need no database; they mirror src."""
