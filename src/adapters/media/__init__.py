"""Decoding of pictures in child processes.

The parent's side (`isolated_renderer`, `child`, `wire`) imports no decoder: Pillow is loaded in children only.
"""
