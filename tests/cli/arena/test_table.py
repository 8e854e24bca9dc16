"""`faceup arena table` shows what a log says, and what a comparison came to."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.arena.unplayed import FIVE, comparison, matches, played
from tests.cli.running import faceup

from faceup.arena import Bot, Terms
from faceup.arena.contests import Contest, contest
from faceup.arena.log_writing import open_log
from faceup.arena.verdict import sequential
from faceup.cli.main import parser
from faceup.core import Malformed


def log_of(path: Path, contest: Contest, played_blocks: int, **settings: Any) -> str:
    bots = [(bot.name, Bot(bot.name, ("./bot",), digest=bot.digest)) for bot in contest.bots]
    with open_log(path, contest, bots, **settings) as log:
        log.add(played(match) for match in matches(contest, played_blocks))
    return str(path)


def table(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command prints; in this process, which is quicker."""
    arguments = parser().parse_args(["arena", "table", *words])
    arguments.run(arguments)
    return capsys.readouterr().out


@pytest.fixture
def round_robin(tmp_path: Path) -> str:
    return log_of(tmp_path / "all.sqlite", contest("round-robin", Terms("nimmt:arena"), FIVE, seed=7), 4)


def test_the_table_of_a_log_has_every_bot_and_who_is_ahead_of_whom(
    round_robin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table(capsys, round_robin, "--drawings", "50")
    assert text.startswith("80 matches in 4 blocks\n")
    assert "heads" in text
    assert [line.split()[1] for line in text.split("ahead of")[1].splitlines()[1:6]] == list("abcde")
    assert "better" not in text


def test_json_and_csv_say_the_same(round_robin: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(table(capsys, round_robin, "--json", "--drawings", "20"))
    rows = list(csv.DictReader(io.StringIO(table(capsys, round_robin, "--csv", "--drawings", "20"))))
    assert [bot["name"] for bot in told["bots"]] == [row["name"] for row in rows] == list("abcde")
    for bot, row in zip(told["bots"], rows, strict=True):
        assert bot["rating"] == float(row["rating"])
        assert bot["interval"] == [float(row["rating_low"]), float(row["rating_high"])]
    assert told["verdict"] is None


def test_of_a_comparison_the_verdict_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = log_of(tmp_path / "two.sqlite", comparison(), 12, test=sequential(least=0.5))
    text = table(capsys, log, "--drawings", "0")
    assert "new is better than old by " in text
    assert "(accepted at 5 %/5 % after 1" in text.replace("\n", " ")
    told = json.loads(table(capsys, log, "--json"))
    assert told["verdict"]["found"]["outcome"] == "better"


def test_of_a_fixed_number_of_blocks_all_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = log_of(tmp_path / "two.sqlite", comparison(), 12, blocks=12)
    text = " ".join(table(capsys, log).split())
    assert "(at 5 % after 12 blocks, as many as were asked for)" in text


def test_less_than_no_drawings_are_refused(round_robin: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Malformed, match="drawings is 0 to 100,000, not -1"):
        table(capsys, round_robin, "--drawings", "-1")


def test_a_log_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    done = faceup("arena", "table", str(tmp_path / "none.sqlite"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("faceup: there is no log ")
