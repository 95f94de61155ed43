"""Logs as events with fields: readable lines for a person, JSON lines for a machine."""

from typing import Any, Final

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.types import EventDict, Processor, WrappedLogger

_LINK: Final = "/t/"
"""Behind it stands what opens a table (scoring.games.links); no log may keep it."""
_OWN: Final = frozenset(
    {
        "",
        "between",
        "follow",
        "leave",
        "manifest.webmanifest",
        "news",
        "open",
        "own",
        "seating",
        "worker.js",
    }
)
_ENDS: Final = " \t\n?#'\"<>)]"


def redact_seat_links(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Remove the tokens of seat links from all texts of a log event."""
    return {key: _redact(value) for key, value in event.items()}


def _redact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _redact(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_redact(one) for one in value]
    if not isinstance(value, str) or _LINK not in value:
        return value
    first, *rest = value.split(_LINK)
    return first + "".join(f"{_LINK}{_without_token(part)}" for part in rest)


def _without_token(text: str) -> str:
    end = next((place for place, letter in enumerate(text) if letter in _ENDS), len(text))
    return text if text[:end] in _OWN else f"[link]{text[end:]}"


SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(*, form: str, level: str) -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING, so that both write the same lines."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *_ending(form),
                ],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": level},
    }


def _ending(form: str) -> list[Processor]:
    # Values of variables would show what somebody sent, and what opens a table.
    if form == "json":
        formatter = ExceptionDictTransformer(show_locals=False)
        traced: Processor = structlog.processors.ExceptionRenderer(formatter)
        return [traced, redact_seat_links, structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    console = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)
    return [structlog.processors.format_exc_info, redact_seat_links, console]
