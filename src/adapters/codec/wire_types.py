"""For each record of the domain, the struct that msgspec reads and writes in its place.

msgspec's own support for dataclasses renames nothing and lets unknown fields pass; its structs do both right.
"""

import dataclasses
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec


def wire_type(record: type) -> type[msgspec.Struct]:
    """A struct with the record's fields: names in camelCase, unknown ones refused."""
    # Apart, since the type checker does not take classes for hashable, as `cache` wants its arguments.
    return _made_once(record)


@cache
def _made_once(record: type) -> type[msgspec.Struct]:
    hints = get_type_hints(record)
    fields = [_field(field, hints[field.name]) for field in dataclasses.fields(record)]
    return msgspec.defstruct(
        record.__name__, fields, rename="camel", forbid_unknown_fields=True, frozen=True, kw_only=True
    )


def _field(field: dataclasses.Field[Any], hint: Any) -> tuple[str, Any] | tuple[str, Any, Any]:  # noqa: ANN401
    if field.default is not dataclasses.MISSING:
        return field.name, _mirrored(hint), field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.name, _mirrored(hint), msgspec.field(default_factory=field.default_factory)
    return field.name, _mirrored(hint)


def _mirrored(hint: Any) -> Any:  # noqa: ANN401 -- any type hint at all
    """The same type, with a struct for each record in it, however deep."""
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return wire_type(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {UnionType, Union}:
        return Union[tuple(map(_mirrored, arguments))]  # noqa: UP007 -- made of a list
    if origin is not None and any(_mirrored(argument) is not argument for argument in arguments):
        return origin[tuple(map(_mirrored, arguments))]
    return hint
