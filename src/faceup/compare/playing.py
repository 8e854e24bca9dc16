"""Playing the games of a contest, one by one or in several processes, always handed over in order."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import active_children, get_context
from typing import Final

import msgspec

from faceup.bots import policy
from faceup.compare.contest import Contest, Game
from faceup.core import CHANCE, Malformed, Policy, Seeded, State, draw
from faceup.core.generator import mix

_AHEAD: Final = 8
"""Games for each process that may be under way or wait for an earlier one: enough that none is idle."""


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

    Bots that think until the clock says stop are the exception: no two runs of theirs are alike.

    Args:
        contest: whose games they are.
        games: which, in any order.
        jobs: how many processes, each on one thread; 1 plays in this one.

    Raises:
        Malformed: no jobs, or too many.
    """
    if not 1 <= jobs <= 1024:
        raise Malformed(f"jobs is 1 to 1024, not {jobs}", what=jobs, where="jobs")
    _get_ready(contest)
    return (play_game(contest, game) for game in games) if jobs == 1 else _in_processes(contest, games, jobs)


def play_game(contest: Contest, game: Game) -> Result:
    """Play one game to its end.

    Chance is drawn from the deal alone, so that all lineups and rotations get the same cards. Each player draws from a
    source of its own, so that none is disturbed by how much another draws.
    """
    rules, names = contest.rules, contest.lineups[game.lineup]
    seats = len(names)
    seat_of = [(player + game.rotation) % seats for player in range(seats)]
    players: list[Policy] = [policy(rules.game, names[(seat - game.rotation) % seats]) for seat in range(seats)]
    chance = Seeded(contest.seed, game.deal)
    own = [_stream(contest, game, (seat - game.rotation) % seats) for seat in range(seats)]
    state: State = rules.start()
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, chance)).state
        else:
            move = {seat: players[seat](rules, rules.view(state, seat), own[seat]) for seat in to_act}
            state = rules.apply(state, move).state
    scores, ranks = rules.scores(state), rules.ranks(state)
    return Result(*game, tuple(scores[seat] for seat in seat_of), tuple(ranks[seat] for seat in seat_of))


def _stream(contest: Contest, game: Game, player: int) -> Seeded:
    return Seeded(mix(contest.seed ^ mix(player + 1)), game.deal * contest.seats + game.rotation)


def _get_ready(contest: Contest) -> None:
    """Let every bot decide once, so that what it loads or compiles does not count as thinking."""
    rules = contest.rules
    state: State = rules.start()
    rng = Seeded(0)
    while rules.to_act(state) == (CHANCE,):
        state = rules.apply(state, draw(rules, state, rng)).state
    for seat in rules.to_act(state)[:1]:
        for name in sorted({name for lineup in contest.lineups for name in lineup}):
            policy(rules.game, name)(rules, rules.view(state, seat), rng)


def _in_processes(contest: Contest, games: Iterable[Game], jobs: int) -> Iterator[Result]:
    context = get_context("spawn")  # a process forked beside other threads can hang
    with ProcessPoolExecutor(jobs, context, _begin, (contest,)) as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for game in games:
                waiting.append(pool.submit(play_game, contest, game))
                if len(waiting) == _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BaseException:  # a game may take a minute: whoever stops does not wait for those under way
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


def _begin(contest: Contest) -> None:
    """Get a process ready. Ctrl-C is for the one that counts; those that play are stopped by it."""
    import signal  # noqa: PLC0415 -- what processes of their own import

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _get_ready(contest)
