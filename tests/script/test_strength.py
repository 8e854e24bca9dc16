"""The tables of docs/explanation/bots.md name every bot and the commands that measured them."""

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
from regenerate import markers

from faceup.bots import levels, policies

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "script" / "strength.py"))
PAGE = (ROOT / "docs" / "explanation" / "bots.md").read_text("utf-8")
START, END = markers("strength")
MADE = PAGE[PAGE.index(START) : PAGE.index(END)]


def test_every_bot_is_measured() -> None:
    assert {name.partition("@")[0] for name in SCRIPT["bots"]()} == set(policies("nimmt"))


def test_the_page_has_a_row_for_every_bot_and_every_level() -> None:
    rows = re.findall(r"^\| `([^`]+)`", MADE, re.MULTILINE)
    assert rows == [*SCRIPT["bots"](), *levels("nimmt")], "run ./script/strength"


def test_the_page_names_the_commands_that_played_for_it() -> None:
    commands = {" ".join(SCRIPT["mixed_tables"](60))}
    for opponent in SCRIPT["opponents"]():
        commands.add(SCRIPT["_loop"](opponent, 60))
    for command in commands:
        assert re.search(re.escape(command).replace("60", "[0-9]+"), MADE), f"run ./script/strength: {command}"


def test_the_page_describes_each_level() -> None:
    for name, level in levels("nimmt").items():
        assert f"| `{name}` | {level.description} |" in MADE, "run ./script/strength"


@pytest.mark.long
def test_a_small_run_fills_the_tables(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small: dict[str, Any] = SCRIPT["main"].__globals__
    page = tmp_path / "bots.md"
    page.write_text(f"Before.\n{START}\nold\n{END}\nAfter.\n")
    for name, value in {
        "ROOT": tmp_path, "PAGE": page, "LOGS": tmp_path / "logs", "TIMED": 1, "bots": lambda: ("random", "greedy"),
        "WORLDS": {"mc": 1},
    }.items():  # fmt: skip
        monkeypatch.setitem(small, name, value)
    monkeypatch.setattr("sys.argv", ["strength", "--blocks", "2"])
    small["main"]()
    made = page.read_text()
    assert made.startswith(f"Before.\n{START}\n\n| bot | heads against 3 `random` | wins |")
    assert made.endswith(f"{END}\nAfter.\n")
    assert "\n| `greedy` | " in made
    assert (
        "faceup arena round-robin gentle steady sharp champion --game nimmt:classic --seats 4 --blocks 2 --seed 7"
        in made
    )
    assert len(list((tmp_path / "logs").glob("*.sqlite"))) == 5
    small["main"]()  # from the logs; only times differ
    assert re.sub(r"[0-9.e+-]+ ms", "", page.read_text()) == re.sub(r"[0-9.e+-]+ ms", "", made)
