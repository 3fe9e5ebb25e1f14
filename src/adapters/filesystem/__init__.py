"""The originals, read only, and the folder of proxies."""
