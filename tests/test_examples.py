"""Doctests of the documentation: every `pycon` and `console` block prints what its page shows.

The `pycon` blocks of a page are one interpreter session. In `console` blocks, bash runs each line that starts with `$ `
in an empty folder, and the following lines are the expected output. `...` matches anything. A `python` block whose
first line is a comment with a file name, such as `# bot.py`, is saved under that name for the `console` blocks below
it. Blocks marked `sh` are for the reader alone and are not run.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple, get_args

import pytest
from docs.extensions.repository_links import anchors

from faceup.cli.main import parser
from faceup.server.rooms.commands import PersonCommand
from faceup.server.rooms.view import RoomView
from faceup.server.rooms.wire import EndReason

ROOT = Path(__file__).parents[1]
FENCE = re.compile(
    r"^( *)```(pycon|console|python(?=\n# [\w-]+\.py$)|toml(?=\n# [\w/-]+\.toml$))\n(.*?)^\1```$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block: its kind, its text, and the line of the page on which the text starts."""

    kind: str
    text: str
    line: int


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page to run."""
    return [Block(match[2], match[3], page[: match.start(3)].count("\n") + 1) for match in FENCE.finditer(page)]


def failures(page: str, name: str, home: Path) -> list[str]:
    """Run the examples of a page. Return a message for each wrong output, with the page and the line."""
    code = blocks(page)
    sessions = [block for block in code if block.kind == "pycon"]
    messages = session_failures(sessions, name)
    for block in code:
        if block.kind in {"python", "toml"}:
            (home / block.text.split()[1]).write_text(block.text, "utf-8")
        elif block.kind == "console":
            messages += console_failures(block, name, home)
    return messages


def session_failures(sessions: list[Block], name: str) -> list[str]:
    """Run the blocks as one interpreter session."""
    output: list[str] = []
    globs: dict[str, object] = {}
    for block in sessions:
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
        test = doctest.DocTestParser().get_doctest(block.text, globs, name, name, block.line - 1)
        runner.run(test, out=output.append, clear_globs=False)
        globs = test.globs  # the parser copies them, and the next block continues the session
    return ["".join(output)] if output else []


def console_failures(block: Block, name: str, home: Path) -> list[str]:
    """Run the commands of a block in turn."""
    messages: list[str] = []
    for step in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, want = step.partition("\n")
        got = run(command, home)
        if not doctest.OutputChecker().check_output(want.rstrip(), got.rstrip(), doctest.ELLIPSIS):
            messages.append(f"{name}, block at line {block.line}: $ {command}\nexpected:\n{want}\ngot:\n{got}")
    return messages


def run(command: str, home: Path) -> str:
    """Run a command as a reader would. Return its output and errors."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "FACEUP_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{inherited['PATH']}"
    environ = inherited | {"PATH": path, "HOME": str(home), "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "80"}
    done = subprocess.run(
        ["bash", "-c", command],  # noqa: S607 -- the reader's shell
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


ELSEWHERE = {"write-a-game.md"}
"""Pages that a test of their own runs: `test_write_a_game.py`, with the page's package installed."""
PAGES = [
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    if path.name not in ELSEWHERE and blocks(path.read_text("utf-8"))
]
SLOW = {"api.md", "codingame.md", "debug-a-match.md", "is-v2-better.md"}
"""Pages with slow examples: they play, review or simulate many games."""
LONG = {
    "arena.md",
    "bots.md",
    "coach.md",
    "first-bot.md",
    "league.md",
    "simulation.md",
    "train-in-batches.md",
    "train-with-jax.md",
}
"""Pages with examples that take over five seconds, or train on games."""


def marks(page: Path) -> list[pytest.MarkDecorator]:
    """Return the marks of a page's test."""
    return [pytest.mark.long] * (page.name in LONG) + [pytest.mark.slow] * (page.name in SLOW)


@pytest.mark.sample(15)
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=marks(page)) for page in PAGES],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_examples_print_what_their_page_shows(page: Path, tmp_path: Path) -> None:
    failed = failures(page.read_text("utf-8"), str(page.relative_to(ROOT)), tmp_path)
    assert not failed, "\n".join(failed)


