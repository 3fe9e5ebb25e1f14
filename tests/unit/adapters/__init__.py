"""Adapters that need no database."""
