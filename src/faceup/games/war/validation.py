"""Validation of War positions read from text."""

from itertools import chain

from faceup.core import Malformed, plural
from faceup.games.war.cards import Card, check_cards, deck
from faceup.games.war.parameters import WarParameters
from faceup.games.war.public_knowledge import sides, view_of
from faceup.games.war.state import WarState, WarView
from faceup.games.war.transitions import REDEALS


def check_state(rules: WarParameters, state: WarState) -> None:
    """Raise `Malformed` for an impossible state, without repeating the checks of `check_view`."""
    if not any(state.cards):
        return
    check_cards(state.cards[0] + state.cards[1], deck(rules.per_suit, rules.suits), "the deck")
    for seat, members in enumerate(view_of(state, None).members):
        if not set(members) <= set(state.cards[seat]):
            raise Malformed(f"the members of seat {seat} must be among the cards on its side", where="members")


def check_view(rules: WarParameters, view: WarView) -> None:
    """Raise `Malformed` for an impossible view."""
    _check_counts(rules, view)
    _check_cards(rules, view)
    _check_table(rules, view)
    _check_due(rules, view)


def _check_counts(rules: WarParameters, view: WarView) -> None:
    if len(view.log) > view.rounds:
        raise Malformed(
            f"the log must not have more than the {plural(view.rounds, 'round')} played; got {len(view.log)}",
            where="log",
        )
    if view.redeals > min(REDEALS, view.rounds):
        raise Malformed(
            f"{plural(view.redeals, 'redeal')} in {plural(view.rounds, 'round')} are impossible",
            where="redeals",
        )
    if (view.due == "over") != (view.by != ""):
        raise Malformed("`by` must be given if and only if the game is over", where="by")
    last = rules.cap + (REDEALS + 1 if rules.sudden_death else 0)
    if view.rounds > last or (view.rounds == last and view.due != "over"):
        raise Malformed(f"a game must be over by round {last:,}; got round {view.rounds:,}", where="rounds")


def _check_cards(rules: WarParameters, view: WarView) -> None:
    expected = deck(rules.per_suit, rules.suits)
    both = sides(view)
    count = len(both[0]) + len(both[1])
    if count != (len(expected) if view.due != "deal" or view.rounds else 0):
        raise Malformed(
            f"the position must have the {plural(len(expected), 'card')} of the deck, or none before the deal; "
            f"got {count}",
            where="draw",
        )
    seen: list[Card] = [card for card in chain(*both, *view.members) if card is not None]
    if len(set(seen)) != len(seen):
        raise Malformed("a card is in two places", where="draw")
    if not {*seen, *chain(*view.log)} <= set(expected):
        raise Malformed("a card is not in the deck", where="draw")
    for seat, (side, members) in enumerate(zip(both, view.members, strict=True)):
        if len(members) > side.count(None):
            raise Malformed(f"seat {seat} has fewer hidden cards than members", where="members")
    for entry in view.log:
        if not entry or len(entry) % 2:
            raise Malformed("a round in the log must be pairs of cards", where="log")


def _check_table(rules: WarParameters, view: WarView) -> None:
    flips = len(view.turned) // 2
    for seat, side in enumerate(sides(view)):
        played = min(1 + (flips - 1) * (rules.down + 1), len(side)) if flips else 0
        if len(view.table[seat]) != played:
            raise Malformed(
                f"seat {seat} must have {plural(played, 'card')} on the table by now; got {len(view.table[seat])}",
                where="table",
            )
        up = {min(flip * (rules.down + 1), len(side) - 1) for flip in range(flips)}
        if {place for place, card in enumerate(view.table[seat]) if card in view.turned} != up:
            raise Malformed(f"the face-up cards of seat {seat} are impossible", where="table")


def _check_due(rules: WarParameters, view: WarView) -> None:
    left = [len(pile) for pile in view.draw]
    equal = bool(view.turned) and view.turned[-2] >> 2 == view.turned[-1] >> 2
    fits = {
        "deal": not any(left) and (equal or not view.rounds),
        "flip": (equal and any(left)) or (not view.turned and all(left)),
        "collect": rules.collect == "shuffled" and bool(view.turned) and not equal,
        "reshuffle": not view.turned and all(left),
        "over": (equal and not any(left)) if view.turned else any(left),
    }
    if not fits[view.due]:
        raise Malformed(f"{view.due} cannot be due with these cards on the table and in the piles", where="due")
    pairs = list(zip(view.turned[::2], view.turned[1::2], strict=True))
    if any(card0 >> 2 != card1 >> 2 for card0, card1 in pairs[:-1]):
        raise Malformed("a round continues only while the compared cards are equal", where="table")
