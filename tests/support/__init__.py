"""What tests stand on: builders, a clock that is moved by hand, and the stores under test."""
