"""What a comparison is: who plays whom, and which game follows which."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

import msgspec

from faceup.bots import is_pure_chance, policy, thinks_by_the_clock
from faceup.core import AnyRules, Malformed, find_game, spec
from faceup.games.measures import Measures, counted, measures_of


class Contest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that decides who gets which cards, so that equal contests play the same games.

    Attributes:
        game: game, variant and options, as `faceup.core.make` reads them.
        lineups: the names of the bots at each kind of table, as many as seats; the first is the one that is compared,
            the others are the field that it plays against.
        seed: 0 to 2**64 - 1.
        matches: whether whole matches are played; else one deal each.
    """

    game: str
    lineups: tuple[tuple[str, ...], ...]
    seed: int
    matches: bool

    @property
    def rules(self) -> AnyRules:
        """The rules that are played: of a single deal unless whole matches are."""
        return counted(self.game, matches=self.matches)

    @property
    def measures(self) -> Measures:
        """What the game counts."""
        return measures_of(find_game(self.game.partition(":")[0]))

    @property
    def seats(self) -> int:
        """How many sit at a table; a deal is played in as many rotations."""
        return len(self.lineups[0])

    @property
    def by_the_clock(self) -> tuple[str, ...]:
        """The bots that think until their time is up: with one of them, no run gives the figures of another."""
        name = self.game.partition(":")[0]
        bots = dict.fromkeys(bot for lineup in self.lineups for bot in lineup)
        return tuple(bot for bot in bots if thinks_by_the_clock(name, bot))

    @property
    def games_a_deal(self) -> int:
        """How many games each deal is played in: every lineup in every rotation."""
        return len(self.lineups) * self.seats


class Game(NamedTuple):
    """One game of a contest.

    Attributes:
        deal: which cards, from 0.
        lineup: who plays, from 0.
        rotation: how far the lineup has moved round: its player i sits in seat (i + rotation) % seats.
    """

    deal: int
    lineup: int
    rotation: int


def contest(
    rules: AnyRules, bots: Sequence[str], fields: Sequence[Sequence[str]], *, seed: int, matches: bool = False
) -> Contest:
    """A contest of each bot against each field; the last bot named in a field fills what seats are left.

    Raises:
        Malformed: a game in which there is nothing to decide, no bots, no fields, one too large, a bot that there is
            not (with the nearest), or a seed out of range.

    >>> from faceup.core import make
    >>> contest(make("nimmt seats=3"), ["greedy"], [["random"]], seed=7).lineups
    (('greedy', 'random', 'random'),)
    """
    title = find_game(rules.game).title
    if is_pure_chance(rules.game):
        raise Malformed(
            f"{title} asks nobody to decide anything: every bot plays it alike, so there is nothing to compare",
            what=rules.game,
            where="game",
        )
    if rules.seats < 2:
        raise Malformed(f"nobody plays against anybody at a table of {rules.seats}", what=rules.seats, where="seats")
    if not bots or not fields or not all(fields):
        raise Malformed("name a bot, and at least one that it plays against: --against greedy", where="--against")
    if not 0 <= seed < 2**64:
        raise Malformed(f"seed is 0 to {2**64 - 1}, not {seed}", what=seed, where="seed")
    free = rules.seats - 1
    for field in fields:
        if len(field) > free:
            raise Malformed(
                f"{rules.seats} seats have room for {free} against the bot that is compared, not {len(field)}: "
                f"{','.join(field)}",
                what=field,
                where="--against",
            )
    for name in (*bots, *(name for field in fields for name in field)):
        policy(rules.game, name)
    full = [(*field, *[field[-1]] * (free - len(field))) for field in fields]
    lineups = tuple(dict.fromkeys((bot, *field) for field in full for bot in bots))
    return Contest(spec(rules), lineups, seed, matches)


def schedule(contest: Contest, deals: int | None = None) -> Iterator[Game]:
    """The games in order: deal after deal, each played by all lineups in all rotations; without end if `deals` is None.

    A comparison that was stopped has therefore played its first deals wholly, and one of more deals begins with the
    games of one of fewer.
    """
    for deal in count() if deals is None else range(deals):
        for lineup in range(len(contest.lineups)):
            for rotation in range(contest.seats):
                yield Game(deal, lineup, rotation)
