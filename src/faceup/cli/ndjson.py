"""One request, or one JSON object per line: what the commands for scripts share."""

import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

import msgspec

from faceup.core.errors import Malformed, RulesError

Answer = dict[str, Any]  # Any: JSON
_MOST: Final = 1_000_000
"""Bytes in a line; more is refused before it is read as JSON."""


def request(kind: type[Any], line: bytes | str) -> Any:  # noqa: ANN401 -- an instance of `kind`
    """The line as a request of that type.

    Raises:
        Malformed: it is not JSON, or not such a request; the message says where.
    """
    if len(line) > _MOST:
        raise Malformed(f"a line is at most {_MOST} bytes", where="line")
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}", where="request") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"this is not JSON: {error}", where="line") from None


def answer_lines(
    kind: type[Any], answer: Callable[[Any], Answer], source: BinaryIO | None = None, target: BinaryIO | None = None
) -> None:
    """Answer every line of standard input with one of standard output, in order; blank lines are skipped.

    A line that cannot be answered gets `{"error": {"kind", "message", "line"}}`, and the next one goes on.
    """
    source, target = source or sys.stdin.buffer, target or sys.stdout.buffer
    encode = msgspec.json.Encoder().encode
    for number, line in enumerate(_lines(source), 1):
        if number == 1:  # some editors and shells begin a file with a mark of its encoding
            line = line.removeprefix(BOM_UTF8)  # noqa: PLW2901 -- the mark is no part of the line
        if not line.strip():
            continue
        try:
            reply = answer(request(kind, line))
        except RulesError as error:
            reply = {"error": {"kind": error.kind, "message": str(error), "line": number}}
        target.write(encode(reply) + b"\n")
        target.flush()  # whoever asks line by line waits for it


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines, of one that is too long no more than tells so."""
    while line := source.readline(_MOST + 1):
        rest = line
        while len(rest) > _MOST and not rest.endswith(b"\n"):
            rest = source.readline(_MOST + 1)
        yield line


def answer_once(answer: Answer, words: str, *, json: bool) -> None:
    """Print one answer: as JSON, or in words."""
    print(msgspec.json.encode(answer).decode() if json else words)
