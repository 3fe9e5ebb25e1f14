"""Every kind that there is in the queue, known to this version or not."""

from typing import Final

EVERY_KIND: Final = """
    kind (name) AS (
        SELECT min(kind) FROM work_items
        UNION ALL
        SELECT (SELECT min(next.kind) FROM work_items AS next WHERE next.kind > kind.name)
        FROM kind WHERE kind.name IS NOT NULL
    )
"""
"""For WITH RECURSIVE: one search of an index a kind, and one null at the end, which equals nothing."""
