"""`faceup puzzles`: solve puzzles in the terminal, and make more."""

import json
from errno import ENOSPC
from pathlib import Path

import pytest
from tests.cli.in_process import InProcessCli, inside
from tests.cli.interrupts import interrupted

from faceup.coach import find_puzzles
from faceup.coach.find_puzzles import play_game, puzzles_in_record
from faceup.coach.puzzles import Puzzle, dumps, load, package_puzzles
from faceup.core import action_text, plural
from faceup.core import record as records

GOOD = next(puzzle for puzzle in package_puzzles() if puzzle.parsed[0].variant == "onehundredandfour")
"""A puzzle from a short game."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> InProcessCli:
    monkeypatch.setattr(find_puzzles, "CHECK_WORLDS", 2_000)  # the last searches take most of the time
    return InProcessCli(monkeypatch, capsys)


def typed(puzzle: Puzzle, action: str) -> str:
    rules, _ = puzzle.parsed
    return action_text(rules, rules.parse(action))


def test_a_puzzle_is_solved_and_its_values_are_shown(tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    puzzle = package_puzzles()[0]
    file.write_text(dumps([puzzle]), "utf-8")
    done = inside("puzzles", "--file", str(file), stdin=f"play 105\n{typed(puzzle, puzzle.best.action)}\n")
    assert done.returncode == 0
    before, _, after = done.stdout.partition("> ")
    assert "heads worse" not in before
    assert "is not one of your choices" in after
    assert "Right!" in after
    assert "heads worse" in after
    assert all(typed(puzzle, option.action) in after for option in puzzle.options)
    assert done.stdout.endswith("You found 1 of 1 puzzle.\n")
    assert "\x1b" not in done.stdout


def test_a_wrong_answer_shows_the_best_option_and_ends_the_streak(tmp_path: Path) -> None:
    file = tmp_path / "some.json"
    file.write_text(dumps(package_puzzles()), "utf-8")
    order = inside("puzzles", "--seed", "4", "--count", "3").stdout
    assert order == inside("puzzles", "--seed", "4", "--count", "3", "--file", str(file)).stdout
    assert "Puzzle 1 of 3" in order
    assert order.endswith("You found 0 of 0 puzzles.\n")
    worst = package_puzzles()[0].options[-1]
    file.write_text(dumps(package_puzzles()[:1]), "utf-8")
    done = inside("puzzles", "--file", str(file), stdin=f"{typed(package_puzzles()[0], worst.action)}\n")
    assert f"is {worst.behind.value:.1f} heads better." in done.stdout
    assert done.stdout.endswith("You found 0 of 1 puzzle.\n")


def test_puzzles_are_made_and_added_to_a_file(
    run: InProcessCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def puzzle_in_game(seed: int) -> Puzzle | None:
        asked.append(seed)
        return next((puzzle for puzzle in package_puzzles() if puzzle.source.seed == seed), None)

    monkeypatch.setattr(find_puzzles, "puzzle_in_game", puzzle_in_game)
    seeds = [puzzle.source.seed or 0 for puzzle in package_puzzles()]
    file = tmp_path / "made.json"
    first = run("puzzles", "make", "--count", 3, "--seed", seeds[0], "--out", file)
    assert first.out == f"Found 3. {file} has 3 puzzles.\n"
    assert load(file) == package_puzzles()[:3]
    again = run("puzzles", "make", "--count", 5, "--seed", seeds[0], "--out", file, "--json")
    assert json.loads(again.out) == {"file": str(file), "puzzles": 5, "found": 2}
    assert asked == list(range(seeds[0], seeds[4] + 1)), "no game is played twice"
    assert json.loads(run("puzzles", "make", "--count", 5, "--out", file, "--json").out)["found"] == 0
    assert load(file) == package_puzzles()[:5]


def test_the_first_puzzle_of_the_package_is_made_again(run: InProcessCli, tmp_path: Path) -> None:
    first = package_puzzles()[0]
    file = tmp_path / "again.json"
    assert run("puzzles", "make", "--count", 1, "--seed", first.source.seed, "--out", file).status == 0
    [made] = load(file)
    assert (made.position, made.best.action, made.source) == (first.position, first.best.action, first.source)


def test_puzzles_are_found_in_records(run: InProcessCli, tmp_path: Path) -> None:
    record, _ = play_game(GOOD.source.seed or 0, GOOD.parsed[0])
    game, file = tmp_path / "game.json", tmp_path / "mine.json"
    game.write_text(records.dumps(record), "utf-8")
    expected = tuple(puzzle for puzzle in puzzles_in_record(record) if puzzle is not None)
    done = run("puzzles", "make", game, "--out", file)
    assert done.out == f"Found {len(expected)}. {file} has {plural(len(expected), 'puzzle')}.\n"
    assert load(file) == expected


def test_a_record_without_puzzles_makes_an_empty_file(run: InProcessCli, tmp_path: Path) -> None:
    record, _ = play_game(GOOD.source.seed or 0, GOOD.parsed[0])
    game, file = tmp_path / "game.json", tmp_path / "mine.json"
    unfinished = records.Record(
        game=record.game, variant=record.variant, options=record.options, entries=record.entries[:1]
    )
    game.write_text(records.dumps(unfinished), "utf-8")
    assert run("puzzles", "make", game, "--out", file).out == f"Found 0. {file} has 0 puzzles.\n"
    assert load(file) == ()


@pytest.mark.long
def test_after_ctrl_c_the_file_has_what_was_found(tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    words = ("puzzles", "make", "--seed", str(package_puzzles()[0].source.seed), "--out", str(file))
    done = interrupted(*words, at=r"[1-9] / 60", data=tmp_path)
    assert done.status == 130
    assert "Run the same command again to continue." in done.err
    kept = load(file)
    assert [puzzle.position for puzzle in kept] == [puzzle.position for puzzle in package_puzzles()[: len(kept)]]
    assert len(kept) >= 1
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("make", "--count", "0", "--out", "x.json"), "--count must be 1 or more"),
        (("--count", "0"), "--count must be 1 or more"),
        (("--file", "none.json"), "none.json cannot be read"),
        (("make", "none.json", "--out", "x.json"), "none.json"),
        (("make", "--out", "no/such/folder/x.json"), "is not a folder"),
        (("make",), "--out"),
    ],
)
def test_a_wrong_argument_is_named(run: InProcessCli, words: tuple[str, ...], message: str) -> None:
    done = run("puzzles", *words)
    assert done.status == 2
    assert message in done.err


@pytest.mark.parametrize(
    "words",
    [("puzzles", "make", "--out"), ("exploit", "random", "--game", "nimmt", "--seats", "2", "--log")],
    ids=lambda words: words[0],
)
def test_a_file_that_is_kept_must_be_a_file(words: tuple[str, ...], tmp_path: Path) -> None:
    done = inside(*words, str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"faceup: {tmp_path} is not a file\n")


def test_no_part_is_left_behind_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(path: Path, *_: object, **__: object) -> int:
        path.touch()
        raise OSError(ENOSPC, "No space left on device")

    record = str(tmp_path / "game.json")
    inside("watch", "nimmt", "-o", "hand=2", "--bots", "greedy", "--seed", "7", "--plain", "--record", record)
    monkeypatch.setattr(Path, "write_text", no_space)
    done = inside("puzzles", "make", record, "--out", str(tmp_path / "puzzles.json"))
    assert done.returncode == 2
    assert done.stderr.endswith("cannot be written: No space left on device\n")
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
