"""Search for any game that can try out its options: flat Monte Carlo over sampled worlds.

A world is what the seat has not seen, drawn anew from what its view allows. Every option is played to the end in the
same worlds, and the mean decides. Between options that are still in question the work is shared by sequential halving:
in each of a few rounds, all that are left are tried equally often, and then the worse half is dropped.

Source: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013), for the halving; Ginsberg,
"GIB: imperfect information in a computationally challenging game" (2001), for playing sampled worlds.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any, Final, Protocol, cast

import msgspec

from faceup.core import Action, AnyRules, Malformed, find_game
from faceup.core.registry import nearest
from faceup.core.values import View
from faceup.games.batches import find_batch

BLOCK: Final = 256
"""Worlds tried between two looks at the clock, for each option."""

MOST_BELIEVED: Final = 4096
"""The most worlds that are weighed by what was played."""

BELIEVING: Final = 0.3
"""The part of the time that may go into weighing them."""


class Estimate(msgspec.Struct, frozen=True):
    """An estimate and its standard error."""

    value: float
    error: float


class Option(msgspec.Struct, frozen=True):
    """What one action was found to be worth.

    Attributes:
        action: the action.
        worlds: in how many sampled worlds it was tried.
        heads: the seat's own points still to come, in 6 nimmt! its heads until the deal is over.
        relative: the same, less the mean of the other seats'.
        win: the chance of winning; a win shared by k counts 1/k. The points of the match so far are counted.
        behind: how much worse than the first option it is, by the objective, over the worlds in which both were tried.
        risk: the share of worlds in which the seat gets points in this very turn.
        spread: in how many worlds there were 0, 1, 2 ... points to come, up to the most that there were.
    """

    action: Action
    worlds: int
    heads: Estimate
    relative: Estimate
    win: Estimate
    behind: Estimate
    risk: float
    spread: tuple[int, ...]


class Judgement(msgspec.Struct, frozen=True):
    """All options of a decision, the best first.

    Attributes:
        options: every legal action.
        objective: what they are compared by: "heads", "relative" or "win"; for "win late" one of the last two.
        seconds: how long it took.
    """

    options: tuple[Option, ...]
    objective: str
    seconds: float


class Trials(Protocol):
    """What a game's batch engine offers, as `trials(rules, view, model=..., objective=..., seed=..., recognise=...)`.

    `faceup.games.nimmt.batch.trials` is one. Arrays have an element for each option.

    Attributes:
        options: the legal actions.
        objective: by what they are compared: "heads", "relative" or "win", whatever was asked for.
    """

    options: tuple[Action, ...]
    objective: str

    @property
    def worlds(self) -> Any:  # noqa: ANN401 -- numpy's arrays are not imported here
        """In how many worlds each was tried."""

    def believe(self, worlds: int) -> int:
        """Weigh so many more worlds by what was seen so far: how many now are; 0 where nothing can be learnt."""

    def run(self, options: Sequence[int], worlds: int) -> None:
        """Try these options, by number, in so many more worlds."""

    def means(self, measure: str) -> tuple[Any, Any]:
        """Means and standard errors."""

    def behind(self, best: int) -> tuple[Any, Any]:
        """Means and standard errors of what each is worse than the best."""

    def risk(self) -> Any:  # noqa: ANN401 -- as above
        """The risk of each."""

    def spread(self) -> Any:  # noqa: ANN401 -- as above
        """Worlds by points."""


def searches(game: str) -> dict[str, str]:
    """The searching players of a game, and how each takes the others to play.

    Raises:
        Malformed: no such game, with the nearest name.

    >>> "mc" in searches("nimmt"), searches("war")
    (True, {})
    """
    return cast("dict[str, str]", find_game(game).formats.get("searches", {}))


def judge(
    rules: AnyRules,
    view: View,
    *,
    player: str = "mc",
    worlds: int | None = None,
    seconds: float | None = None,
    seed: int,
    objective: str = "relative",
    every: bool = False,
    recognise: bool = True,
) -> Judgement:
    """Try out the options of the decision that this view is of.

    Args:
        rules: of a game that can be searched.
        view: of a seat that is to act.
        player: one of `searches(game)`.
        worlds: as much work as trying each option in so many worlds; the result then follows from the seed alone.
        seconds: or until so much time is up, from this call on. The first look at the clock comes after `BLOCK` worlds.
        seed: 0 to 2**64 - 1.
        objective: "heads", "relative", "win" or "win late": "relative" at first, and "win" when the match is about to
            end.
        every: try all options equally often; else more often those that are still in question.
        recognise: take others who have played simply, as `greedy` does, to go on like that; else all the same.

    Raises:
        Malformed: nobody decides in this view, the game has no search, or an argument is out of range.

    >>> from faceup.core import make
    >>> rules = make("nimmt:cowheadking seats=2 hand=2")
    >>> view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> [rules.describe(option.action) for option in judge(rules, view, worlds=100, seed=1).options]
    ['play 46', 'play 6']
    """
    start = perf_counter()
    trials = _trials(rules, view, player, objective, seed, recognise=recognise)
    if (worlds is None) == (seconds is None):
        raise Malformed("a search has either a number of worlds or a time", what=worlds, where="worlds")
    if worlds is not None and not 1 <= worlds <= 2**31:
        raise Malformed(f"worlds are 1 to 2**31, not {worlds}", what=worlds, where="worlds")
    if seconds is not None and not 0 < seconds <= 86_400:
        raise Malformed(f"seconds are more than 0, and at most a day, not {seconds}", what=seconds, where="seconds")
    left = list(range(len(trials.options)))
    rounds = 1 if every else max(1, (len(left) - 1).bit_length())
    _believe(trials, worlds, start, seconds)
    for number in range(1, rounds + 1):
        if seconds is None:
            trials.run(left, max(1, (worlds or 0) * len(trials.options) // (rounds * len(left))))
        else:
            _run_until(trials, left, start + seconds * number / rounds)
        left = sorted(_ranked(trials)[: (len(left) + 1) // 2])
    return _judgement(trials, perf_counter() - start)


def _believe(trials: Trials, worlds: int | None, start: float, seconds: float | None) -> None:
    """Learn which worlds are likely, as far as the game can: at most for a part of the time."""
    if seconds is None:
        trials.believe(min(MOST_BELIEVED, max(BLOCK, 4 * (worlds or 0))))
        return
    while 0 < trials.believe(BLOCK) < MOST_BELIEVED and perf_counter() < start + BELIEVING * seconds:
        pass


def _run_until(trials: Trials, options: Sequence[int], end: float) -> None:
    """Try the options, a block of worlds at a time, as long as another block is likely to be done before the end."""
    now = perf_counter()
    slowest = 0.0
    while now + slowest < end or not trials.worlds[options[0]]:
        trials.run(options, BLOCK)
        before, now = now, perf_counter()
        slowest = max(slowest, now - before)


def _ranked(trials: Trials) -> list[int]:
    """The options by number, the best first: those that were tried longest, and among them the least mean.

    Where options win equally often, as they do when nothing can change who wins, it is the least difference.
    """
    worlds, means, options = trials.worlds, trials.means(trials.objective)[0], range(len(trials.options))
    if trials.objective == "win":
        relative = trials.means("relative")[0]
        return sorted(options, key=lambda option: (-worlds[option], -means[option], relative[option]))
    return sorted(options, key=lambda option: (-worlds[option], means[option]))


def _trials(rules: AnyRules, view: View, player: str, objective: str, seed: int, *, recognise: bool) -> Trials:
    game = find_game(rules.game)
    known = searches(rules.game)
    if not known:
        raise Malformed(f"{game.title} has no search: there is nothing to find out", what=player, where="player")
    if player not in known:
        raise Malformed(f"no search is called {player!r}{nearest(player, [*known])}", what=player, where="player")
    if not 0 <= seed < 2**64:
        raise Malformed(f"a seed is 0 to 2**64 - 1, not {seed}", what=seed, where="seed")
    trials: Trials = find_batch(game).Trials(
        rules, view, model=known[player], objective=objective, seed=seed, recognise=recognise
    )
    return trials


def _judgement(trials: Trials, seconds: float) -> Judgement:
    ranked = _ranked(trials)
    heads, relative, win = (_means(*trials.means(measure)) for measure in ("heads", "relative", "win"))
    behind, risk, worlds = _means(*trials.behind(ranked[0])), trials.risk().tolist(), trials.worlds.tolist()
    return Judgement(
        tuple(
            Option(
                trials.options[option],
                worlds[option],
                heads[option],
                relative[option],
                win[option],
                behind[option],
                risk[option],
                _spread(trials.spread()[option].tolist()),
            )
            for option in ranked
        ),
        trials.objective,
        seconds,
    )


def _means(values: Any, errors: Any) -> list[Estimate]:  # noqa: ANN401 -- numpy's arrays are not imported here
    return [Estimate(value, error) for value, error in zip(values.tolist(), errors.tolist(), strict=True)]


def _spread(counts: list[int]) -> tuple[int, ...]:
    while counts and not counts[-1]:
        counts.pop()
    return tuple(counts)
