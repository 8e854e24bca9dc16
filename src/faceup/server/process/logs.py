"""Logging of the server: one line per event, as text or JSON, without secrets.

A line consists of a fixed text and fields; nothing sent by a client is logged verbatim. Requests are logged by route
without the query, so one-time links, join codes and tokens are never logged. Exceptions are logged by type and
traceback without their messages, because messages may quote positions or client input.
"""

import asyncio
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, Final, Literal, TextIO

import msgspec

LOG: Final = logging.getLogger("faceup.server")
"""The server's logger. Use it as in `LOG.info("text", extra={"fields": {...}})`."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""ID of the current request. Log lines and error responses include it, so that they can be matched."""


def setup_logging(form: Literal["text", "json"], level: str, out: TextIO | None = None) -> None:
    """Send the server's log lines and the warnings of libraries to `out` (default: standard error)."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    LOG.setLevel(level.upper())


def install_loop_error_log(loop: asyncio.AbstractEventLoop) -> None:
    """Log unhandled exceptions of tasks without their messages, which asyncio's own handler would print."""

    def log_failure(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:  # Any: defined by asyncio
        LOG.error("a task failed", exc_info=context.get("exception"))

    loop.set_exception_handler(log_failure)


def format_error(error: BaseException) -> str:
    """Return the types and tracebacks of an error and its causes. Only messages of `OSError`s are included."""
    text = []
    cause: BaseException | None = error
    while cause:
        frames = traceback.format_list(traceback.extract_tb(cause.__traceback__, limit=-8))
        message = f": {cause.strerror}" if isinstance(cause, OSError) and cause.strerror else ""
        text.append(f"{''.join(frames)}{type(cause).__module__}.{type(cause).__qualname__}{message}")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\ncaused by:\n".join(text)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    fields = dict(getattr(record, "fields", {}))
    if request := request_id.get():
        fields["request"] = request
    return fields


class _Text(logging.Formatter):
    """Text format, such as `2026-01-31 12:03:04 info    answered method=GET route=/api/tables status=200 ms=3`."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).astimezone()
        text = " ".join([record.getMessage(), *(f"{name}={value}" for name, value in _fields(record).items())])
        line = f"{at:%Y-%m-%d %H:%M:%S} {record.levelname.lower():7} {_printable(text)}"
        return f"{line}\n{format_error(record.exc_info[1])}" if record.exc_info and record.exc_info[1] else line


class _Json(logging.Formatter):
    """JSON format: each line is one object with "at", "level", "message" and the fields of the event."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= {"logger": record.name} if record.name != LOG.name else {}
        line |= {"error": format_error(record.exc_info[1])} if record.exc_info and record.exc_info[1] else {}
        return msgspec.json.encode(line | _fields(record), enc_hook=str).decode()


def _printable(text: str) -> str:
    """Escape control characters, so that a line stays one line and cannot move the cursor."""
    return "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text)


_FRAMES: Final = 8
"""Number of stack frames that an error line names, counted from the innermost one."""


def log_error(error: BaseException) -> None:
    """Log the type of an unexpected error, and the calls that led to it."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    path = " > ".join(f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    LOG.error("unexpected error", extra={"fields": {"error": type(error).__name__, "path": path}})
