"""Who somebody is: password hashes and signed tokens."""
