"""The examples in the project's pages do what the pages say.

Fenced blocks marked `pycon` are one session of the interpreter a page. In those marked `console`, each line that begins
with `$ ` is run by bash in an empty folder, and what follows it is what it prints. `...` stands for anything. Commands
for the reader alone (cloning, playing) are marked `sh` and not run.
"""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^( *)```(pycon|console)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block: its kind, its text, and the line of its page on which the text begins."""

    kind: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """The blocks of a page that are to be run."""
    return [Block(match[2], match[3], page[: match.start(3)].count("\n") + 1) for match in FENCE.finditer(page)]


def faults(page: str, name: str, home: Path) -> list[str]:
    """What the examples of a page do otherwise than the page says; each fault names the page and the line."""
    found = blocks(page)
    sessions = [block for block in found if block.kind == "pycon"]
    consoles = [block for block in found if block.kind == "console"]
    return [*_session_faults(sessions, name), *(fault for block in consoles for fault in _console(block, name, home))]


def _session_faults(sessions: list[Block], name: str) -> list[str]:
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    globs: dict[str, object] = {}
    for block in sessions:
        test = doctest.DocTestParser().get_doctest(block.text, globs, name, name, block.line - 1)
        runner.run(test, out=said.append, clear_globs=False)
        globs = test.globs  # the parser makes a copy, and the next block goes on where this one ended
    return ["".join(said)] if said else []


def _console(block: Block, name: str, home: Path) -> list[str]:
    said: list[str] = []
    for step in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, want = step.partition("\n")
        got = _run(command, home)
        if not doctest.OutputChecker().check_output(want.rstrip(), got.rstrip(), doctest.ELLIPSIS):
            said.append(f"{name}, in the block at line {block.line}: $ {command}\nwanted:\n{want}\ngot:\n{got}")
    return said


def _run(command: str, home: Path) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "FACEUP_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    environ = kept | {"PATH": path, "HOME": str(home), "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash", "-c", command],  # noqa: S607 -- the shell that the reader has
        cwd=home,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    return done.stdout


PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if blocks(path.read_text("utf-8"))]
SLOW = {
    "api.md",
    "arena.md",
    "bots.md",
    "clusters.md",
    "coach.md",
    "sim.md",
}  # play, judge and simulate as much as their readers are shown


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow) if page.name in SLOW else page for page in PAGES],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_examples_do_what_their_page_says(page: Path, tmp_path: Path) -> None:
    said = faults(page.read_text("utf-8"), str(page.relative_to(ROOT)), tmp_path)
    assert not said, "\n".join(said)


TRUE = """\
```pycon
>>> one = 1
```
Then:
```pycon
>>> [one, 2, 3]
[1, ...]
```
```console
$ echo one
one
$ printf 'a\\nb\\nc\\n'
a
...
```
"""


def test_true_examples_pass(tmp_path: Path) -> None:
    assert faults(TRUE, "page.md", tmp_path) == []


@pytest.mark.parametrize(("true", "false", "line"), [("[1, ...]", "[2, ...]", 6), ("one\none", "one\ntwo", 10)])
def test_false_examples_are_found_and_named_with_their_line(true: str, false: str, line: int, tmp_path: Path) -> None:
    [fault] = faults(TRUE.replace(true, false), "page.md", tmp_path)
    assert "page.md" in fault
    assert f"line {line}" in fault


def test_every_marked_block_is_found() -> None:
    for path in PAGES:
        text = path.read_text("utf-8")
        assert len(blocks(text)) == len(re.findall(r"```(?:pycon|console)\b", text))
