"""What a server says of itself: a line an event, for people or for machines, and nothing in it that is secret.

A line is made of a short text and of fields; nothing that a client sent is ever put into it as it came. Addresses of
requests are logged as the route that they matched, without the query: a one-time link, a table's code and a token
never get here. Of an exception the kind and the place are logged, not its words: those of the rules quote positions,
hands and all.
"""

import asyncio
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, Literal, TextIO

import msgspec

LOG: Final = logging.getLogger("faceup.server")
"""Where every part of the server says what it has to say: `LOG.info("text", extra={"fields": {...}})`."""

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that is being answered: errors and log lines carry it, so that one leads to the other."""


def begin(form: Literal["text", "json"], level: str, out: TextIO | None = None) -> None:
    """Let every line of the server, and what the libraries warn of, go to `out` (standard error) in that form."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(_Json() if form == "json" else _Text())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    LOG.setLevel(level.upper())


def let_loop_log(loop: asyncio.AbstractEventLoop) -> None:
    """Log what goes wrong in a task that nobody waits for in the same way: asyncio by itself quotes the exception."""

    def say(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:  # Any: as asyncio hands it over
        LOG.error("a task failed", exc_info=context.get("exception"))

    loop.set_exception_handler(say)


def where(error: BaseException) -> str:
    """The kind of an error, of what caused it, and the lines that led to it; of the system's errors the words, too."""
    said = []
    seen: BaseException | None = error
    while seen:
        frames = traceback.format_list(traceback.extract_tb(seen.__traceback__, limit=-8))
        words = f": {seen.strerror}" if isinstance(seen, OSError) and seen.strerror else ""
        said.append(f"{''.join(frames)}{type(seen).__module__}.{type(seen).__qualname__}{words}")
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return "\nwhich came of:\n".join(said)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    fields = dict(getattr(record, "fields", {}))
    if request := request_id.get():
        fields["request"] = request
    return fields


class _Text(logging.Formatter):
    """`12:03:04 info  answered method=GET route=/api/tables status=200 ms=3`."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).astimezone()
        said = " ".join([record.getMessage(), *(f"{name}={value}" for name, value in _fields(record).items())])
        line = f"{at:%Y-%m-%d %H:%M:%S} {record.levelname.lower():7} {_printable(said)}"
        return f"{line}\n{where(record.exc_info[1])}" if record.exc_info and record.exc_info[1] else line


class _Json(logging.Formatter):
    """One JSON object a line: "at", "level", "message", and the fields."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "message": record.getMessage()}
        line |= {"logger": record.name} if record.name != LOG.name else {}
        line |= {"error": where(record.exc_info[1])} if record.exc_info and record.exc_info[1] else {}
        return msgspec.json.encode(line | _fields(record), enc_hook=str).decode()


def _printable(text: str) -> str:
    """A line stays a line, and moves no cursor, whatever stands in it."""
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in text)
