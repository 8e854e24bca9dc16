"""`faceup review`: reports and errors."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.in_process import inside as faceup
from tests.cli.interrupts import interrupted
from tests.coach.helpers import recorded

from faceup.core.record import dumps


def record_file(folder: Path, spec: str, *, stop: int | None = None) -> Path:
    path = folder / "game.json"
    path.write_text(dumps(recorded(spec, stop=stop)), encoding="utf-8")
    return path


@pytest.mark.slow
def test_human_seats_are_reviewed_by_default(tmp_path: Path) -> None:
    path = record_file(tmp_path, "nimmt:cowheadking hand=2")
    answer = json.loads(faceup("review", str(path), "--json", "--worlds", "50").stdout)
    assert (answer["kind"], answer["seats"], answer["worlds"]) == ("decisions", [0], 50)
    assert {decision["seat"] for decision in answer["decisions"]} == {0}


@pytest.mark.slow
def test_a_review_becomes_a_page_and_a_table(tmp_path: Path) -> None:
    path, html = record_file(tmp_path, "nimmt:cowheadking"), tmp_path / "review.html"
    done = faceup("review", str(path), "--seat", "all", "--html", str(html), "--worlds", "200")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Turning points" in done.stdout
    assert html.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seconds", "0"), "seconds must be more than 0"),
        (("--worlds", "0"), "worlds must be 2"),
        (("--worlds", "9", "--seconds", "1"), "must have a budget of worlds or of seconds"),
        (("--seat", "7"), "--seat must be all, or numbers from 0 to 3 joined by commas; got '7'"),
        (("--seat", "one"), "joined by commas; got 'one'"),
        (("--player", "mcc"), "did you mean 'mc'?"),
        (("--html", "/nowhere/at/all.html"), "/nowhere/at is not a folder"),
        (("--seed", "-1"), "seed"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_line(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    done = faceup("review", str(record_file(tmp_path, "nimmt hand=1")), *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the record is incomplete or not JSON"),
        ('{"format": 1', "the record is incomplete or not JSON"),
        ('{"format": 1}', "is not a record"),
        ('{"format": 99}', "update faceup to read it"),
        ('{"moves": [1, 2]}', "the record is incomplete or not JSON"),
        ('{"format": 1, "game": "bridge", "variant": "x", "options": {}, "entries": []}', "there is no game 'bridge'"),
    ],
)
def test_an_invalid_record_is_rejected(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "foreign.json"
    path.write_text(text, encoding="utf-8")
    done = faceup("review", str(path))
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert message in done.stderr


def test_a_game_without_search_has_no_coach(tmp_path: Path) -> None:
    path = record_file(tmp_path, "highcard:strict")
    fourth = Path(__file__).parents[1] / "fourth_game"
    done = subprocess.run(
        [sys.executable, "-m", "faceup", "review", str(path), "--json"],
        capture_output=True, text=True, check=False, timeout=60, env={**os.environ, "PYTHONPATH": str(fourth)},
    )  # fmt: skip
    assert done.returncode == 2
    assert "there is no coach for High Card" in json.loads(done.stdout)["error"]["message"]


@pytest.mark.slow
def test_dice_are_reviewed_as_luck(tmp_path: Path) -> None:
    done = faceup("review", str(record_file(tmp_path, "niuniu throws=3")))
    assert done.returncode == 0
    assert "Niu Niu has no decisions to review. This report is about luck." in done.stdout


@pytest.mark.slow
def test_an_unfinished_game_is_reviewed_with_a_note(tmp_path: Path) -> None:
    done = faceup("review", str(record_file(tmp_path, "nimmt", stop=4)), "--worlds", "50")
    assert done.returncode == 0
    assert "The game is not over: the review covers the decisions so far" in done.stdout


@pytest.mark.slow
def test_ctrl_c_prints_a_partial_review(tmp_path: Path) -> None:
    path = record_file(tmp_path, "nimmt:cowheadking")
    done = interrupted("review", str(path), "--seat", "all", "--seconds", "30", at="judging", data=tmp_path)
    assert done.status == 130
    assert "decisions are rated." in done.out
    assert "Stopped early. The review above is not complete." in done.err