CORRECT = """\
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
```python
# three.py
print(3)
```
```python
print("is not a file")
```
```console
$ python3 three.py && ls
3
three.py
```
"""


def test_correct_examples_pass(tmp_path: Path) -> None:
    assert failures(CORRECT, "page.md", tmp_path) == []


@pytest.mark.parametrize(("right", "wrong", "line"), [("[1, ...]", "[2, ...]", 6), ("one\none", "one\ntwo", 10)])
def test_wrong_examples_are_reported_with_their_line(right: str, wrong: str, line: int, tmp_path: Path) -> None:
    [message] = failures(CORRECT.replace(right, wrong), "page.md", tmp_path)
    assert "page.md" in message
    assert f"line {line}" in message


def test_every_marked_block_is_found() -> None:
    for path in PAGES:
        text = path.read_text("utf-8")
        assert len(blocks(text)) == len(
            re.findall(r"```(?:pycon\b|console\b|python\n# [\w-]+\.py\n|toml\n# [\w/-]+\.toml\n)", text)
        )


# Commands that the tests do not run. Their words must still be accepted, so that no page has an option of yesterday.

READER = re.compile(r"^( *)```sh\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^ *(?:sudo )?(?:[A-Z_]+=\S* )*faceup ([a-z].+)$", re.MULTILINE)


def accepted(words: str) -> bool:
    """Return whether the parser of the command line accepts these words, up to a comment, a pipe or a redirection."""
    lexer = shlex.shlex(words, posix=True, punctuation_chars="|&<>")
    lexer.whitespace_split = True
    try:
        parser().parse_args([*takewhile(lambda word: not word.startswith(("|", "&", "<", ">")), lexer)])
    except SystemExit as done:
        return not done.code
    return True


@pytest.mark.parametrize(
    "page",
    [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")] if READER.search(path.read_text("utf-8"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_commands_for_the_reader_are_accepted(page: Path) -> None:
    for _, block in READER.findall(page.read_text("utf-8")):
        for words in COMMAND.findall(block.replace("\\\n", " ")):
            assert accepted(words), f"faceup {words}"


def test_a_command_with_an_unknown_option_is_not_accepted() -> None:
    assert accepted("sim nimmt --deals 9 > counts.json   # a comment")
    assert not accepted("sim nimmt --rounds 9")


# Links of the pages outside docs/. The links of the site are checked when it is built, in `tests/test_docs.py`.

LINK = re.compile(r"\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)")


@pytest.mark.parametrize("page", [*ROOT.glob("*.md")], ids=lambda path: path.name)
def test_links_to_files_and_headings_lead_there(page: Path) -> None:
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target, anchor in LINK.findall(text):
        path = page.parent / target if target else page
        assert path.exists(), f"{target} does not exist"
        assert not anchor or anchor in anchors(path.read_text("utf-8")), f"{target} has no heading #{anchor}"


# Reference tables of the wire format.


def first_column(page: str, header: str) -> set[str]:
    """Return the names in backticks in the first column of the table with this header."""
    table = (ROOT / "docs" / page).read_text("utf-8").split(f"\n{header}\n")[1].split("\n\n")[0]
    return {name for row in table.splitlines()[1:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}


def test_online_tables_lists_every_member_of_a_room_view() -> None:
    assert first_column("reference/online-tables.md", "| member of a room view | meaning |") == set(
        RoomView.__struct_fields__
    )


def test_timeouts_lists_every_reason_why_a_stream_ends() -> None:
    assert first_column("explanation/timeouts.md", "| `end` | meaning |") == set(get_args(EndReason))


def test_online_tables_lists_every_command_of_a_person() -> None:
    listed = first_column("reference/online-tables.md", "| `command` | fields | who | effect |")
    assert listed == {str(command.__struct_config__.tag) for command in get_args(PersonCommand)} - {"rematch"}
