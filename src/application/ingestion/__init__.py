"""How a file of a library becomes an asset: steps in a row, each of which hands its record to the next.

A record holds all that its maker found out, so steps in a wrong order do not type-check:
FoundFile > WantedFile > HashedFile > RenderedFile > DescribedFile.
"""
