"""The laws, and a test for each rule."""

from collections.abc import Iterator, Sequence

import pytest
from goofspiel import Deal, Goofspiel, Seen, Table

from faceup.core import Malformed, Outcome, Seat, laws, make, read


def relabel(rules: Goofspiel, deal: Outcome, order: Sequence[Seat]) -> Deal:
    """Give seat i the hand of seat `order[i]`."""
    assert isinstance(deal, Deal)
    return Deal(tuple(deal.hands[seat] for seat in order), deal.prizes)


def places(view: Seen, state: Table) -> Iterator[tuple[str, int, int]]:
    """Say where each hidden card is: any unseen card can be in any hand, and any hidden prize in any place."""
    for seat, hand in enumerate(state.hands):
        yield from (("hands", seat, card) for card in hand)
    yield from (("prizes", place, prize) for place, prize in enumerate(state.prizes))


def conserved(rules: Goofspiel, taken: laws.PlayStep) -> None:
    """Check that points come from prizes only."""
    state = taken.step.state
    assert isinstance(state, Table)
    assert sum(state.points) == sum(past.prize for past in state.log)


@pytest.mark.parametrize(
    "spec", ["goofspiel seats=2", "goofspiel seats=6", "goofspiel:duel", "goofspiel hand=2 cards=6"]
)
def test_the_game_keeps_the_laws(spec: str) -> None:
    laws.check(make(spec), examples=10, relabel=relabel, places=places, invariant=conserved)


def test_in_a_small_game_every_hidden_deal_is_equally_likely() -> None:
    assert laws.uniformity(make("goofspiel seats=2 hand=2 cards=5"), places=places) > 0


def test_the_highest_card_wins_the_prize() -> None:
    rules, state = read("goofspiel seats=2 hand=2 cards=5 | hands=1,4/2,5 prizes=2,1 points=0,0 log=-")
    state, events = rules.apply(state, {0: rules.parse("bid 4"), 1: rules.parse("bid 2")})
    assert [event.words(["Ann", "Bo"]) for event in events] == [
        "Ann bids 4.",
        "Bo bids 2.",
        "Ann wins the prize of 2.",
        "The prize is 1.",
    ]
    assert rules.to_text(state) == "hands=1/5 prizes=1 points=2,0 log=2:4,2"
    state, _ = rules.apply(state, {0: rules.parse("bid 1"), 1: rules.parse("bid 5")})
    assert rules.to_act(state) == ()
    assert rules.ranks(state) == (1, 2)


@pytest.mark.parametrize("cards", [4, 101])
def test_a_deck_must_fill_the_hands(cards: int) -> None:
    with pytest.raises(Malformed, match="cards must be 6 to 100 for 3 hands of 2"):
        Goofspiel(seats=3, hand=2, cards=cards)


@pytest.mark.parametrize(
    "position",
    [
        "hands=1,1/2,5 prizes=2,1 points=0,0 log=-",
        "hands=1,4/2,6 prizes=2,1 points=0,0 log=-",
        "hands=1,4/2 prizes=2,1 points=0,0 log=-",
        "hands=1,4/2,5 prizes=2,2 points=0,0 log=-",
        "hands=1,4/2,5 prizes=2,1 points=0 log=-",
        "hands=1,4/2,5 prizes=2,1 points=0,0 log=9",
        "view=0 hand=1 prize=2 points=0,0 log=-",
        "view=- hand=1,4 prize=2 points=0,0 log=-",
        "view=- hand=- prize=0 points=2,0 log=2:1,4",
        "hands=- prizes=2,1 points=0,0 log=-",
    ],
)
def test_an_impossible_position_is_refused(position: str) -> None:
    with pytest.raises(Malformed):
        read(f"goofspiel seats=2 hand=2 cards=5 | {position}")
