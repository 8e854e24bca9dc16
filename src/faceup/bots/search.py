"""Flat Monte Carlo search over sampled worlds, for any game with rollouts.

A world is a sample of the hidden information that is consistent with the seat's view (a determinization). Every option
is played to the end in the same worlds, and the option with the best mean wins. Sequential halving divides the work:
in each of a few rounds, all remaining options are tried equally often, and then the worse half is dropped.

Sources: the halving is from Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013).
Playing sampled worlds is from Ginsberg, "GIB: imperfect information in a computationally challenging game" (2001).
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from time import perf_counter
from typing import Any, Final, Protocol, cast

import msgspec

from faceup.core import Action, AnyRules, Game, Malformed, find_game
from faceup.core.arguments import check_rules, check_text, check_type, real_number
from faceup.core.registry import nearest
from faceup.core.values import View
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.extras import is_installed
from faceup.games.batch_engines import load_batch_engine

MAX_BELIEF_WORLDS: Final = 4096
"""The greatest number of worlds that are weighted by the actions observed so far."""

BELIEF_TIME_SHARE: Final = 0.3
"""The greatest fraction of a search's time that may be spent on weighting worlds."""


class Estimate(msgspec.Struct, frozen=True):
    """An estimate and its standard error."""

    value: float
    error: float


class Option(msgspec.Struct, frozen=True):
    """The evaluation of one action.

    Attributes:
        action: the action.
        worlds: the number of sampled worlds in which it was tried.
        heads: the expected number of points that the seat will still get; in 6 nimmt!, its heads until the end of the
            deal.
        relative: `heads` minus the mean of the other seats' expected points.
        win: the probability of winning the match, given its scores so far. A win shared by k seats counts 1/k.
        behind: how much worse this option is than the best option, measured by the objective over the worlds in which
            both options were tried.
        risk: the fraction of worlds in which the seat takes points this turn.
        spread: the number of worlds in which the seat will still get 0, 1, 2 ... points.
        models: `behind` in each of the models of the other seats that the search combines; the first is the mean over
            worlds.
        results: what happened to the own cards in these worlds, as the game defines it, if the search explains options.
    """

    action: Action
    worlds: int
    heads: Estimate
    relative: Estimate
    win: Estimate
    behind: Estimate
    risk: float
    spread: tuple[int, ...]
    models: tuple[Estimate, ...] = ()
    results: tuple[Any, ...] = ()  # Any: each game has its own


class Evaluation(msgspec.Struct, frozen=True):
    """The evaluation of all options of a decision.

    Attributes:
        options: the evaluation of every legal action, the best action first.
        objective: the measure by which the options are compared: "heads", "relative" or "win".
        seconds: the duration of the search.
        strategy: the probability with which to choose each option, in the order of `options`, so that an opponent
            cannot exploit the choice; None if the best option should be chosen.
    """

    options: tuple[Option, ...]
    objective: str
    seconds: float
    strategy: tuple[float, ...] | None = None


class SearchTrials(Protocol):
    """The interface of the rollouts of a search.

    The arguments are `SearchTrials(rules, view, model, objective, seed, use_beliefs, explain)`.

    `faceup.games.nimmt.batch.search` and `faceup.games.nimmt.python_search` implement it. Arrays, which may be lists,
    have one element for each option.

    Attributes:
        options: the legal actions.
        objective: the measure by which the options are compared: "heads", "relative" or "win". For "win late", this is
            "relative" or "win", depending on the match.
        block: the number of worlds to try for each option between two reads of the clock.
    """

    block: int
    options: tuple[Action, ...]
    objective: str

    @property
    def worlds(self) -> Any:  # noqa: ANN401 -- numpy's arrays are not imported here
        """The number of worlds in which each option was tried."""

    def update_beliefs(self, worlds: int) -> int:
        """Weight further worlds by the observed actions. Return the number of weighted worlds so far.

        Return 0 if the observed actions contain no information about the hidden cards.
        """

    def strategy(self) -> tuple[float, ...] | None:
        """Return the probability with which to choose each option, or None to choose the best one."""

    def run(self, options: Sequence[int], worlds: int) -> None:
        """Try the options with these numbers in further worlds."""

    def means(self, measure: str) -> tuple[Any, Any]:
        """Return the means of a measure and their standard errors."""

    def behind(self, best: int) -> tuple[Any, Any]:
        """Return the mean differences to the best option and their standard errors."""

    def behind_in_models(self, best: int) -> Sequence[tuple[Any, Any]]:
        """Return the same for each model of the other seats; the first is the mean over worlds."""

    def risk(self) -> Any:  # noqa: ANN401 -- as above
        """Return the risk of each option."""

    def spread(self) -> Any:  # noqa: ANN401 -- as above
        """Return, for each option, the number of worlds in which the seat will still get 0, 1, 2 ... points."""

    def results(self, option: int) -> Sequence[Any]:
        """Return what happened to each own card with this option; empty unless the trials explain their options."""


