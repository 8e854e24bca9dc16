"""The probability of winning during a game of War, estimated by rollouts from public information."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil, sqrt
from time import perf_counter
from typing import Any, Final

import msgspec

from faceup.charts import Line
from faceup.coach.chance_report import ChanceReport, Chart, Scene
from faceup.coach.search_budget import SearchBudget
from faceup.core import AnyRules, Malformed, SeededGenerator, find_game
from faceup.core.record import Frame
from faceup.extras import needs
from faceup.formatting import format_percent
from faceup.games.batch_engines import load_batch_engine
from faceup.games.war.state import WarState
from faceup.translations import Language, translate
from faceup.translations.figures import localize

ROLLOUTS: Final = 200
"""Default number of sampled worlds for each analysed round."""

ROUNDS: Final = 40
"""The most rounds to analyse, evenly spaced, besides the end of the game."""

_ROLLOUTS_PER_PASS: Final = 50


class Point(msgspec.Struct, frozen=True):
    """The probability that seat 0 wins, after some rounds; a draw counts half.

    Attributes:
        frame: the replay frame.
        rounds: the number of rounds played.
        wars: the number of wars among them.
        won: the sum of seat 0's shares of the wins.
        rollouts: the number of rollouts.
    """

    frame: int
    rounds: int
    wars: int
    won: float = 0.0
    rollouts: int = 0

    @property
    def chance(self) -> float:
        """The estimated probability that seat 0 wins."""
        return self.won / self.rollouts

    @property
    def error(self) -> float:
        """The standard error of `chance`, by Laplace's rule: it is not 0 even if all rollouts have the same result."""
        part = (self.won + 1) / (self.rollouts + 2)
        return sqrt(part * (1 - part) / self.rollouts)


def analyze_chance(
    rules: AnyRules, frames: Sequence[Frame], names: Sequence[str], effort: SearchBudget, language: Language = "en"
) -> Iterator[ChanceReport]:
    """Yield reports on the probability of winning over time, each with more rollouts than the report before it.

    Raises:
        Malformed: no card has been dealt yet.
    """
    points = _points(frames)
    if not points:
        raise Malformed("no cards have been dealt, so there is nothing to report", where="entries")
    end = perf_counter() + effort.seconds if effort.seconds is not None else None
    requested = effort.worlds or ROLLOUTS
    done = 0
    while done < requested if end is None else not done or perf_counter() < end:
        rollouts = _ROLLOUTS_PER_PASS if end is not None else min(_ROLLOUTS_PER_PASS, requested - done)
        points = _add_rollouts(rules, frames, points, rollouts, seed=SeededGenerator(effort.seed, done).below(1 << 62))
        done += rollouts
        total = done if end is not None else requested
        yield _report(rules, frames, names, points, effort.seed, requested=total, language=language)


