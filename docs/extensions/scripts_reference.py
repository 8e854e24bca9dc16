"""The scripts of contributors as a Markdown table, from the comments at their heads."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SCRIPTS: Final = Path(__file__).resolve().parents[2] / "script"

_WAY: Final = re.compile(r"^  (\./script/\S.*?) {2,}(.+)$")
"""One of several ways to call a script, in a line below the first paragraph, and what it does."""


def script_names() -> list[str]:
    """Return the names of all scripts. Modules that they share have a suffix."""
    return sorted(path.name for path in SCRIPTS.iterdir() if path.is_file() and not path.suffix)


def scripts() -> str:
    """Return a row for each script, or for each way to call it: what it does, and how long it takes."""
    rows = [row for name in script_names() for row in script_rows(name, (SCRIPTS / name).read_text("utf-8"))]
    cells = (
        f"| `{call}` | {meaning} |" for call, meaning in [[cell.replace("|", r"\|") for cell in row] for row in rows]
    )
    return "\n".join(["| command | what it does |", "| --- | --- |", *cells])


def script_rows(name: str, source: str) -> Iterator[tuple[str, str]]:
    r"""Yield the calls of a script, each with its meaning, from the comment at the head of its source.

    >>> list(script_rows("count", "#!/bin/sh\n# Count\n# cards: ./script/count [FILE]\n# Takes a minute.\n"))
    [('./script/count [FILE]', 'Count cards. Takes a minute.')]
    >>> list(script_rows("sort", "# Sort.\n#\n#   ./script/sort        by suit\n#   ./script/sort --all  by rank\n"))
    [('./script/sort', 'Sort. By suit.'), ('./script/sort --all', 'By rank.')]
    """
    head = _head(source)
    text = " ".join(head[: head.index("")] if "" in head else head)
    if ways := [way for line in head if (way := _WAY.match(line))]:
        for way in ways:
            yield way[1], f"{text} {way[2][0].upper()}{way[2][1:]}.".strip()
            text = ""
        return
    call = ". script/env" if name == "env" else f"./script/{name}"
    if usage := re.search(rf": (\./script/{name}(?: \[[^]]*\]| [A-Z]{{2,}})*)\.?(?= |$)", text):
        call, text = usage[1], f"{text[: usage.start()]}.{text[usage.end() :]}"
    yield call, text


def _head(source: str) -> list[str]:
    lines: list[str] = []
    for line in source.split("\n"):
        if not line.startswith("#"):
            break
        if not line.startswith("#!"):
            lines.append(line.removeprefix("#").removeprefix(" "))
    return lines
