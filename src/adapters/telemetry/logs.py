"""Sets logging up: JSON unless on a terminal, one line an event, on standard error."""

import logging
import sys
from typing import Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from adapters.telemetry.cleaning import TRACE, clean_values
from adapters.telemetry.rate_limit import RateLimit
from adapters.telemetry.traces import frames_of, type_name, whole_trace

FIRST_FIELDS: Final = ("timestamp", "level", "event")


def set_up_logs(*, level: str = "info", as_json: bool | None = None, stream: TextIO | None = None) -> None:
    """Send every line there, those of libraries too. `as_json`: None asks whether it is a terminal."""
    target = sys.stderr if stream is None else stream
    plain = not target.isatty() if as_json is None else as_json
    least = logging.getLevelNamesMapping()[level.upper()]
    processors: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        RateLimit(),
        ErrorFields(with_texts=least <= logging.DEBUG),
        clean_values,
        *(_json() if plain else _text()),
    ]
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(target),
        cache_logger_on_first_use=True,
    )
    _take_in_libraries(target, least, processors)


class ErrorFields:
    """A processor: an exception becomes its type and the places that it came by; at debug all its words."""

    def __init__(self, *, with_texts: bool) -> None:
        self._with_texts = with_texts

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        error = _exception(event.pop("exc_info", None))
        if error is not None:
            event["errorType"] = type_name(error)
            event["frames"] = frames_of(error)
            if self._with_texts:
                event[TRACE] = whole_trace(error)
        return event


def _take_in_libraries(target: TextIO, least: int, processors: list[Processor]) -> None:
    """Lines that libraries write by the standard library's logging go the same way."""
    meta = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler = logging.StreamHandler(target)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=[_name_of_logger, meta, *processors]))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(least)


def _json() -> list[Processor]:
    return [_first_fields_first, structlog.processors.JSONRenderer()]


def _text() -> list[Processor]:
    return [_mark_trace, structlog.dev.ConsoleRenderer(colors=True, sort_keys=False)]


def _exception(info: object) -> BaseException | None:
    match info:
        case BaseException():
            return info
        case (_, BaseException() as error, _):
            return error
        case True:
            return sys.exc_info()[1]
        case _:
            return None


def _name_of_logger(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    return {"logger": event["_record"].name, **event}


def _first_fields_first(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    first = {name: event[name] for name in FIRST_FIELDS if name in event}
    return {**first, **event}


def _mark_trace(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """On a terminal a trace has lines; none of them can be taken for an event."""
    if TRACE in event:
        event[TRACE] = "    | " + str(event[TRACE]).rstrip().replace("\n", "\n    | ")
    return event
