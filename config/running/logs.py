"""Logs as events with fields: readable lines for a person, JSON lines for a machine."""

import re
from typing import Any, Final

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.types import EventDict, Processor, WrappedLogger

SECRET_ADDRESSES: Final = (
    "/t/",
    "/in/",
    "/come/",
    "/calendar/",
    "/my/link/",
    "/my/results/",
    "/my/no-results/",
    "/desk/invitation/",
    "/desk/forgotten/",
)
"""What stands behind these opens a table, a door, a reply, a calendar, My season or an account; no
log may keep it.

deploy/Caddyfile names the same addresses.
"""
_OWN: Final = frozenset(
    {
        "between",
        "call",
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
_SECRET: Final = re.compile(rf"({'|'.join(SECRET_ADDRESSES)})([^\s?#'\"<>)\]]+)")


def redact_secret_addresses(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Remove the tokens and codes in addresses from all texts of a log event."""
    return {key: _redact(value) for key, value in event.items()}


def _redact(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _redact(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_redact(one) for one in value]
    if not isinstance(value, str):
        return value
    return _SECRET.sub(lambda found: found[0] if found[2] in _OWN else f"{found[1]}[link]", value)


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
        return [traced, redact_secret_addresses, structlog.processors.JSONRenderer()]
    plain = structlog.dev.plain_traceback
    console = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=plain)
    return [structlog.processors.format_exc_info, redact_secret_addresses, console]
