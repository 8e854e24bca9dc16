"""The laws, on every game, variant and number of seats; small settings are listed to the last deal."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import msgspec
import pytest
from tests.variants import marked, variants

from faceup.core import AnyRules, Outcome, Seat, laws, list_games, make
from faceup.core.laws.determinization import number_tuples
from faceup.games.nimmt import cards, state
from faceup.games.niuniu.hand import score
from faceup.games.niuniu.state import DiceShow, NiuNiuState
from faceup.games.war.cards import deck
from faceup.games.war.state import Collect, WarState, WarView


class Held(NamedTuple):
    """Arguments of `laws.check` for a game: invariant, relabelling, hidden places, perfect recall."""

    invariant: Callable[[AnyRules, laws.PlayStep], None]
    relabel: laws.Relabel
    places: laws.Places = number_tuples
    perfect_recall: bool = True


def nimmt_keeps_its_cards(rules: AnyRules, taken: laws.PlayStep) -> None:
    """The cards dealt are all somewhere, once; a seat's heads go up by those of the cards that it takes."""
    before, after = taken.before, taken.step.state
    assert isinstance(before, state.State)
    assert isinstance(after, state.State)
    lying = [*chain(*after.hands, *after.rows, *after.taken), *(card for card, _ in after.waiting), *after.aside]
    assert len(lying) == len(set(lying)) == rules.dealt  # type: ignore[attr-defined]  # these rules are nimmt's
    assert set(lying) <= set(range(1, rules.cards + 1))  # type: ignore[attr-defined]  # as above
    if isinstance(taken.move, Outcome):
        assert after.heads == before.heads
        return
    for seat in range(rules.seats):
        new = after.taken[seat][len(before.taken[seat]) :]
        assert after.taken[seat][: len(before.taken[seat])] == before.taken[seat]
        assert after.heads[seat] - before.heads[seat] == cards.total(new)


def nimmt_relabelled(rules: AnyRules, deal: Outcome, order: Sequence[Seat]) -> Outcome:
    assert isinstance(deal, state.Deal)
    size: int = rules.hand  # type: ignore[attr-defined]  # these rules are nimmt's
    hands = [deal.cards[seat * size : (seat + 1) * size] for seat in order]
    return state.Deal((*chain(*hands), *deal.cards[rules.seats * size :]))


def niuniu_adds_up(rules: AnyRules, taken: laws.PlayStep) -> None:
    """A throw is won by the seat with the most points alone, or drawn by those that share them; statistics add up."""
    before, after = taken.before, taken.step.state
    assert isinstance(before, NiuNiuState)
    assert isinstance(after, NiuNiuState)
    won = [now - then for now, then in zip(after.won, before.won, strict=True)]
    drawn = [now - then for now, then in zip(after.drawn, before.drawn, strict=True)]
    gained = tuple(now - then for now, then in zip(after.statistics, before.statistics, strict=True))
    if not isinstance(taken.move, DiceShow):
        assert (sum(won), sum(drawn), set(gained)) == (0, 0, {0})
        return
    hands = [score(dice, rules.faces, rules.baozi) for dice in taken.move.dice]  # type: ignore[attr-defined]  # niuniu's
    points = [hand.points for hand in hands]
    assert won == [int(point == max(points) and points.count(point) == 1) for point in points]
    assert drawn == [int(point == max(points) and points.count(point) > 1) for point in points]
    assert gained == tuple(hand.statistics for hand in hands)


def niuniu_relabelled(rules: AnyRules, dice: Outcome, order: Sequence[Seat]) -> Outcome:  # noqa: ARG001 -- a `Relabel`
    assert isinstance(dice, DiceShow)
    return DiceShow(tuple(dice.dice[seat] for seat in order))


def war_keeps_its_cards(rules: AnyRules, taken: laws.PlayStep) -> None:
    """Check that every card of the deck is in one of the two piles once it is dealt."""
    before, after = taken.before, taken.step.state
    assert isinstance(before, WarState)
    assert isinstance(after, WarState)
    assert Counter(chain(*after.cards)) == Counter(deck(rules.per_suit, rules.suits))  # type: ignore[attr-defined]  # war's
    assert (after.rounds - before.rounds, after.wars - before.wars) in {(0, 0), (0, 1), (1, 0), (1, 1)}


