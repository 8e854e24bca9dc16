"""The facts of finished games from which the awards of an evening follow. Each award has one definition here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from faceup.core import AnyRules, Event, Seat
from faceup.games.nimmt import Rules as NimmtRules
from faceup.games.nimmt.cards import Card, Row, total
from faceup.games.nimmt.events import DealOver, Opened, Placed, Revealed, Took
from faceup.games.nimmt.placing import row_for
from faceup.games.niuniu.state import DiceThrown, MatchWon, ThrowDrawn, ThrowWon
from faceup.games.war.events import Collected, Turned, Undecided, WarDeclared
from faceup.server.parties.awards import Fact

_HIGHEST: Final = 104


def _nimmt_facts(rules: AnyRules, events: Sequence[Event]) -> Iterator[Fact]:
    assert isinstance(rules, NimmtRules)  # noqa: S101 -- the rules of this game
    yield from _row_facts(rules.capacity, events)
    yield from _turn_facts(events)


def _row_facts(capacity: int, events: Iterable[Event]) -> Iterator[Fact]:
    rows = list[Row]()
    threatened = dict[Seat, int]()  # the heads of the full row to which a seat's card belonged when it was revealed
    for event in events:
        match event:
            case Opened(cards=cards):
                rows = [(card,) for card in cards]
            case Revealed(plays=plays):
                threatened = _threatened(rows, plays, capacity)
            case Placed(seat=seat, card=card, row=row):
                if seat in threatened:
                    yield "escape", seat, threatened[seat]
                if card == _HIGHEST:
                    yield "brave", seat, total(rows[row])
                rows[row] = (*rows[row], card)
            case Took(seat=seat, card=card, row=row, cards=cards):
                yield "ox", seat, total(cards)
                rows[row] = (card,)
            case _:
                pass


def _turn_facts(events: Iterable[Event]) -> Iterator[Fact]:
    unhurt, took = set[Seat](), set[Seat]()  # the seats with a card in this turn that have taken no row, and that have
    for event in events:
        match event:
            case Took(seat=seat):
                unhurt.discard(seat)
                took.add(seat)
            case Revealed() | DealOver():
                yield from (("unhurt", seat, 1) for seat in sorted(unhurt))
                yield from (("unhurt", seat, 0) for seat in sorted(took))
                if isinstance(event, DealOver):
                    yield from (("cool", seat, 1) for seat in sorted(unhurt) if took)
                    unhurt = set()
                else:
                    unhurt = {seat for seat, card in enumerate(event.plays) if card}
                took = set()
            case _:
                pass


def _threatened(rows: Sequence[Row], plays: Sequence[Card], capacity: int) -> dict[Seat, int]:
    heads = dict[Seat, int]()
    for seat, card in enumerate(plays):
        row = row_for(rows, card) if card else -1
        if row >= 0 and len(rows[row]) == capacity:
            heads[seat] = total(rows[row])
    return heads


def _niuniu_facts(rules: AnyRules, events: Sequence[Event]) -> Iterator[Fact]:
    seats, winner = range(rules.seats), None
    for event in events:
        match event:
            case DiceThrown(seat=seat, hand=hand):
                yield "niu_niu", seat, int(hand.points == 10)
                yield "no_niu", seat, int(hand.points == 0)
            case ThrowWon(seat=seat):
                winner = seat
                yield from (("throws_lost", other, 1) for other in seats if other != seat)
                yield from (("throw_streak", other, int(other == seat)) for other in seats)
            case ThrowDrawn(seats=tied):
                winner = None
                yield from (("throws_lost", other, 1) for other in seats if other not in tied)
                yield from (("throw_streak", other, 0) for other in seats)
            case MatchWon() if winner is not None:
                yield "last_throw", winner, 1
            case _:
                pass


def _war_facts(rules: AnyRules, events: Sequence[Event]) -> Iterator[Fact]:
    del rules
    added, at_war = [0, 0], False
    for event in events:
        match event:
            case Turned(added=cards):
                added = [before + now for before, now in zip(added, cards, strict=True)]
            case WarDeclared():
                at_war = True
            case Collected(seat=seat, count=count):
                loser = 1 - seat
                yield "cards_lost", loser, added[loser]
                yield "pile", seat, count
                if at_war:
                    yield "wars", seat, 1
                yield "round_streak", seat, 1
                yield "round_streak", loser, 0
                added, at_war = [0, 0], False
            case Undecided():
                yield from (("round_streak", seat, 0) for seat in (0, 1))
                added, at_war = [0, 0], False
            case _:
                pass


FACTS: Final[Mapping[str, Callable[[AnyRules, Sequence[Event]], Iterator[Fact]]]] = {
    "nimmt": _nimmt_facts,
    "niuniu": _niuniu_facts,
    "war": _war_facts,
}