def searches(game: str) -> dict[str, str]:
    """Return the searches of a game by name, with the opponent model of each.

    Raises:
        Malformed: the game is unknown.

    >>> "mc" in searches("nimmt"), searches("war")
    (True, {})
    """
    return cast("dict[str, str]", find_game(game).formats.get("searches", {}))


def is_searchable(game: str, player: str) -> bool:
    """Return whether this installation can run the search `player` of a game.

    Without the extra `fast`, only searches with a form in plain Python can run.

    >>> is_searchable("nimmt", "mc")
    True
    """
    check_text("player", player, "mc")
    return is_installed("fast") or searches(game)[player] in _python_searches(game)


def _python_searches(game: str) -> Mapping[str, str]:
    """Return the classes of a game's searches in plain Python, as module:name, by opponent model."""
    return cast("Mapping[str, str]", find_game(game).formats.get("python_searches", {}))


def evaluate(
    rules: AnyRules,
    view: View,
    *,
    player: str = "mc",
    worlds: int | None = None,
    seconds: float | None = None,
    seed: int,
    objective: str = "relative",
    every: bool = False,
    use_beliefs: bool = True,
    explain: bool = False,
) -> Evaluation:
    """Evaluate all options of the decision in this view.

    Args:
        rules: rules of a game with a search.
        view: the view of a seat that is to act.
        player: one of `searches(game)`.
        worlds: the mean number of worlds for each option. With `worlds`, the result depends only on the seed.
        seconds: the time limit, instead of `worlds`. The clock is first read after a block of worlds.
        seed: 0 to 2**64 - 1.
        objective: "heads", "relative", "win" or "win late", which is "win" near the end of the match, else "relative".
        every: whether to try all options equally often, without sequential halving.
        use_beliefs: whether to assume that opponents that have played simply so far, like `greedy`, continue to
            play simply.
        explain: whether to add what happened to the own cards to the options.

    Raises:
        Malformed: no seat decides in this view, the game has no search, or an argument is out of range.
        MissingExtraError: the search needs the extra `fast`.

    >>> from faceup.core import make
    >>> rules = make("nimmt:cowheadking seats=2 hand=2")
    >>> view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> [rules.describe(option.action) for option in evaluate(rules, view, worlds=100, seed=1).options]
    ['play 46', 'play 6']
    """
    start = perf_counter()
    trials = _trials(rules, view, player, objective, seed, use_beliefs=use_beliefs, explain=explain)
    if (worlds is None) == (seconds is None):
        raise Malformed("a search must have either a number of worlds or a time limit", what=worlds, where="worlds")
    if worlds is not None:
        worlds = whole_number("worlds", worlds, 1, 2**31)
    if seconds is not None and not 0 < (seconds := real_number("seconds", seconds)) <= 86_400:
        raise Malformed(f"seconds must be more than 0 and at most 86400; got {seconds}", what=seconds, where="seconds")
    left = list(range(len(trials.options)))
    rounds = 1 if every else max(1, (len(left) - 1).bit_length())
    _update_beliefs(trials, worlds, start, seconds)
    strategy = trials.strategy()
    for number in range(1, rounds + 1):
        if seconds is None:
            trials.run(left, max(1, (worlds or 0) * len(trials.options) // (rounds * len(left))))
        else:
            _run_until(trials, left, start + seconds * number / rounds)
        left = sorted(_ranked(trials)[: (len(left) + 1) // 2])
    return _evaluation(trials, perf_counter() - start, strategy)


def _update_beliefs(trials: SearchTrials, worlds: int | None, start: float, seconds: float | None) -> None:
    """Weight worlds by the observed actions, for at most `BELIEF_TIME_SHARE` of the search's time."""
    if seconds is None:
        trials.update_beliefs(min(MAX_BELIEF_WORLDS, max(trials.block, 4 * (worlds or 0))))
        return
    while (
        0 < trials.update_beliefs(trials.block) < MAX_BELIEF_WORLDS
        and perf_counter() < start + BELIEF_TIME_SHARE * seconds
    ):
        pass


def _run_until(trials: SearchTrials, options: Sequence[int], end: float) -> None:
    """Try the options in blocks of worlds, as long as another block is likely to finish before `end`."""
    now = perf_counter()
    slowest = 0.0
    while now + slowest < end or not trials.worlds[options[0]]:
        trials.run(options, trials.block)
        before, now = now, perf_counter()
        slowest = max(slowest, now - before)


def _ranked(trials: SearchTrials) -> list[int]:
    """Return the numbers of the options, the best first.

    An option that was tried in more worlds is better. Among options with equally many worlds, a lower mean is better,
    except that a higher probability of winning is better. Options that win equally often, for example because the match
    is already decided, are ordered by `relative`.
    """
    worlds, means, options = trials.worlds, trials.means(trials.objective)[0], range(len(trials.options))
    if trials.objective == "win":
        relative = trials.means("relative")[0]
        return sorted(options, key=lambda option: (-worlds[option], -means[option], relative[option]))
    return sorted(options, key=lambda option: (-worlds[option], means[option]))


def _trials(rules: AnyRules, view: View, player: str, objective: str, seed: int, **options: bool) -> SearchTrials:
    check_rules(rules)
    check_type("view", view, View, "a view of the rules")
    check_text("player", player, "mc")
    game = find_game(rules.game)
    search_names = searches(rules.game)
    if not search_names:
        raise Malformed(f"{game.title} has no search", what=player, where="player")
    if player not in search_names:
        raise Malformed(f"there is no search {player!r}{nearest(player, [*search_names])}", what=player, where="player")
    seed = whole_number("a seed", seed, 0, LARGEST_WORD)
    trials: SearchTrials = _load_trials(game, search_names[player])(
        rules, view, model=search_names[player], objective=objective, seed=seed, **options
    )
    return trials


def _load_trials(game: Game, model: str) -> Any:  # noqa: ANN401 -- a class, see `SearchTrials`
    """Return the compiled class of a game's rollouts, or without the extra `fast` the one in plain Python."""
    if is_installed("fast") or model not in _python_searches(game.name):
        return load_batch_engine(game).SearchTrials
    module, _, name = _python_searches(game.name)[model].partition(":")
    return getattr(import_module(module), name)


def _evaluation(trials: SearchTrials, seconds: float, strategy: tuple[float, ...] | None) -> Evaluation:
    ranked = _ranked(trials)
    heads, relative, win = (_estimates(*trials.means(measure)) for measure in ("heads", "relative", "win"))
    behind, risk, worlds = _estimates(*trials.behind(ranked[0])), trials.risk(), trials.worlds
    models = [_estimates(*differences) for differences in trials.behind_in_models(ranked[0])]
    return Evaluation(
        tuple(
            Option(
                trials.options[option],
                int(worlds[option]),
                heads[option],
                relative[option],
                win[option],
                behind[option],
                float(risk[option]),
                _without_trailing_zeros([int(count) for count in trials.spread()[option]]),
                tuple(model[option] for model in models),
                tuple(trials.results(option)),
            )
            for option in ranked
        ),
        trials.objective,
        seconds,
        None if strategy is None else tuple(strategy[option] for option in ranked),
    )


def _estimates(values: Any, errors: Any) -> list[Estimate]:  # noqa: ANN401 -- numpy's arrays are not imported here
    return [Estimate(float(value), float(error)) for value, error in zip(values, errors, strict=True)]


def _without_trailing_zeros(counts: list[int]) -> tuple[int, ...]:
    while counts and not counts[-1]:
        counts.pop()
    return tuple(counts)
