"""Which proxies are to be deleted, and what came of asking for it, on the wire."""

from typing import Annotated, Final
from uuid import UUID

from msgspec import Meta, Struct

from adapters.web.views.work_items import WorkItemView
from application.proxy_deletions import MOST_CHOSEN

MOST_FILES: Final = 2**31 - 1

# The end of a text is not quite the same everywhere: some take a line break before it.
FindingId = Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,8}(?!\n)$")]


class ChosenProxies(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Some of the files that a sweep has found, by the ids of the findings."""

    sweep_id: UUID
    finding_ids: Annotated[tuple[FindingId, ...], Meta(min_length=1, max_length=MOST_CHOSEN)]


class AllProxies(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Every file that a sweep has found: orphans and leftovers.

    `files` is how many somebody saw when they decided so: `orphanFiles` and `temporaryLeftovers` of the sweep's result
    together. Where that is not so, nothing is deleted.
    """

    sweep_id: UUID
    all: Annotated[bool, Meta(extra_json_schema={"const": True})]
    files: Annotated[int, Meta(ge=1, le=MOST_FILES)]


class DeletionsView(Struct, frozen=True, kw_only=True):
    """One item for each storage config that has some of the files, and one for those of none."""

    items: tuple[WorkItemView, ...]
