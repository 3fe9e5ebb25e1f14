"""Stores on SQL: PostgreSQL and SQLite, on shared tables."""
