"""For each record of the domain, the struct that msgspec reads and writes in its place.

msgspec's own support for dataclasses renames nothing and lets unknown fields pass; its structs do both right.
"""

import dataclasses
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from domain.kinds.kind import WorkPayload


def wire_type(record: type) -> type[msgspec.Struct]:
    """A struct with the record's fields: names in camelCase, unknown ones refused.

    A payload's defaults are not written: a worker of an older version, which refuses fields that it does not know,
    reads whatever asks for nothing new (S-11). People read results, so these say everything.
    """
    # Apart, since the type checker does not take classes for hashable, as `cache` wants its arguments.
    return _made_once(record, terse=issubclass(record, WorkPayload))


@cache
def _made_once(record: type, *, terse: bool) -> type[msgspec.Struct]:
    hints = get_type_hints(record)
    fields = [
        _field(field, _mirrored(hints[field.name], terse=terse)) for field in dataclasses.fields(record)
    ]
    return msgspec.defstruct(
        record.__name__,
        fields,
        rename="camel",
        forbid_unknown_fields=True,
        omit_defaults=terse,
        frozen=True,
        kw_only=True,
    )


def _field(field: dataclasses.Field[Any], mirrored: Any) -> tuple[str, Any] | tuple[str, Any, Any]:  # noqa: ANN401
    if field.default is not dataclasses.MISSING:
        return field.name, mirrored, field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.name, mirrored, msgspec.field(default_factory=field.default_factory)
    return field.name, mirrored


def _mirrored(hint: Any, *, terse: bool) -> Any:  # noqa: ANN401 -- any type hint at all
    """The same type, with a struct for each record in it, however deep."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _made_once(hint, terse=terse)
    origin, arguments = get_origin(hint), get_args(hint)
    mirrored = tuple(_mirrored(argument, terse=terse) for argument in arguments)
    if origin in {UnionType, Union}:
        return Union[mirrored]  # noqa: UP007 -- made of a list
    if origin is not None and any(new is not old for new, old in zip(mirrored, arguments, strict=True)):
        return origin[mirrored]
    return hint
