"""Answer a request given by flags, or one request in each line of JSON, for the script commands."""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, Final

import msgspec

from faceup.characters import remove_bom
from faceup.core.errors import Malformed, RulesError

Answer = dict[str, Any]  # Any: JSON
_MOST: Final = 1_000_000
"""The maximum number of bytes in a line, checked before JSON is parsed."""


def request(kind: type[Any], line: bytes, defaults: Mapping[str, Any], lane: int) -> Any:  # noqa: ANN401 -- of `kind`
    """Decode a line as a request.

    Args:
        kind: the request type.
        line: a JSON object.
        defaults: values of missing fields. If they include a seed, each line needs its own lane.
        lane: the number of the random stream that this line uses if it takes the seed from the defaults.

    Raises:
        Malformed: the line is not JSON or not a valid request; the message names the field.
    """
    if len(line) > _MOST:
        raise Malformed(f"a line must have at most {_MOST} bytes", where="line")
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"the line is not JSON: {error}", where="line") from None
    if "seed" in defaults and isinstance(fields, dict) and "seed" not in fields:
        defaults = {**defaults, "lane": lane}
    try:
        return msgspec.convert(_merged(defaults, fields), kind)
    except msgspec.ValidationError as error:
        raise Malformed(f"{error}", where="request") from None


def request_of(kind: type[Any], fields: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- of `kind`
    """Return the request with these command-line fields. Raises `Malformed`, naming the fields that are missing."""
    missing = [field.name for field in msgspec.structs.fields(kind) if field.required and field.name not in fields]
    if missing:
        raise Malformed(
            f"{' and '.join(missing)} must be given (see `--help`), unless --ndjson is used",
            where=missing[0],
        )
    return kind(**fields)


def _merged(defaults: Mapping[str, Any], line: Any) -> Any:  # noqa: ANN401 -- JSON
    """Return a JSON value with its missing object members, nested ones included, filled in from the defaults."""
    if not isinstance(line, dict):
        return line
    inner = {name: _merged(defaults[name], line[name]) for name in line if isinstance(defaults.get(name), dict)}
    return {**defaults, **line, **inner}


def answer_lines(
    kind: type[Any],
    answer: Callable[[Any], Answer],
    defaults: Mapping[str, Any],
    source: BinaryIO | None = None,
    target: BinaryIO | None = None,
) -> None:
    """Answer each line of the source with one line in the target, in order; skip blank lines.

    A line that fails gets the answer `{"error": {"kind", "message", "line"}}`, and processing continues. Missing fields
    come from the defaults; a line that takes its seed from the defaults uses lane n - 1, where n is its line number.
    """
    source, target = source or sys.stdin.buffer, target or sys.stdout.buffer
    encode = msgspec.json.Encoder().encode
    for number, line in enumerate(_lines(source), 1):
        if number == 1:
            line = remove_bom(line)  # noqa: PLW2901 -- the mark is not part of the line
        if not line.strip():
            continue
        try:
            reply = answer(request(kind, line, defaults, number - 1))
        except RulesError as error:
            reply = {"error": {"kind": error.kind, "message": str(error), "line": number}}
        target.write(encode(reply) + b"\n")
        target.flush()  # an interactive caller waits for this answer


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; truncate a line that is too long just past the limit, so that `request` rejects it."""
    while line := source.readline(_MOST + 1):
        rest = line
        while len(rest) > _MOST and not rest.endswith(b"\n"):
            rest = source.readline(_MOST + 1)
        yield line
