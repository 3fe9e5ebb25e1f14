"""Where an exception came from: with its texts for a developer's eyes, without them for everybody's."""

import traceback
from collections.abc import Iterator
from typing import Final

MOST_FRAMES: Final = 50


def frames_of(error: BaseException) -> list[str]:
    """The places in the code, outermost first, the chain of causes included. No text of any exception.

    Exception texts hold file names, and source lines do not.
    """
    return [line for one in _chain(error) for line in _lines(one)][-MOST_FRAMES:]


def whole_trace(error: BaseException) -> str:
    """Everything that Python has to say."""
    return "".join(traceback.format_exception(error))


def type_name(error: BaseException) -> str:
    """What kind of exception it is."""
    return type(error).__qualname__


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The exception and what caused it, the first cause first."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _chain(cause)
    yield error


def _lines(error: BaseException) -> Iterator[str]:
    yield f"{type_name(error)}:"
    for frame in traceback.extract_tb(error.__traceback__):
        yield f"{_module(frame.filename)}:{frame.lineno} in {frame.name}"


def _module(filename: str) -> str:
    """The file below its source or package folder: where the program is installed is nobody's business."""
    parts = filename.replace("\\", "/").split("/")
    for folder in ("site-packages", "src"):
        if folder in parts:
            return "/".join(parts[parts.index(folder) + 1 :])
    return parts[-1]
