"""Public knowledge of a game of War, and the states that are consistent with it.

Both seats have the same knowledge, because no one sees a draw pile or a face-down card, not even its owner. A card's
place is known if the card was face up when it went there. A card is a *member* of a pile if it was face up when it went
into the pile, and the pile has been shuffled since. A shuffle makes all places unknown. A member is forgotten when it
may have left the pile face down. The view draws no further conclusions from the log.
"""

from collections.abc import Iterable
from typing import TypeAlias

from faceup.core import Generator, Seat
from faceup.games.shuffle import apply_shuffle
from faceup.games.war.cards import Card, Pile, deck
from faceup.games.war.parameters import WarParameters
from faceup.games.war.state import TO_ACT, WarState, WarView

Side: TypeAlias = tuple[Card | None, ...]
"""A seat's played cards followed by its draw pile; None for unknown cards."""


def view_of(state: WarState, seat: Seat | None) -> WarView:
    """Return the public knowledge of the state, and the seat's legal actions."""
    shown = [
        tuple(card if known_bits >> place & 1 else None for place, card in enumerate(cards))
        for cards, known_bits in zip(state.cards, state.known, strict=True)
    ]
    played0, played1 = state.played
    return WarView(
        seat=seat,
        to_act=TO_ACT[state.due],
        legal=(0,) if seat in TO_ACT[state.due] else (),
        due=state.due,
        draw=(shown[0][played0:], shown[1][played1:]),
        table=(shown[0][:played0], shown[1][:played1]),
        turned=state.turned,
        members=(_cards_of(state.members[0]), _cards_of(state.members[1])),
        rounds=state.rounds,
        wars=state.wars,
        redeals=state.redeals,
        by=state.by,
        log=state.log,
    )


def state_of(view: WarView, cards: tuple[Pile, Pile]) -> WarState:
    """Return the state with this public knowledge; the inverse of `view_of`.

    Args:
        view: the public knowledge.
        cards: all cards of each side, the played cards first.
    """
    known_cards = [_set_of(p for p, card in enumerate(side) if card is not None) for side in sides(view)]
    return WarState(
        due=view.due,
        cards=cards,
        played=(len(view.table[0]), len(view.table[1])),
        turned=view.turned,
        known=(known_cards[0], known_cards[1]),
        members=(_set_of(view.members[0]), _set_of(view.members[1])),
        rounds=view.rounds,
        wars=view.wars,
        redeals=view.redeals,
        by=view.by,
        log=view.log,
    )


def sides(view: WarView) -> tuple[Side, Side]:
    """Return each seat's played cards followed by its draw pile."""
    return view.table[0] + view.draw[0], view.table[1] + view.draw[1]


def guess(rules: WarParameters, view: WarView, rng: Generator) -> WarState:
    """Return one of the states that the view allows, all equally likely.

    Every member goes to an unknown place of its side. Then the cards not seen since the deal, which may be on either
    side, are shuffled over the remaining places. Each state results from exactly one sequence of random choices.
    """
    filled = [list(side) for side in sides(view)]
    seen = {*filled[0], *filled[1], *view.members[0], *view.members[1]}
    left: list[tuple[Seat, int]] = []
    for seat, side in enumerate(filled):
        hidden = [place for place, card in enumerate(side) if card is None]
        for member in view.members[seat]:
            side[hidden.pop(rng.below(len(hidden)))] = member
        left += [(seat, place) for place in hidden]
    unseen = [card for card in deck(rules.per_suit, rules.suits) if card not in seen] if left else []
    order = apply_shuffle(unseen, [rng.below(len(unseen) - place) for place in range(len(unseen) - 1)])
    for (seat, place), card in zip(left, order, strict=True):
        filled[seat][place] = card
    side0, side1 = (tuple(card for card in side if card is not None) for side in filled)
    return state_of(view, (side0, side1))


def _set_of(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)


def _cards_of(set_: int) -> Pile:
    return tuple(card for card in range(set_.bit_length()) if set_ >> card & 1)