def war_relabelled(rules: AnyRules, outcome: Outcome, order: Sequence[Seat]) -> Outcome:  # noqa: ARG001 -- a `Relabel`
    if isinstance(outcome, Collect):
        return outcome
    return msgspec.structs.replace(outcome, piles=tuple(outcome.piles[seat] for seat in order))  # type: ignore[attr-defined]  # the others have piles


def war_places(view: WarView, truth: WarState) -> Iterator[tuple[object, tuple[int, int], int]]:
    """Cards known to be in a pile may lie at its unknown places alike, and so may those that might be in either."""
    for seat, pile in enumerate(truth.cards):
        for place, card in enumerate(pile):
            yield (seat if card in view.members[seat] else "either"), (seat, place), card


HELD = {
    "nimmt": Held(nimmt_keeps_its_cards, nimmt_relabelled),
    "niuniu": Held(niuniu_adds_up, niuniu_relabelled),
    # Where a shuffle put a card is forgotten, and so is which of a war's face-down cards came from which pile.
    "war": Held(war_keeps_its_cards, war_relabelled, war_places, perfect_recall=False),  # type: ignore[arg-type]  # its own places
}

QUICK = {"nimmt:cowheadking seats=3", "niuniu:battle seats=2", "war:standard seats=2"}
SMALL = [
    "nimmt seats=2 hand=2 cards=6 rows=1 capacity=2",
    "nimmt seats=2 hand=2 cards=6 rows=2 capacity=1",
    "nimmt seats=3 hand=1 cards=6 rows=2",
    "nimmt seats=2 hand=1 cards=5 rows=1 deals=2",
    "nimmt seats=2 hand=2 rows=1 capacity=1 cards=0 target=3 deals=2",
    "nimmt seats=3 hand=1 cards=5 rows=1 deals=2 forfeits=true",
    "nimmt seats=2 hand=2 cards=6 rows=1 forfeits=true",
    "niuniu seats=2 faces=2 throws=2",
    "niuniu seats=1 faces=6",
    "war per_suit=3 suits=2 cap=8 reshuffle=2",
    "war per_suit=6 suits=1 cap=8 reshuffle=3 collect=shuffled",
    "war per_suit=2 suits=2 cap=6 collect=loser_first down=1 reshuffle=2 sudden_death=false",
    "war per_suit=2 suits=3 cap=5 collect=shuffled redeal=false down=0",
]


def check(spec: str, examples: int) -> None:
    rules = make(spec)
    laws.check(rules, examples=examples, **HELD[rules.game]._asdict())


def listed(spec: str, *, outs: bool = False) -> int:
    rules = make(spec)
    held = HELD[rules.game]
    return laws.uniformity(rules, seed=1, outs=outs, places=held.places, perfect_recall=held.perfect_recall)


@pytest.mark.sample(5)
@pytest.mark.parametrize("spec", marked(HELD, QUICK))
def test_every_game_keeps_the_laws(spec: str) -> None:
    check(spec, examples=2)  # the first is the start of the game


@pytest.mark.long
@pytest.mark.parametrize("spec", [*(spec for spec, _ in variants(HELD)), *SMALL])
def test_every_game_keeps_the_laws_in_many_plays(spec: str) -> None:
    check(spec, examples=100)


@pytest.mark.sample(5)
@pytest.mark.slow
@pytest.mark.parametrize("spec", SMALL)
def test_small_settings_keep_the_laws(spec: str) -> None:
    check(spec, examples=10)


@pytest.mark.sample(5)
@pytest.mark.slow
@pytest.mark.parametrize("spec", SMALL)
def test_in_small_settings_every_hidden_deal_is_listed_and_equally_likely(spec: str) -> None:
    assert listed(spec) > 0
    if make(spec).forfeits:
        assert listed(spec, outs=True) > 0


def test_every_game_of_ours_is_held() -> None:
    assert {game.name for game in list_games()} - {"highcard"} == HELD.keys()
