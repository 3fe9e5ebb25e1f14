"""Values on their way into a log line: none can begin a second line, or colour a terminal."""

from typing import Final

from structlog.typing import EventDict, WrappedLogger

from domain.text import clean_text

LONGEST_VALUE: Final = 4_000
LONGEST_TRACE: Final = 32_000
TRACE: Final = "exception"


def clean_values(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """A processor: texts cleaned and cut, in lists and mappings too. Only the trace keeps its lines."""
    return {_line(str(key)): _trace(value) if key == TRACE else _clean(value) for key, value in event.items()}


def _clean(value: object) -> object:
    match value:
        case str():
            return _line(value)
        case None | bool() | int() | float():
            return value
        case dict():
            return {_line(str(key)): _clean(one) for key, one in value.items()}
        case list() | tuple() | set() | frozenset():
            return [_clean(one) for one in value]
        case _:
            return _line(str(value))


def _trace(value: object) -> str:
    return clean_text(str(value), longest=LONGEST_TRACE)


def _line(text: str) -> str:
    if text.isprintable() and len(text) <= LONGEST_VALUE:
        return text
    return "".join(map(_shown, clean_text(text, longest=LONGEST_VALUE)))


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    if character.isspace():
        return {"\n": "\\n", "\t": "\\t"}.get(character, " ")
    return "\N{REPLACEMENT CHARACTER}"
