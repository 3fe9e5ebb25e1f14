"""Records with their instants rounded, for comparing two stores whose clocks run apart a little."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from typing import Final

GRID: Final = timedelta(minutes=5)


def coarse(value: object, now: datetime) -> object:
    """The value as plain data; an instant becomes how many grid steps it is away from `now`."""
    if isinstance(value, datetime):
        return round((value - now) / GRID)
    if isinstance(value, Mapping):
        return {key: coarse(one, now) for key, one in value.items()}
    if isinstance(value, tuple):
        return [coarse(one, now) for one in value]
    if is_dataclass(value):
        parts = {field.name: coarse(getattr(value, field.name), now) for field in fields(value)}
        return {"a": type(value).__name__, **parts}
    return value
