"""`faceup arena table` prints the standings of a log and the verdict of a comparison."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.arena.synthetic_log import FIVE, comparison, matches, played
from tests.cli.in_process import inside as faceup

from faceup.arena import Bot, MatchTerms
from faceup.arena.run.log import open_log
from faceup.arena.run.pairings import Contest, contest
from faceup.arena.stats.verdict import sequential
from faceup.cli.main import parser
from faceup.core import Malformed


def log_of(path: Path, contest: Contest, played_blocks: int, **settings: Any) -> str:
    bots = [(bot.name, Bot(bot.name, ("./bot",), digest=bot.digest)) for bot in contest.bots]
    with open_log(path, contest, bots, **settings) as log:
        log.add(played(match) for match in matches(contest, played_blocks))
    return str(path)


def table(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the output of the command, run in this process."""
    arguments = parser().parse_args(["arena", "table", *words])
    arguments.run(arguments)
    return capsys.readouterr().out


@pytest.fixture
def round_robin(tmp_path: Path) -> str:
    return log_of(tmp_path / "all.sqlite", contest("round-robin", MatchTerms("nimmt:arena"), FIVE, seed=7), 4)


def test_the_standings_have_every_bot_and_pairwise_results(
    round_robin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table(capsys, round_robin, "--drawings", "50")
    assert text.startswith("80 matches in 4 blocks\n")
    assert "heads" in text
    assert [line.split()[1] for line in text.split("ahead of")[1].splitlines()[1:6]] == list("abcde")
    assert "better" not in text


def test_json_and_csv_agree(round_robin: str, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(table(capsys, round_robin, "--json", "--drawings", "20"))
    rows = list(csv.DictReader(io.StringIO(table(capsys, round_robin, "--csv", "--drawings", "20"))))
    assert [bot["name"] for bot in answer["bots"]] == [row["name"] for row in rows] == list("abcde")
    for bot, row in zip(answer["bots"], rows, strict=True):
        assert bot["rating"] == float(row["rating"])
        assert bot["interval"] == [float(row["rating_low"]), float(row["rating_high"])]
    assert answer["verdict"] is None


def test_of_a_comparison_the_verdict_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = log_of(tmp_path / "two.sqlite", comparison(), 12, test=sequential(least=0.5))
    text = table(capsys, log, "--drawings", "0")
    assert "new is better than old by " in text
    assert "(accepted at 5 %/5 % after 1" in text.replace("\n", " ")
    answer = json.loads(table(capsys, log, "--json"))
    assert answer["verdict"]["found"]["outcome"] == "better"


def test_of_a_fixed_number_of_blocks_all_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = log_of(tmp_path / "two.sqlite", comparison(), 12, blocks=12)
    text = " ".join(table(capsys, log).split())
    assert "(at 5 % after 12 blocks, as requested)" in text


def test_of_a_gauntlet_the_verdict_against_even_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = log_of(tmp_path / "all.sqlite", contest("gauntlet", MatchTerms("nimmt:arena"), FIVE, seed=7), 4, blocks=4)
    text = " ".join(table(capsys, log).split())
    assert "than even" in text
    assert "places a match against b, c, d, e (at 5 % after 4 blocks, as requested)." in text
    comparison = json.loads(table(capsys, log, "--json"))["verdict"]["comparison"]
    assert (comparison["new"], comparison["base"], comparison["field"]) == ("a", None, list("bcde"))


def test_negative_resamples_are_rejected(round_robin: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Malformed, match="--drawings must be 0 to 100,000; got -1"):
        table(capsys, round_robin, "--drawings", "-1")


@pytest.mark.parametrize(
    ("only", "message"),
    [("a,zz", "no bot of .* is named 'zz'; there are: a, b"), ("x*", "no bot of .* is named 'x\\*'")],
)
def test_a_bot_that_is_not_in_the_log_is_reported(
    round_robin: str, only: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Malformed, match=message):
        table(capsys, round_robin, "--only", only)


def test_a_missing_log_is_reported(tmp_path: Path) -> None:
    done = faceup("arena", "table", str(tmp_path / "none.sqlite"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("faceup: there is no log ")
