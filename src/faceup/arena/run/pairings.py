"""Contests and their pairings, which determine the matches of a schedule."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.arena.match.terms import MatchTerms
from faceup.core import AnyRules, Malformed, find_game, make, spec
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.games.measures import Measures, counted_rules, measures_of

Kind: TypeAlias = Literal["round-robin", "gauntlet", "ladder", "compare", "league"]
Unit: TypeAlias = Literal["match", "deal"]

MOST_LINEUPS: Final = 100_000
"""The most lineups in a block."""


class Lineup(msgspec.Struct, frozen=True):
    """The bots at a table.

    Attributes:
        names: the names of the bots, one for each player, as in `faceup.arena.Match.lineup`.
        rotations: the number of rotations that are played, which start with rotation 0.
    """

    names: tuple[str, ...]
    rotations: int


class ContestBot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot in a contest.

    Attributes:
        name: the bot's name in lineups and results; `mine@2` is the second program named `mine`.
        digest: digest of the program or the built-in bot.
        player: name of the built-in bot; empty for a program.
    """

    name: str
    digest: str
    player: str = ""


class Contest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A contest, which contains everything that determines the matches of a schedule. Contests are compared by value.

    The number of blocks is not included, because a longer run of a contest starts with the same matches.

    Attributes:
        kind: the kind of schedule.
        terms: the terms of the matches. If `unit` is "deal", the game consists of a single deal.
        unit: the measure, which is the place in a match or the score of a deal.
        bots: the bots. In a gauntlet, the first bot plays against all others. In a comparison, the first is the new
            bot, the second is the base, and the rest are opponents.
        field: in a comparison, the bots in the other seats; empty if the two bots play each other. In a league, the
            bots that play now; `bots` are all that have ever played.
        seed: 0 to 2**64 - 1, which determines all cards and random pairings.
        faceup: the version of faceup.
    """

    kind: Kind
    terms: MatchTerms
    unit: Unit
    bots: tuple[ContestBot, ...]
    field: tuple[str, ...]
    seed: int
    faceup: str

    @property
    def rules(self) -> AnyRules:
        """Return the rules of the matches."""
        return make(self.terms.game)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the bots."""
        return tuple(bot.name for bot in self.bots)

    @property
    def seats(self) -> int:
        """Return the number of seats at a table."""
        return self.rules.seats

    @property
    def measures(self) -> Measures:
        """Return what the game counts and what its points are called."""
        return measures_of(find_game(self.rules.game))


def contest(
    kind: Kind,
    terms: MatchTerms,
    bots: Sequence[ContestBot],
    *,
    seed: int,
    field: Sequence[str] = (),
    unit: Unit = "match",
) -> Contest:
    """Create a contest.

    Args:
        kind: the kind of schedule.
        terms: the terms of the matches. `faceup.core.make` reads their game.
        bots: the bots, as in `Contest.bots`.
        seed: 0 to 2**64 - 1.
        field: the opponents in a comparison, as names of `bots`. The last one also gets all seats that are left.
        unit: whether to play whole matches or single deals.

    Raises:
        Malformed: there are too few or too many bots for the kind, a bot is named twice, the field is too large or
            names unknown bots, the game has only one seat, or the seed is out of range.

    >>> both = [ContestBot("new", "1"), ContestBot("old", "2")]
    >>> contest("compare", MatchTerms(), both, seed=7, field=["old"]).field
    ('old', 'old', 'old')
    """
    rules = counted_rules(terms.game, matches=unit == "match")
    if rules.seats < 2:
        raise Malformed(
            f"the game of a contest must have 2 or more seats; got {rules.seats}", what=rules.seats, where="seats"
        )
    seed = whole_number("seed", seed, 0, LARGEST_WORD)
    if len(bots) < 2 and kind != "league":
        raise Malformed(f"a {kind} must have 2 or more bots; got {len(bots)}", what=len(bots), where="bots")
    names = [bot.name for bot in bots]
    if twice := [name for name in names if names.count(name) > 1]:
        raise Malformed(f"{twice[0]!r} is named twice; name each bot once", what=twice[0], where="bots")
    if kind == "ladder" and len(bots) < rules.seats:
        raise Malformed(
            f"a ladder for {rules.seats} seats must have {rules.seats} or more bots; got {len(bots)}; "
            "play a round-robin instead",
            what=len(bots),
            where="bots",
        )
    if kind == "compare" and len(bots) > 2 and not field:
        raise Malformed(f"a comparison must have 2 bots; got {len(bots)}", what=len(bots), where="bots")
    free = rules.seats - 1
    if len(field) > free and kind != "league":
        raise Malformed(
            f"the number of opponents must be at most {free} in a game with {rules.seats} seats; "
            f"got {len(field)}: {','.join(field)}",
            what=field,
            where="--against",
        )
    if unknown := [name for name in field if name not in names]:
        raise Malformed(f"{unknown[0]!r} is not one of the bots", what=unknown[0], where="--against")
    full = (*field, *[field[-1]] * (free - len(field))) if field and kind != "league" else tuple(field)
    settled = msgspec.structs.replace(terms, game=spec(rules))
    planned = Contest(kind, settled, unit, tuple(bots), full, seed, version("faceup"))
    if kind not in {"ladder", "league"}:
        lineups(planned)
    return planned


