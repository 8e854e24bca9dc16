"""Public knowledge of War, compared with an observer that tracks every possible deal and shuffle."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TypeAlias

import pytest

from faceup.core import CHANCE, Event, Outcome, SeededGenerator, draw
from faceup.games.war import Collect, Reshuffle, War, WarDeal, WarState, WarView
from faceup.games.war.cards import card, deck
from faceup.games.war.public_knowledge import sides

FLIP = {0: 0, 1: 0}
Cards: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Return both sides' cards, played ones first."""


def outcomes(rules: War, state: WarState) -> Iterator[Outcome]:
    """Return every possible outcome of chance."""
    if state.due == "deal":
        for order in permutations(deck(rules.per_suit, rules.suits)):
            yield WarDeal((order[: len(order) // 2], order[len(order) // 2 :]))
    elif state.due == "reshuffle":
        for order0 in permutations(state.cards[0]):
            for order1 in permutations(state.cards[1]):
                yield Reshuffle((order0, order1))
    else:
        for order in permutations(state.table(0) + state.table(1)):
            yield Collect(order)


def observed(rules: War, seed: int, steps: int) -> Iterator[tuple[WarState, list[WarState]]]:
    """Yield each step of a game and all states that are consistent with its public events."""
    rng = SeededGenerator(seed)
    state = rules.start()
    worlds = [state]
    for _ in range(steps):
        to_act = rules.to_act(state)
        if not to_act:
            return
        chance = to_act == (CHANCE,)
        state, seen = rules.apply(state, draw(rules, state, rng) if chance else FLIP)
        after: dict[Cards, WarState] = {}
        for world in worlds:
            for move in outcomes(rules, world) if chance else (FLIP,):
                next_, events = rules.apply(world, move)
                if public_words(events) == public_words(seen):
                    after[next_.cards] = next_
        worlds = list(after.values())
        yield state, worlds


def public_words(events: Sequence[Event]) -> list[str]:
    return [event.words(("Ann", "Bob")) for event in events]


def allowed(rules: War, view: WarView) -> set[Cards]:
    """Return the cards of every state that the view allows, by trying every order of the hidden cards."""
    both = sides(view)
    count = len(both[0])
    line = both[0] + both[1]
    hidden = [card for card in deck(rules.per_suit, rules.suits) if card not in line]
    states = set()
    for order in permutations(hidden):
        cards_in = iter(order)
        filled = tuple(next(cards_in) if card is None else card for card in line)
        halves = filled[:count], filled[count:]
        if all(set(members) <= set(half) for members, half in zip(view.members, halves, strict=True)):
            states.add(halves)
    return states


SMALL = War(per_suit=3, suits=2, down=1, reshuffle=0)


@pytest.mark.parametrize("collect", ["winner_first", "loser_first"])
@pytest.mark.parametrize("seed", range(6))
def test_without_shuffles_the_view_allows_exactly_the_consistent_states(collect: str, seed: int) -> None:
    rules = War(per_suit=3, suits=2, down=1, reshuffle=0, collect=collect)  # type: ignore[arg-type]  # one of its words
    for state, worlds in observed(rules, seed, steps=12):
        assert allowed(rules, rules.view(state, None)) == {world.cards for world in worlds}


@pytest.mark.parametrize("seed", range(4))
def test_after_shuffles_the_view_claims_only_certain_facts(seed: int) -> None:
    rules = War(per_suit=3, suits=2, down=1, reshuffle=2)
    reshuffled = False
    for state, worlds in observed(rules, seed, steps=9):
        possible = {world.cards for world in worlds}
        claimed = allowed(rules, rules.view(state, None))
        assert possible <= claimed
        if not reshuffled and any(state.members):
            assert possible == claimed  # up to the first one, nothing is lost either
            reshuffled = True
        assert len({rules.view(world, None) for world in worlds}) == 1


@pytest.mark.parametrize("seed", range(3))
def test_shuffled_cards_are_known_members_without_a_place(seed: int) -> None:
    rules = War(per_suit=3, suits=2, down=1, reshuffle=0, collect="shuffled")
    for state, worlds in observed(rules, seed, steps=7):
        assert {world.cards for world in worlds} <= allowed(rules, rules.view(state, None))
        assert len({rules.view(world, None) for world in worlds}) == 1


def test_seats_and_spectators_know_the_same() -> None:
    for state, _ in observed(SMALL, 1, steps=4):
        views = [SMALL.view(state, seat) for seat in (0, 1, None)]
        assert len({sides(view) for view in views}) == 1
        assert [view.legal for view in views[:2]] == [(0,), (0,)] or state.due != "flip"
        assert views[2].legal == ()


def test_a_card_seen_going_under_a_pile_stays_known_when_it_is_played_face_down() -> None:
    rules = War(per_suit=4, suits=2, down=1, reshuffle=0)
    # Ann's two of clubs lies at a known place, on top; it goes face down into the war, and under Bob's pile.
    state = rules.from_text(
        "due=flip rounds=1 wars=1 redeals=0 by=- table=3C/3D draw=2C4C2d/5c5d4d members=-/- log=4C2C"
    )
    assert isinstance(state, WarState)
    view = rules.view(rules.apply(state, FLIP).state, None)
    assert view.draw == ((None,), (None, *cards("3D"), None, *cards("5D 3C 2C 4C")))


def test_members_of_a_pile_that_lost_hidden_cards_are_forgotten() -> None:
    rules = War(per_suit=4, suits=2, down=1, reshuffle=0)
    state = rules.from_text(
        "due=flip rounds=1 wars=1 redeals=0 by=- table=3C/3D draw=2c4c2d/5c5d4d members=2D/4D log=4C2C"
    )
    assert isinstance(state, WarState)
    view = rules.view(rules.apply(state, FLIP).state, None)
    assert view.members == ((), cards("4D"))


def cards(words: str) -> tuple[int, ...]:
    return tuple(card(word) for word in words.split())


class Listing:
    """A generator that enumerates all sequences of choices, one sequence per run."""

    def __init__(self) -> None:
        self.path: list[list[int]] = []
        self.at = 0

    def below(self, n: int) -> int:
        if self.at == len(self.path):
            self.path.append([0, n])
        self.at += 1
        return self.path[self.at - 1][0]

    def next(self) -> bool:
        """Advance to the next sequence; return False if there is none."""
        self.at = 0
        while self.path and self.path[-1][0] + 1 == self.path[-1][1]:
            self.path.pop()
        if self.path:
            self.path[-1][0] += 1
        return bool(self.path)


LINES = [
    "due=flip rounds=2 wars=0 redeals=0 by=- table=-/- draw=2c3c4c3D2D/4d members=-/- log=3D2D",
    "due=flip rounds=2 wars=0 redeals=0 by=- table=-/- draw=2c3c4c3D/4d2d members=3C/2D log=-",
    "due=flip rounds=2 wars=1 redeals=0 by=- table=4C/4D draw=2c3c2d/3d members=2C/- log=-",
    "due=over rounds=1 wars=2 redeals=0 by=draw table=2C(3c)4C/2D(3d)4D draw=-/- members=-/- log=2C2D4C4D",
]


@pytest.mark.parametrize("line", LINES)
def test_guess_is_uniform_over_the_allowed_states(line: str) -> None:
    state = SMALL.from_text(line)
    assert isinstance(state, WarState)
    view = SMALL.view(state, 0)
    rng = Listing()
    counts: Counter[Cards] = Counter()
    while True:
        guessed = SMALL.guess(view, rng)
        assert SMALL.view(guessed, 0) == view
        counts[guessed.cards] += 1
        if not rng.next():
            break
    assert set(counts) == allowed(SMALL, view)
    assert len(set(counts.values())) == 1
