"""What is wrong with an environment: one line each, which names the variable and what to do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from pydantic import ValidationError

LONGEST_VALUE = 80
SENTENCES: Final = {
    "bool_parsing": "must be true or false",
    "greater_than_equal": "must be at least {ge}",
    "int_from_float": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number",
    "less_than_equal": "must be at most {le}",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One line about one variable."""

    variable: str
    line: str


class Written(Protocol):
    """A value as somebody set it: by which variable, and what that one says (a value, or a file's path)."""

    @property
    def written(self) -> str:
        """The variable, in its own spelling."""
        ...

    @property
    def says(self) -> str:
        """What stands in it."""
        ...


def value_problem(variable: str, given: Written | None, *, is_secret: bool, text: str) -> Problem:
    """The problem with a value. A secret is never repeated, nor what stands in a file."""
    if given is None:
        return Problem(variable, f"{variable}: {text}")
    if is_secret and given.written.upper() == variable:
        return Problem(variable, f"{given.written}: {text}")
    return Problem(variable, f"{given.written}={clipped(given.says)}: {text}")


def clipped(text: str) -> str:
    """The text on one line, and not too long for one."""
    readable = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )
    return readable if len(readable) <= LONGEST_VALUE else readable[: LONGEST_VALUE - 1] + "…"


def messages(error: ValidationError) -> Iterator[tuple[tuple[str, ...], str]]:
    """Where each value stands that the library refused, and what it must be instead."""
    for one in error.errors(include_url=False, include_input=False):
        location = tuple(str(part) for part in one["loc"])
        yield location, _sentence(one["type"], one.get("ctx", {}), one["msg"])


def _sentence(kind: str, context: Mapping[str, Any], message: str) -> str:
    match kind:
        case "value_error":
            return str(context["error"])
        case "enum":
            return f"must be {context['expected'].replace(chr(39), '')}"
        case _ if kind in SENTENCES:
            return SENTENCES[kind].format(**context)
        case _:
            return message[:1].lower() + message[1:]
