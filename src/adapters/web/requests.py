"""What requests ask for, checked: every fault of a request is named, and what would be allowed instead."""

import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from adapters.web.parameters import Pairs, Values, echo, grouped, limit_faults, limit_of, misnamed, refuse
from adapters.web.problem_types import (
    INVALID_CURSOR,
    STORAGE_CONFIG_NOT_FOUND,
    WORK_ITEM_NOT_FOUND,
)
from adapters.web.problems import FaultView, Problem, ProblemError
from adapters.web.views.opaque import InvalidCursor
from adapters.web.views.page_cursors import cursor_from
from domain.ids import KindName, StorageConfigId, UserId, WorkItemId
from domain.page import Filter, PageCursor, Schedule
from domain.text import is_storable
from domain.work_item import Status

MOST_KINDS: Final = 50
LARGEST_KIND: Final = 100

LIST_PARAMETERS: Final = ("status", "kind", "storageConfigId", "requestedBy", "limit", "cursor")
LIST_ONCE: Final = ("storageConfigId", "requestedBy", "limit", "cursor")
SCHEDULE: Final = "schedule"
"""Asked for by nobody: it was due."""

UUID_TEXT: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

BAD_CURSOR: Final = Problem(
    INVALID_CURSOR,
    "The cursor is not one of a list with this filter.",
    {"errors": [FaultView(parameter="cursor", detail="Not a cursor of this list.")]},
)
NO_SUCH_CONFIG: Final = Problem(STORAGE_CONFIG_NOT_FOUND, "No storage config has this id.")
NO_SUCH_ITEM: Final = Problem(WORK_ITEM_NOT_FOUND, "No work item has this id.")


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Which items, how many at most, and where to go on."""

    which: Filter
    limit: int
    after: PageCursor | None


def list_request(pairs: Pairs) -> ListRequest:
    """What these parameters ask for. Ends the request where one is unknown, doubled or not allowed."""
    values = grouped(pairs)
    refuse([*misnamed(values, LIST_PARAMETERS, once=LIST_ONCE), *_bad_values(values)])
    config = values.get("storageConfigId")
    which = Filter(
        statuses=frozenset(Status(status) for status in values.get("status", [])),
        kinds=frozenset(KindName(kind) for kind in values.get("kind", [])),
        storage_config_id=None if config is None else StorageConfigId(UUID(config[0])),
        requested_by=_asker(values.get("requestedBy", [])),
    )
    return ListRequest(which, limit_of(values), _after(values, which))


def no_parameters(pairs: Pairs) -> None:
    """Ends the request where it has any: ignoring a filter in silence would answer another question."""
    refuse(misnamed(grouped(pairs), (), once=()))


def storage_config_id(text: str) -> StorageConfigId:
    """The id. What is none is the id of no config."""
    if UUID_TEXT.fullmatch(text) is None:
        raise ProblemError(NO_SUCH_CONFIG)
    return StorageConfigId(UUID(text))


def work_item_id(text: str) -> WorkItemId:
    """The id. What is none is the id of no item."""
    if UUID_TEXT.fullmatch(text) is None:
        raise ProblemError(NO_SUCH_ITEM)
    return WorkItemId(UUID(text))


def _bad_values(values: Values) -> list[FaultView]:
    faults = []
    for status in values.get("status", []):
        if status not in list(Status):
            detail = f"Unknown status {echo(status)!r}. Allowed: {', '.join(Status)}."
            faults.append(FaultView(parameter="status", detail=detail))
    if not all(_is_kind(kind) for kind in values.get("kind", [])):
        faults.append(FaultView(parameter="kind", detail=f"Must be 1 to {LARGEST_KIND} characters, no NUL."))
    if len(values.get("kind", [])) > MOST_KINDS:
        faults.append(FaultView(parameter="kind", detail=f"Allowed at most {MOST_KINDS} times."))
    if not all(UUID_TEXT.fullmatch(config) for config in values.get("storageConfigId", [])):
        faults.append(FaultView(parameter="storageConfigId", detail="Must be a UUID."))
    if not all(asker == SCHEDULE or UUID_TEXT.fullmatch(asker) for asker in values.get("requestedBy", [])):
        faults.append(FaultView(parameter="requestedBy", detail=f"Must be {SCHEDULE} or the UUID of a user."))
    return faults + limit_faults(values)


def _asker(values: list[str]) -> UserId | Schedule | None:
    match values:
        case [text] if text == SCHEDULE:
            return Schedule()
        case [text]:
            return UserId(UUID(text))
        case _:
            return None


def _is_kind(text: str) -> bool:
    return 1 <= len(text) <= LARGEST_KIND and is_storable(text)


def _after(values: Values, which: Filter) -> PageCursor | None:
    if "cursor" not in values:
        return None
    match cursor_from(values["cursor"][0], which):
        case InvalidCursor():
            raise ProblemError(BAD_CURSOR)
        case cursor:
            return cursor
