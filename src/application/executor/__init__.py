"""Claims items, runs them, and records how they ended. `slots.Executor` is where to begin."""
