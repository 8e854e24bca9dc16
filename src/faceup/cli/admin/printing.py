"""Answers of `faceup admin`: columns for people, JSON for programs."""

from collections.abc import Sequence
from datetime import UTC, datetime


def print_json(value: object) -> None:
    """One line of JSON."""
    import msgspec

    print(msgspec.json.encode(value).decode())


def print_columns(heads: Sequence[str], rows: Sequence[Sequence[object]], none: str) -> None:
    """Rows under their heads; `none` is the sentence for no rows."""
    if not rows:
        print(none)
        return
    cells = [[printable(str(cell)) for cell in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def moment(milliseconds: int | None) -> str:
    """A time as people read it, by this machine's clock; "" for none."""
    if milliseconds is None:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def printable(text: str) -> str:
    """Names are anybody's, and may not move the cursor."""
    return "".join(each if each.isprintable() else "\ufffd" for each in text)
