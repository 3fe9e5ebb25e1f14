"""`python -m entrypoints` is `anichron`, whatever the search path of commands."""

from entrypoints.cli import main

main()
