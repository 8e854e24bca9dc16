"""What is played against whom: everything that decides which matches a schedule has."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.arena.terms import Terms
from faceup.bots import thinks_by_the_clock
from faceup.core import AnyRules, Malformed, find_game, make, spec
from faceup.games.measures import Measures, counted, measures_of

Kind: TypeAlias = Literal["round-robin", "gauntlet", "ladder", "compare"]
Unit: TypeAlias = Literal["match", "deal"]

MOST_LINEUPS: Final = 100_000
"""More would make a block that nobody sees the end of."""


class Lineup(msgspec.Struct, frozen=True):
    """Who sits together.

    Attributes:
        names: player by player, as `faceup.arena.Match.lineup` has them.
        rotations: in how many rotations they play: 0 and on.
    """

    names: tuple[str, ...]
    rotations: int


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot in a contest.

    Attributes:
        name: as it stands in lineups and results; `mine@2` is the second program that was called `mine`.
        digest: of the program.
        player: the name of the player of ours that it is; empty for a program.
    """

    name: str
    digest: str
    player: str = ""


class Contest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that decides who plays whom with which cards on which terms, so that equal contests are one.

    How many blocks are played is no part of it: more blocks begin with the same matches.

    Attributes:
        kind: what kind of schedule.
        terms: what is played, and how programs are treated; the game's spec is that of a single deal if `unit` is.
        unit: what is measured: the place in a match, or the score of a deal.
        bots: who takes part. Of a gauntlet the first is the one that meets the others; of a comparison the first is
            the new one, the second the base, and others sit in the field.
        field: of a comparison, who sits in the other seats; none if the two meet each other.
        seed: 0 to 2**64 - 1; all cards and all draws for pairings follow from it.
        faceup: the version that plays.
    """

    kind: Kind
    terms: Terms
    unit: Unit
    bots: tuple[Named, ...]
    field: tuple[str, ...]
    seed: int
    faceup: str

    @property
    def rules(self) -> AnyRules:
        """The rules that are played."""
        return make(self.terms.game)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the bots."""
        return tuple(bot.name for bot in self.bots)

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return self.rules.seats

    @property
    def measures(self) -> Measures:
        """What the game counts, in its words."""
        return measures_of(find_game(self.rules.game))

    @property
    def by_the_clock(self) -> tuple[str, ...]:
        """Our own players that think until their time is up, so that no two runs of theirs are alike."""
        game = self.rules.game
        return tuple(bot.name for bot in self.bots if bot.player and thinks_by_the_clock(game, bot.player))


def contest(
    kind: Kind,
    terms: Terms,
    bots: Sequence[Named],
    *,
    seed: int,
    field: Sequence[str] = (),
    unit: Unit = "match",
) -> Contest:
    """A contest between these bots; the last one named in the field of a comparison fills what seats are left.

    Args:
        kind: what kind of schedule.
        terms: their game may be given as `faceup.core.make` reads it.
        bots: who takes part, as `Contest.bots` has them.
        seed: 0 to 2**64 - 1.
        field: of a comparison: names among `bots`.
        unit: whether whole matches are played, or single deals.

    Raises:
        Malformed: too few bots, or too many, for the kind; a field that is too large or is none of the bots; a table of
            one seat; or a seed out of range.

    >>> both = [Named("new", "1"), Named("old", "2")]
    >>> contest("compare", Terms(), both, seed=7, field=["old"]).field
    ('old', 'old', 'old')
    """
    rules = counted(terms.game, matches=unit == "match")
    if rules.seats < 2:
        raise Malformed(f"nobody plays against anybody at a table of {rules.seats}", what=rules.seats, where="seats")
    if not 0 <= seed < 2**64:
        raise Malformed(f"seed is 0 to {2**64 - 1}, not {seed}", what=seed, where="--seed")
    if len(bots) < 2:
        raise Malformed(f"a {kind} is between two bots at least, not {len(bots)}", what=len(bots), where="bots")
    names = [bot.name for bot in bots]
    if twice := [name for name in names if names.count(name) > 1]:
        raise Malformed(f"{twice[0]!r} is named twice: each bot takes part once", what=twice[0], where="bots")
    if kind == "ladder" and len(bots) < rules.seats:
        raise Malformed(
            f"a ladder for {rules.seats} seats is between {rules.seats} bots at least, not {len(bots)}: "
            "play a round-robin",
            what=len(bots),
            where="bots",
        )
    if kind == "compare" and len(bots) > 2 and not field:
        raise Malformed(f"a comparison is between two bots, not {len(bots)}", what=len(bots), where="bots")
    free = rules.seats - 1
    if len(field) > free:
        raise Malformed(
            f"{rules.seats} seats have room for {free} against the bot that is compared, not {len(field)}: "
            f"{','.join(field)}",
            what=field,
            where="--against",
        )
    if unknown := [name for name in field if name not in names]:
        raise Malformed(f"{unknown[0]!r} is none of the bots", what=unknown[0], where="--against")
    full = (*field, *[field[-1]] * (free - len(field))) if field else ()
    settled = msgspec.structs.replace(terms, game=spec(rules))
    found = Contest(kind, settled, unit, tuple(bots), full, seed, version("faceup"))
    if kind != "ladder":
        lineups(found)
    return found


@cache
def lineups(contest: Contest) -> tuple[Lineup, ...]:
    """Who sits together in each block of a contest that is no ladder, and in which rotations.

    Raises:
        Malformed: they are too many.

    >>> three = [Named("a", "1"), Named("b", "2"), Named("c", "3")]
    >>> for lineup in lineups(contest("round-robin", Terms(), three, seed=7)):
    ...     print(*lineup.names)
    a a b c
    a b b c
    a b c c
    >>> for lineup in lineups(contest("compare", Terms(), three[:2], seed=7)):
    ...     print(*lineup.names, lineup.rotations)
    a a a b 4
    a a b b 4
    a b a b 2
    a b b b 4
    >>> for lineup in lineups(contest("compare", Terms(), three, field=["c"], seed=7)):
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
    """All different sets of so many bots; if there are fewer bots than seats, all bots at every table, some twice."""
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
    """All ways to seat the two so that both are there: one lineup for those that are rotations of each other."""
    found: dict[tuple[str, ...], Lineup] = {}
    for seating in product(names, repeat=seats):
        turned = {seating[turn:] + seating[:turn] for turn in range(seats)}
        if len(set(seating)) > 1 and not turned & found.keys():
            found[seating] = _lineup(seating)
    return tuple(found.values())


def _lineup(names: tuple[str, ...]) -> Lineup:
    """The lineup in as many rotations as are different from each other."""
    seats = len(names)
    return Lineup(names, next(turn for turn in range(1, seats + 1) if names[turn:] + names[:turn] == names))


def _check_count(count: int) -> None:
    if count > MOST_LINEUPS:
        raise Malformed(
            f"there would be {count:,} different tables in each block, and at most {MOST_LINEUPS:,} are played: "
            "name fewer bots, or play a ladder",
            what=count,
            where="bots",
        )
