"""The awards of an evening, from the public events of its finished games.

A game yields facts about seats (`award_facts`), such as the heads of a row that a card just missed. The award adds them
up, takes the largest one, or counts those in a row. Only events that everyone at the
table saw are read, so no card can appear that was not shown.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from faceup.core import AnyRules, Event, Seat

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


Fact: TypeAlias = tuple[AwardKind, Seat, int]
"""A number for a seat and an award. For a streak, it is 1, or 0 at its end."""


def awards_of(played: Iterable[PlayedGame]) -> tuple[Award, ...]:
    """Return the awards of games, the oldest game first.

    People with the same number share an award, unless they are more than one of those who played the game and more
    than half of them, because then no one is special. There is none for a streak of one.
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


def _facts(game: PlayedGame) -> Iterator[Fact]:
    from faceup.server.parties.award_facts import FACTS  # noqa: PLC0415 -- imports the games

    facts = FACTS.get(game.rules.game)
    return iter(()) if facts is None else facts(game.rules, game.events)


_KINDS: Final[Mapping[str, tuple[AwardKind, ...]]] = {
    "nimmt": ("ox", "escape", "brave", "unhurt", "cool"),
    "niuniu": ("niu_niu", "throw_streak", "last_throw", "no_niu", "throws_lost"),
    "war": ("wars", "pile", "round_streak", "cards_lost"),
}
"""The awards of each game, in the order in which they are shown."""

_STREAKS: Final = frozenset[AwardKind](("unhurt", "throw_streak", "round_streak"))
_BEST: Final = frozenset[AwardKind](("escape", "brave", "pile"))
_SUMS: Final = frozenset(kind for kinds in _KINDS.values() for kind in kinds) - _STREAKS - _BEST
