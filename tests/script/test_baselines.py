"""The tables of docs/reference/baselines.md have all rows, and the commands that measured them."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from regenerate import markers

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "script" / "baselines.py"))
START, END = markers("baselines")


def test_the_page_shows_the_results() -> None:
    results = json.loads((SCRIPT["DATA"] / "results.json").read_text("utf-8"))
    made = SCRIPT["PAGE"].read_text("utf-8").partition(START)[2].partition(END)[0].strip()
    assert made == f"{SCRIPT['table'](results)}\n\n{SCRIPT['commands']()}", "run ./script/baselines"


@pytest.mark.parametrize(("name", "draw"), [("ppo", "draw_ppo"), ("network", "draw_network")])
def test_the_curves_are_those_of_the_logs(name: str, draw: str) -> None:
    assert (SCRIPT["DATA"] / f"{name}.svg").read_text("utf-8") == SCRIPT[draw](), "run ./script/baselines --draw"


@pytest.mark.long
def test_a_small_run_fills_the_tables_and_continues(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    small: dict[str, Any] = SCRIPT["main"].__globals__
    rows = [row._replace(deals=8) for row in SCRIPT["ROWS"] if row.bot in {"random", "ppo"}]
    page = tmp_path / "baselines.md"
    page.write_text(f"Before.\n{START}\nold\n{END}\nAfter.\n")
    data = tmp_path / "data"
    data.mkdir()
    for name in ("ppo.jsonl", "network.csv"):
        (data / name).write_bytes((SCRIPT["DATA"] / name).read_bytes())
    values = {"ROOT": tmp_path, "PAGE": page, "DATA": data, "BUILD": tmp_path / "build", "ROWS": rows}
    for name, value in (values | {"CELLS": SCRIPT["CELLS"][:2]}).items():
        monkeypatch.setitem(small, name, value)
    monkeypatch.setattr("sys.argv", ["baselines"])
    small["main"]()
    first = json.loads((data / "results.json").read_text())
    assert first["random"]["cowheadking-4"]["deals"] == 8
    random, greedy = (first[name]["cowheadking-4"]["heads"][0] for name in ("random", "greedy"))
    assert random > greedy + 3  # the row is the bot's, not that of the winner
    assert not first.get("PPO")  # there are no weights here
    assert "| `random` | " in page.read_text()
    first["random"]["cowheadking-4"]["deals"] = 12
    (data / "results.json").write_text(json.dumps(first))
    small["main"]()
    assert json.loads((data / "results.json").read_text()) == first  # nothing is measured twice
    monkeypatch.setattr("sys.argv", ["baselines", "--again", "random"])
    small["main"]()
    assert json.loads((data / "results.json").read_text())["random"]["cowheadking-4"]["deals"] == 8
