"""Names for identities, so that none of them is ever a bare UUID, number or text."""

from typing import NewType
from uuid import UUID

WorkItemId = NewType("WorkItemId", UUID)
StorageConfigId = NewType("StorageConfigId", UUID)
UserId = NewType("UserId", UUID)

SessionId = NewType("SessionId", UUID)
"""One signing-in of one user, with every token that was given out since to stay signed in."""

KindName = NewType("KindName", str)
"""The kind as it stands in a row: it may be one that this version does not know."""

WorkerName = NewType("WorkerName", str)
"""Who holds a lease. Unique to one process run; shown to people, never used as a fence."""

DedupKey = NewType("DedupKey", str)
"""At most one queued item may hold a given key; at most 200 bytes of UTF-8."""

Attempt = NewType("Attempt", int)
"""The nth run of an item, counted from 1; 0 before the first. It is the fencing token."""

JsonText = NewType("JsonText", str)
"""One encoded JSON document: cleaned and bounded by the codec, stored as it stands."""
