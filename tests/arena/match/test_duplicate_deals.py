"""Blocks of built-in bots: equal cards in every seat, and independent random sources."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.arena import Bot, Match, MatchResult, MatchTerms
from faceup.arena.match.protocols import ANY_GAME
from faceup.arena.match.referee import Referee
from faceup.bots import policy
from faceup.core import Generator

Seen = list[tuple[str, int, object]]


def play(
    *lineup: str, game: str = "nimmt seats=3 hand=4", seed: int = 7, block: int = 0, rotation: int = 0
) -> MatchResult:
    """Play one match of built-in bots."""
    with Referee(MatchTerms(game, ANY_GAME), {name: Bot(name, player=name) for name in lineup}) as referee:
        return referee.play(Match(0, block, lineup, rotation), seed)[0]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Return the list to which every decision adds the bot, its seat and its cards."""
    decisions: Seen = []

    def spy(game: str, name: str) -> object:
        def choose(rules: object, view: object, rng: Generator) -> int:
            decisions.append((name, view.seat, (view.hand, view.opening)))  # type: ignore[attr-defined]  # a view of nimmt
            return policy(game, name)(rules, view, rng)

        return choose

    monkeypatch.setattr("faceup.arena.match.referee.policy", spy)
    return decisions


def test_rotations_have_same_cards_and_all_seats(seen: Seen) -> None:
    first_turns = {}
    for lineup in (("greedy", "random", "highest"), ("lowest", "random", "highest")):
        for rotation in range(3):
            seen.clear()
            play(*lineup, game="nimmt seats=3", rotation=rotation)
            first_turns[lineup, rotation] = seen[3:6]  # each bot's first call warms it up
    assert len({tuple(cards for _, _, cards in turn) for turn in first_turns.values()}) == 1
    for lineup in {lineup for lineup, _ in first_turns}:
        seats = [{name: seat for name, seat, _ in first_turns[lineup, rotation]} for rotation in range(3)]
        assert all({seat[name] for seat in seats} == {0, 1, 2} for name in lineup)


def test_blocks_have_different_cards() -> None:
    assert len({play("greedy", "random", "random", block=block).scores for block in range(20)}) > 10


@given(seed=st.integers(0, 2**64 - 1), block=st.integers(0, 10**6), seats=st.integers(2, 10))
def test_a_bot_without_chance_ties_with_itself_over_the_rotations(seed: int, block: int, seats: int) -> None:
    game = f"nimmt seats={seats} hand=3"
    results = [
        play(*["greedy"] * seats, game=game, seed=seed, block=block, rotation=rotation) for rotation in range(seats)
    ]
    by_player = list(zip(*(result.scores for result in results), strict=True))
    assert len({tuple(sorted(scores)) for scores in by_player}) == 1
    assert sum(by_player[0]) == sum(by_player[-1])


def test_random_sources_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    extra = 0

    def drawing(game: str, name: str) -> object:
        def choose(rules: object, view: object, rng: Generator) -> int:
            if name == "lowest":
                for _ in range(extra):
                    rng.below(10)
            elif view.legal:  # type: ignore[attr-defined]  # a view
                drawn.append(rng.below(10**9))
            return policy(game, "lowest")(rules, view, rng)

        return choose

    monkeypatch.setattr("faceup.arena.match.referee.policy", drawing)
    play("lowest", "random", "random", block=5, rotation=1)
    first = drawn.copy()
    drawn.clear()
    extra = 3
    play("lowest", "random", "random", block=5, rotation=1)
    assert drawn == first


def test_whole_matches_are_played_to_their_end() -> None:
    assert max(play("greedy", "random", "random", game="nimmt:classic seats=3", seed=1).scores) >= 66
