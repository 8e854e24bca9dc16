"""The puzzles of the package, and files of puzzles."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from faceup.coach import find_puzzles
from faceup.coach.find_puzzles import LEAD, OPTIONS, is_clear, play_game, puzzles_in_record
from faceup.coach.judgement import judge
from faceup.coach.puzzles import Puzzle, dumps, id_of, load, loads, package_puzzles, served_puzzles
from faceup.coach.themes import Theme, theme_of
from faceup.core import AnyRules, Malformed, SeededGenerator, State, find_game, write
from faceup.core.record import replay
from faceup.games.nimmt.policies import greedy
from faceup.games.nimmt.state import State as NimmtState
from faceup.games.nimmt.state import View
from faceup.server.puzzles.queries import BEGINNING

PUZZLES = package_puzzles()
GOOD = next(puzzle for puzzle in PUZZLES if puzzle.parsed[0].variant == "onehundredandfour")
"""A puzzle from a short game."""


def test_the_package_has_sixty_different_puzzles_or_more() -> None:
    assert len({puzzle.position for puzzle in PUZZLES}) == len(PUZZLES) >= 60


def test_a_beginner_gets_the_base_game_with_three_or_four_players_first() -> None:
    basic = [puzzle for puzzle in PUZZLES if puzzle.is_basic]
    assert len(basic) >= BEGINNING
    assert {rules.parsed[0].seats for rules in basic} == {3, 4}


def test_puzzles_train_every_theme() -> None:
    assert {puzzle.theme for puzzle in PUZZLES} == set(get_args(Theme))
    for puzzle in PUZZLES:
        assert puzzle.theme == theme_of(*puzzle.parsed, [option.explanation for option in puzzle.options])


def test_every_worse_option_of_a_puzzle_has_a_cause() -> None:
    for puzzle in PUZZLES:
        best, *others = [option.explanation for option in puzzle.options]
        assert best.cause is None
        assert all(explanation.cause is None or explanation.cause.explains >= 0.5 for explanation in others)
    causes = [option.explanation.cause for puzzle in PUZZLES for option in puzzle.options[1:]]
    assert causes.count(None) <= 0.02 * len(causes)


def test_they_are_of_all_variants_and_sizes_and_of_early_and_late_turns() -> None:
    rules = [puzzle.parsed[0] for puzzle in PUZZLES]
    assert {rule.variant for rule in rules} == {variant.name for variant in find_game("nimmt").variants}
    assert {rule.seats for rule in rules} == set(range(2, 9))
    kinds = Counter(puzzle.best.action.split()[0] for puzzle in PUZZLES)
    assert min(kinds["play"], kinds["take"]) >= 6
    assert sum(puzzle.source.turn <= 4 for puzzle in PUZZLES) >= 10
    assert sum(puzzle.source.turn >= 7 for puzzle in PUZZLES) >= 10
    assert min(puzzle.found for puzzle in PUZZLES) < 0.4
    assert max(puzzle.found for puzzle in PUZZLES) > 0.8


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda parameter: parameter.id)
def test_each_has_one_clearly_best_option_which_is_not_the_obvious_one(puzzle: Puzzle) -> None:
    position = puzzle
    rules, view = position.parsed
    assert len(view.legal) >= OPTIONS
    assert position.id == id_of(write(rules, view))
    assert is_clear(position.options, LEAD, win=0.0)
    assert rules.describe(greedy(rules, view, SeededGenerator(0))) != position.best.action  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "puzzle",
    [pytest.param(puzzle, id=puzzle.id, marks=pytest.mark.long if n % 6 else ()) for n, puzzle in enumerate(PUZZLES)],
)
def test_a_fresh_search_with_other_worlds_agrees(puzzle: Puzzle) -> None:
    rules, view = puzzle.parsed
    fresh = judge(rules, view, player="mc", worlds=5_000, seed=7)
    assert rules.describe(fresh[0].action) == puzzle.best.action


@pytest.mark.long
def test_a_search_for_good_opponents_agrees_in_other_worlds() -> None:
    for puzzle in PUZZLES:
        rules, view = puzzle.parsed
        fresh = judge(rules, view, player="deep", worlds=2_000, seed=8)
        assert rules.describe(fresh[0].action) == puzzle.best.action, puzzle.id


def test_a_puzzle_has_the_view_of_its_seat_and_no_hidden_card() -> None:
    for puzzle in PUZZLES[::10]:
        rules, view = puzzle.parsed
        assert isinstance(view, View)
        assert puzzle.source.seed is not None
        record, bots = play_game(puzzle.source.seed, rules)
        assert bots == puzzle.source.bots
        states = [frame.state for frame in replay(record)]
        [state] = [state for state in states if _written(rules, state, view.seat) == puzzle.position]
        assert isinstance(state, NimmtState)
        hidden = {card for seat, hand in enumerate(state.hands) if seat != view.seat for card in hand}
        hidden -= {card for card, _ in view.waiting}
        assert hidden
        position = re.sub(r" (view|sizes|heads|earlier)=\S+|^[^|]*", "", puzzle.position)
        assert not hidden & set(map(int, re.findall(r"(?<![>:\d])\d+", position))), puzzle.id


def _written(rules: AnyRules, state: State, seat: int | None) -> str:
    return write(rules, rules.view(state, seat))


@pytest.mark.long
def test_puzzles_of_a_record_are_a_part_of_its_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find_puzzles, "CHECK_WORLDS", 2_000)  # the last searches take most of the time
    record, _ = play_game(GOOD.source.seed or 0, GOOD.parsed[0])
    looked = list(puzzles_in_record(record))
    puzzles = [puzzle for puzzle in looked if puzzle is not None]
    assert 0 < len(puzzles) < len(looked) <= 8 * 10 * 2
    assert all(puzzle.source.bots == () and puzzle.source.seed is None for puzzle in puzzles)
    assert loads(dumps(puzzles)) == tuple(puzzles)


def test_a_file_adds_to_the_puzzles_of_the_package(tmp_path: Path) -> None:
    example = next(puzzle for puzzle in PUZZLES if ":cowheadking " in puzzle.position)
    position = example.position.replace(":cowheadking ", ":onehundredandfour ")
    more = msgspec.structs.replace(example, id=id_of(position), position=position)
    file = tmp_path / "more.json"
    file.write_text(dumps((*PUZZLES[:2], more)), "utf-8")
    assert load(file) == (*PUZZLES[:2], more)
    assert list(served_puzzles(str(file)).values()) == [*PUZZLES, more]


def changed(path: str, value: object) -> str:
    """Return a file with one puzzle in which a member is replaced."""
    document = json.loads(dumps(PUZZLES[:1]))
    *parents, last = path.split(".")
    inner = document
    for name in parents:
        inner = inner[int(name)] if name.isdecimal() else inner[name]
    inner[int(last) if last.isdecimal() else last] = value
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not a file of puzzles"),
        ("{", "not a file of puzzles"),
        (changed("format", 2), "the format must be 1"),
        (changed("puzzles.0.id", "0" * 12), "puzzle 0: the id must be that of the position"),
        (changed("puzzles.0.position", "nimmt:none | view=0"), "puzzle 0"),
        (changed("puzzles.0.position", "war | "), "puzzle 0"),
        (changed("puzzles.0.options", []), "puzzle 0: the options must be the legal actions"),
        (changed("puzzles.0.found", 2), "not a file of puzzles"),
        (changed("puzzles.0.options.1", json.loads(dumps(PUZZLES[:1]))["puzzles"][0]["options"][0]), "puzzle 0"),
        (dumps([PUZZLES[0], PUZZLES[0]]), "puzzle 1: the id must be that of the position, and unique"),
    ],
)  # fmt: skip
def test_an_invalid_file_is_rejected_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Malformed, match=re.escape(message)):
        loads(text)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"none\.json cannot be read"):
        load(tmp_path / "none.json")


def test_an_answer_must_be_an_option() -> None:
    puzzle = PUZZLES[0]
    assert puzzle.option(puzzle.best.action) is puzzle.best
    with pytest.raises(Malformed, match="is not an option of this puzzle"):
        puzzle.option("play 105")