def describe_contest(contest: Contest) -> dict[str, str]:
    """Describe everything that must be equal to resume a contest. Programs are compared only by their given names."""
    names = {bot.name: bot.name if bot.player else bot.name.partition("@")[0] for bot in contest.bots}
    fields = {
        "kind": contest.kind,
        "unit": contest.unit,
        "bots": ", ".join(names.values()),
        "field": ", ".join(names[name] for name in contest.field) or "none",
        "seed": str(contest.seed),
        "faceup": contest.faceup,
    }
    return fields | {name: str(getattr(contest.terms, name)) for name in contest.terms.__struct_fields__}


@cache
def lineups(contest: Contest) -> tuple[Lineup, ...]:
    """Return the lineups of each block of a contest that is neither a ladder nor a league.

    Raises:
        Malformed: there are more than `MOST_LINEUPS` lineups.

    >>> three = [ContestBot("a", "1"), ContestBot("b", "2"), ContestBot("c", "3")]
    >>> for lineup in lineups(contest("round-robin", MatchTerms(), three, seed=7)):
    ...     print(*lineup.names)
    a a b c
    a b b c
    a b c c
    >>> for lineup in lineups(contest("compare", MatchTerms(), three[:2], seed=7)):
    ...     print(*lineup.names, lineup.rotations)
    a a a b 4
    a a b b 4
    a b a b 2
    a b b b 4
    >>> for lineup in lineups(contest("compare", MatchTerms(), three, field=["c"], seed=7)):
    ...     print(*lineup.names)
    a c c c
    b c c c
    """
    names, seats = contest.names, contest.seats
    if contest.kind == "compare":
        if contest.field:
            return tuple(Lineup((name, *contest.field), seats) for name in names[:2])
        _check_count(2**seats)
        return _seatings(names, seats)
    if contest.kind == "gauntlet":
        first, *others = names
        return tuple(_lineup((first, *table)) for table in _tables(others, seats - 1))
    return tuple(_lineup(table) for table in _tables(names, seats))


def _tables(names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """Return all tables of different bots. With fewer bots than seats, return all tables that contain every bot."""
    if len(names) >= seats:
        _check_count(comb(len(names), seats))
        return list(combinations(names, seats))
    _check_count(comb(seats - 1, len(names) - 1))
    order = {name: place for place, name in enumerate(names)}
    return [
        tuple(sorted((*names, *more), key=order.__getitem__))
        for more in combinations_with_replacement(names, seats - len(names))
    ]


def _seatings(names: Sequence[str], seats: int) -> tuple[Lineup, ...]:
    """Return all seatings in which both of these two bots play. Rotations of the same seating share a lineup."""
    seatings: dict[tuple[str, ...], Lineup] = {}
    for seating in product(names, repeat=seats):
        # A lineup plays all its rotations, so a rotation of a seating that is in the list would count twice.
        turned = {seating[turn:] + seating[:turn] for turn in range(seats)}
        if len(set(seating)) > 1 and not turned & seatings.keys():
            seatings[seating] = _lineup(seating)
    return tuple(seatings.values())


def _lineup(names: tuple[str, ...]) -> Lineup:
    """Return the lineup of these bots with the number of its different rotations."""
    seats = len(names)
    return Lineup(names, next(turn for turn in range(1, seats + 1) if names[turn:] + names[:turn] == names))


def _check_count(count: int) -> None:
    if count > MOST_LINEUPS:
        raise Malformed(
            f"each block would have {count:,} different tables, but the limit is {MOST_LINEUPS:,}; "
            "name fewer bots, or play a ladder",
            what=count,
            where="bots",
        )
