"""Every port of a store over plain dictionaries: for tests and for simulations, and no fake."""