def _points(frames: Sequence[Frame]) -> list[Point]:
    """Return the points to analyse; they are between rounds, when no cards are on the table."""
    points = []
    for index, frame in enumerate(frames):
        state = frame.state
        assert isinstance(state, WarState)  # noqa: S101 -- the registry ensures it
        if state.due == "flip" and not any(state.played):
            points.append(Point(index, state.rounds, state.wars))
    step = max(1, -(-len(points) // ROUNDS))
    return points[::step]


def _add_rollouts(
    rules: AnyRules, frames: Sequence[Frame], points: Sequence[Point], rollouts: int, *, seed: int
) -> list[Point]:  # fmt: skip
    """Add `rollouts` rollouts to each point."""
    with needs("fast", __name__):
        import numpy as np  # noqa: PLC0415 -- few reviews are of this game

    states = []
    for point in points:
        view = rules.view(frames[point.frame].state, None)
        rng = SeededGenerator(seed, point.frame)
        states += [rules.guess(view, rng) for _ in range(rollouts)]
    engine = load_batch_engine(find_game(rules.game)).from_states(rules, states, seed=seed)
    while (acts := engine.to_act()).any():
        engine.step(acts.astype(np.int32) - 1)
    scores = engine.scores()
    won = (scores[:, 0] > scores[:, 1]) + 0.5 * (scores[:, 0] == scores[:, 1])
    sums = won.reshape(len(points), rollouts).sum(axis=1).tolist()
    return [
        msgspec.structs.replace(point, won=point.won + more, rollouts=point.rollouts + rollouts)
        for point, more in zip(points, sums, strict=True)
    ]


def _report(
    rules: AnyRules, frames: Sequence[Frame], names: Sequence[str], points: Sequence[Point], seed: int, *,
    requested: int, language: Language,
) -> ChanceReport:  # fmt: skip
    state = frames[-1].state
    assert isinstance(state, WarState)  # noqa: S101 -- for the type checker
    over = not rules.to_act(state)
    chances: list[float] = [point.chance for point in points]
    rounds = [point.rounds for point in points]
    wars = [point.wars for point in points]
    errors: list[float | None] = [2 * point.error for point in points]
    if over:
        ranks = rules.ranks(state)
        chances.append(0.5 if ranks[0] == ranks[1] else float(ranks[0] == 1))
        rounds.append(state.rounds)
        wars.append(state.wars)
        errors.append(0.0)
    turns = sorted(range(1, len(chances)), key=lambda index: -abs(chances[index] - chances[index - 1]))[:3]
    every = max(1, len(rounds) // 6)
    last = len(rounds) - 1
    labels = [
        str(count) if (index % every == 0 and last - index >= every // 2) or index == last else ""
        for index, count in enumerate(rounds)
    ]
    say = partial(translate, language)
    percents = [_percent(language, chance) for chance in chances]
    return ChanceReport(
        rules=rules,
        names=tuple(names),
        language=language,
        sentences=(
            *_sentences(language, names, chances, rounds, turns, over=over),
            say("coach.war.basis", count=ceil(100 * max(point.error for point in points))),
        ),
        header=(
            say("coach.war.rounds"),
            *(say("coach.war.wins", name=name) for name in names),
            say("coach.war.points"),
            say("coach.war.wars"),
        ),
        rows=tuple(
            (
                say("coach.war.between", first=rounds[index - 1], last=rounds[index]),
                percents[index],
                _percent(language, 1 - chances[index]),
                f"{100 * (chances[index] - chances[index - 1]):+.0f}",
                str(wars[index] - wars[index - 1]),
            )
            for index in sorted(turns)
        ),
        chart=Chart(
            say("coach.war.chart", name=names[0]), (Line(names[0], chances),), tuple(labels), tuple(errors)
        ),
        scenes=tuple(
            Scene(
                say("coach.war.scene", round=points[index - 1].rounds, name=names[0], chance=percents[index - 1]),
                rules.view(frames[points[index - 1].frame].state, None),
            )
            for index in sorted(turns)
        ),
        data=_data(points, seed),
        done=points[0].rollouts,
        requested=requested,
    )  # fmt: skip


def _sentences(
    language: Language, names: Sequence[str], chances: Sequence[float], rounds: Sequence[int], turns: Sequence[int], *,
    over: bool,
) -> Iterator[str]:  # fmt: skip
    if turns:
        turn = turns[0]
        yield translate(
            language,
            "coach.war.change",
            first=rounds[turn - 1],
            last=rounds[turn],
            name=names[0],
            before=_percent(language, chances[turn - 1]),
            after=_percent(language, chances[turn]),
        )
    if over and chances[-1] == 0.5:
        yield translate(language, "coach.war.draw")
    elif over and len(chances) > 1:
        winner = int(chances[-1] < 0.5)
        least, low = min((abs(winner - chance), index) for index, chance in enumerate(chances))
        values = {"name": names[winner], "least": _percent(language, least), "round": rounds[low]}
        yield translate(language, "coach.war.won", **values)


def _percent(language: Language, chance: float) -> str:
    return localize(language, format_percent(chance))


def _data(points: Sequence[Point], seed: int) -> dict[str, Any]:  # Any: JSON
    return {
        "seed": seed,
        "rollouts": points[0].rollouts,
        "points": [
            {
                "rounds": point.rounds,
                "wars": point.wars,
                "chance": round(point.chance, 4),
                "error": round(point.error, 4),
            }
            for point in points
        ],
    }
