"""`faceup review`: what it answers, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.inside import inside as faceup
from tests.cli.interrupting import interrupted
from tests.coach.records import recorded

from faceup.core.record import dumps


def record_file(folder: Path, spec: str, *, stop: int | None = None) -> Path:
    path = folder / "game.json"
    path.write_text(dumps(recorded(spec, stop=stop)), encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_people_s_seats_are_reviewed_unless_others_are_named(tmp_path: Path) -> None:
    path = record_file(tmp_path, "nimmt:cowheadking hand=2")
    answer = json.loads(faceup("review", str(path), "--json", "--worlds", "50").stdout)
    assert (answer["kind"], answer["seats"], answer["worlds"]) == ("decisions", [0], 50)
    assert {each["seat"] for each in answer["decisions"]} == {0}


@pytest.mark.slow
def test_a_review_becomes_a_page_and_a_table(tmp_path: Path) -> None:
    path, html = record_file(tmp_path, "nimmt:cowheadking"), tmp_path / "review.html"
    done = faceup("review", str(path), "--seat", "all", "--html", str(html), "--worlds", "200")
    assert (done.returncode, done.stderr) == (0, "")
    assert "What decided it" in done.stdout
    assert html.read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--seconds", "0"), "seconds are more than 0"),
        (("--worlds", "0"), "worlds are 2"),
        (("--worlds", "9", "--seconds", "1"), "give one of them"),
        (("--seat", "7"), "'7' is not a seat: seats are 0 to 3"),
        (("--seat", "one"), "'one' is not a seat"),
        (("--player", "mcc"), "did you mean 'mc'?"),
        (("--html", "/nowhere/at/all.html"), "there is no folder /nowhere/at"),
        (("--seed", "-1"), "seed"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    done = faceup("review", str(record_file(tmp_path, "nimmt hand=1")), *words)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is not a whole record"),
        ('{"format": 1', "is not a whole record"),
        ('{"format": 1}', "is not a record"),
        ('{"format": 99}', "a newer faceup will read it"),
        ('{"moves": [1, 2]}', "is not a whole record"),
        ('{"format": 1, "game": "bridge", "variant": "x", "options": {}, "entries": []}', "there is no game 'bridge'"),
    ],
)
def test_what_is_no_record_of_ours_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "foreign.json"
    path.write_text(text, encoding="utf-8")
    done = faceup("review", str(path))
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert says in done.stderr


def test_a_game_that_nobody_searches_has_no_coach(tmp_path: Path) -> None:
    path = record_file(tmp_path, "highcard:strict")
    fourth = Path(__file__).parents[1] / "fourth_game"
    done = subprocess.run(
        [sys.executable, "-m", "faceup", "review", str(path), "--json"],
        capture_output=True, text=True, check=False, timeout=60, env={**os.environ, "PYTHONPATH": str(fourth)},
    )  # fmt: skip
    assert done.returncode == 2
    assert "there is no coach for High Card" in json.loads(done.stdout)["error"]["message"]


@pytest.mark.slow
def test_dice_are_told_of_as_luck(tmp_path: Path) -> None:
    done = faceup("review", str(record_file(tmp_path, "niuniu throws=3")))
    assert done.returncode == 0
    assert "Niu Niu has no decisions to review: this is how chance went." in done.stdout


@pytest.mark.slow
def test_a_game_that_is_not_over_is_reviewed_and_it_says_so(tmp_path: Path) -> None:
    done = faceup("review", str(record_file(tmp_path, "nimmt", stop=4)), "--worlds", "50")
    assert done.returncode == 0
    assert "The game is not over: this is the review of what there is." in done.stdout


@pytest.mark.slow
def test_ctrl_c_prints_what_was_judged_until_then(tmp_path: Path) -> None:
    path = record_file(tmp_path, "nimmt:cowheadking")
    done = interrupted("review", str(path), "--seat", "all", "--seconds", "30", at="judging", data=tmp_path)
    assert done.status == 130
    assert "decisions are judged." in done.out
    assert "Stopped: this is what was done until then." in done.err
