"""The awards of an evening, from the public events of its finished games.

Each award has one definition, in `_FACTS`: a game yields facts about seats, such as the heads of a row that a card just
missed, and the award adds them up, takes the largest one, or counts those in a row. Only events that everyone at the
table saw are read, so no card can appear that was not shown.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from faceup.core import AnyRules, Event, Seat
from faceup.games.nimmt import Rules as NimmtRules
from faceup.games.nimmt.cards import Card, Row, total
from faceup.games.nimmt.events import DealOver, Opened, Placed, Revealed, Took
from faceup.games.nimmt.placing import row_for
from faceup.games.niuniu.state import DiceThrown, MatchWon, ThrowDrawn, ThrowWon
from faceup.games.war.events import Collected, Turned, Undecided, WarDeclared

AwardKind: TypeAlias = Literal[
    "ox",
    "escape",
    "brave",
    "unhurt",
    "cool",
    "niu_niu",
    "throw_streak",
    "last_throw",
    "no_niu",
    "throws_lost",
    "wars",
    "pile",
    "round_streak",
    "cards_lost",
]

_HIGHEST: Final = 104


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """An award of an evening.

    Attributes:
        kind: its kind.
        who: the handles of the people who get it; several share it.
        value: how many heads, turns, throws, wars or cards it is for.
        table: the table of the game in which it happened; null if it is for several games.
    """

    kind: AwardKind
    who: tuple[str, ...]
    value: int
    table: str | None = None


class PlayedGame(NamedTuple):
    """A finished game.

    Attributes:
        table: the id of its table.
        rules: its rules.
        who: for each seat, the handle of its person; None for a bot.
        events: all public events, in order.
    """

    table: str
    rules: AnyRules
    who: tuple[str | None, ...]
    events: Sequence[Event]


_Fact: TypeAlias = tuple[AwardKind, Seat, int]
"""A number for a seat and an award. For a streak, it is 1, or 0 at its end."""


def awards_of(played: Iterable[PlayedGame]) -> tuple[Award, ...]:
    """Return the awards of games, the oldest game first.

    People with the same number share an award, unless they are more than one of those who played the game and more
    than half of them, because then no one stands out. There is none for a streak of one.
    """
    people = defaultdict[str, set[str]](set)  # by game
    numbers = defaultdict[AwardKind, dict[str, int]](dict)
    tables = dict[tuple[AwardKind, str], str]()
    running = defaultdict[tuple[AwardKind, str], int](int)
    for game in played:
        people[game.rules.game].update(handle for handle in game.who if handle is not None)
        for kind, seat, number in _facts(game):
            if (handle := game.who[seat]) is None:
                continue
            before = numbers[kind].get(handle, 0)
            if kind in _SUMS:
                numbers[kind][handle] = before + number
            elif kind in _STREAKS:
                running[kind, handle] = (running[kind, handle] + 1) * number
                numbers[kind][handle] = max(before, running[kind, handle])
            elif number > before:
                numbers[kind][handle], tables[kind, handle] = number, game.table
    awards = []
    for game_name, kinds in _KINDS.items():
        for kind in kinds:
            most = max(numbers[kind].values(), default=0)
            who = tuple(handle for handle, number in numbers[kind].items() if number == most)
            if most > (kind in _STREAKS) and 2 * len(who) <= len(people[game_name]):
                table = tables.get((kind, who[0])) if len(who) == 1 else None
                awards.append(Award(kind=kind, who=who, value=most, table=table))
    return tuple(awards)


def _facts(game: PlayedGame) -> Iterator[_Fact]:
    facts = _FACTS.get(game.rules.game)
    return iter(()) if facts is None else facts(game.rules, game.events)


def _nimmt_facts(rules: AnyRules, events: Sequence[Event]) -> Iterator[_Fact]:
    assert isinstance(rules, NimmtRules)  # noqa: S101 -- the rules of this game
    yield from _row_facts(rules.capacity, events)
    yield from _turn_facts(events)


def _row_facts(capacity: int, events: Iterable[Event]) -> Iterator[_Fact]:
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


def _turn_facts(events: Iterable[Event]) -> Iterator[_Fact]:
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


def _niuniu_facts(rules: AnyRules, events: Sequence[Event]) -> Iterator[_Fact]:
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


def _war_facts(rules: AnyRules, events: Sequence[Event]) -> Iterator[_Fact]:
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


_FACTS: Final[Mapping[str, Callable[[AnyRules, Sequence[Event]], Iterator[_Fact]]]] = {
    "nimmt": _nimmt_facts,
    "niuniu": _niuniu_facts,
    "war": _war_facts,
}

_KINDS: Final[Mapping[str, tuple[AwardKind, ...]]] = {
    "nimmt": ("ox", "escape", "brave", "unhurt", "cool"),
    "niuniu": ("niu_niu", "throw_streak", "last_throw", "no_niu", "throws_lost"),
    "war": ("wars", "pile", "round_streak", "cards_lost"),
}
"""The awards of each game, in the order in which they are shown."""

_STREAKS: Final = frozenset[AwardKind](("unhurt", "throw_streak", "round_streak"))
_BEST: Final = frozenset[AwardKind](("escape", "brave", "pile"))
_SUMS: Final = frozenset(kind for kinds in _KINDS.values() for kind in kinds) - _STREAKS - _BEST
