import json
from pathlib import Path

import pytest
from tests.cli.in_process import inside as faceup

from faceup.core import find_game, generator, make
from faceup.core.record import dumps, record_game

POSITION = "nimmt:cowheadking seats=2 | hands=3/45 rows=5/6,7/88/29"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    greedy = find_game("nimmt").policies["greedy"]
    game = record_game(make("nimmt:cowheadking seats=2 hand=2"), [greedy] * 2, generator(1))
    path = tmp_path_factory.mktemp("records") / "game.json"
    path.write_text(dumps(game), encoding="utf-8")
    return path


def test_a_position_is_drawn_to_standard_output() -> None:
    done = faceup("draw", POSITION, "--names", "Ann,Bob")
    assert done.returncode == 0
    assert "Bob&#39;s hand" in done.stdout


def test_a_position_is_drawn_from_one_seat() -> None:
    drawn = faceup("draw", POSITION, "--seat", "0", "--names", "Ann,Bob").stdout
    assert "Ann&#39;s hand" in drawn
    assert "Bob&#39;s hand" not in drawn


def test_a_record_shows_a_spectator_no_hand_unless_asked(record: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    assert faceup("draw", str(record), "--at", "1", "-o", str(file)).returncode == 0
    assert "hand</text>" not in file.read_text("utf-8")
    assert "Ann&#39;s hand" in faceup("draw", str(record), "--at", "1", "--seat", "all", "--names", "Ann").stdout


def test_json_holds_the_position_beside_the_picture(record: Path) -> None:
    answer = json.loads(faceup("draw", str(record), "--json").stdout)
    assert answer["position"].startswith("nimmt:cowheadking")
    assert answer["svg"].startswith("<svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((POSITION, "--seat", "2"), "--seat must be 0 to 1, none or all; got '2'"),
        ((POSITION, "--at", "2"), "--at must be used with a record"),
        (
            ("nimmt | view=0 sizes=1,1,1,1 hand=3 rows=5/6/88/29", "--seat", "1"),
            "the position is a view, which already has a point of view",
        ),
        (("nimmt | hands=3",), "hands must have 4 entries"),
        (("nosuch.json",), "nosuch.json cannot be read"),
        ((POSITION, "-o", "no/such/folder.svg"), "cannot be written"),
    ],
)
def test_bad_input_is_one_clear_message_and_status_2(words: tuple[str, ...], message: str) -> None:
    done = faceup("draw", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_a_step_outside_the_record_is_rejected(record: Path) -> None:
    done = faceup("draw", str(record), "--at", "99")
    assert (done.returncode, "moves, so --at must be 0 to" in done.stderr) == (2, True)
