"""Playing the games of a contest: the arena's referees play them, and they are handed over in order."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.log import unpack
from faceup.arena.matches import Match
from faceup.arena.matches import Result as Played
from faceup.arena.protocols import ANY_GAME
from faceup.arena.referee import Referee
from faceup.arena.terms import Terms
from faceup.arena.workers import Table, Workers
from faceup.compare.contest import Contest, Game
from faceup.core import spec


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended.

    Attributes:
        deal, lineup, rotation: which game, as in `Game`.
        scores: the game's own points, by player of the lineup, not by seat.
        places: likewise; equal players share a place.
    """

    deal: int
    lineup: int
    rotation: int
    scores: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def game(self) -> Game:
        """Which game it was."""
        return Game(self.deal, self.lineup, self.rotation)


def play(contest: Contest, games: Iterable[Game], jobs: int = 1) -> Iterator[Result]:
    """Play the games and give their results in the same order; what they are does not depend on `jobs`.

    Bots that think until the clock says stop are the exception: no two runs of theirs are alike. A deal is a block of
    the arena's: chance follows from it alone, and each player draws from a source of its own.

    Args:
        contest: whose games they are.
        games: which, in any order.
        jobs: how many processes, each on one thread; 1 plays in this one.

    Raises:
        Malformed: no jobs, or too many.
    """
    names = {name for lineup in contest.lineups for name in lineup}
    bots = {name: Bot(name, player=name) for name in sorted(names)}
    table = Table(Terms(game=spec(contest.rules), protocol=ANY_GAME), bots, contest.seed)
    matches = (
        (game, Match(number, game.deal, contest.lineups[game.lineup], game.rotation))
        for number, game in enumerate(games)
    )
    return _here(table, matches) if jobs == 1 else _in_processes(table, matches, jobs)


def _here(table: Table, matches: Iterable[tuple[Game, Match]]) -> Iterator[Result]:
    with Referee(table.terms, table.bots) as referee:
        for game, match in matches:
            played, _ = referee.play(match, table.seed)
            yield _result(game, played)


def _in_processes(table: Table, matches: Iterator[tuple[Game, Match]], jobs: int) -> Iterator[Result]:
    under_way: deque[tuple[Game, Match]] = deque()
    found: dict[int, Played] = {}
    with Workers(table, jobs) as workers:
        while True:
            more = list(islice(matches, workers.room - len(under_way)))
            under_way += more
            workers.submit([match for _, match in more])
            if not under_way:
                return
            for played in workers.wait():
                found[played.number] = unpack(played)
            while under_way and under_way[0][1].number in found:
                game, match = under_way.popleft()
                yield _result(game, found.pop(match.number))


def _result(game: Game, played: Played) -> Result:
    return Result(*game, played.scores, played.places)
