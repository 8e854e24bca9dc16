"""How the chance of winning moved through a game of War: from what all could know, played on to the end."""

from collections.abc import Iterator, Sequence
from math import sqrt
from time import perf_counter
from typing import Any, Final

import msgspec

from faceup.charts import Line
from faceup.coach.chance import Chart, Fortune, Scene
from faceup.coach.decisions import Effort
from faceup.core import AnyRules, Malformed, Seeded, find_game
from faceup.core.record import Frame
from faceup.games.batches import find_batch
from faceup.games.war.state import WarState

GUESSES: Final = 200
"""Of the cards that nobody sees, at each of the rounds looked at, unless something else is asked for."""

ROUNDS: Final = 40
"""At most so many rounds are looked at, evenly through the game, besides its end."""

_AT_A_TIME: Final = 50


class Point(msgspec.Struct, frozen=True):
    """The chance of seat 0 after some rounds; a draw counts half.

    Attributes:
        frame: of the replay.
        rounds: that were played.
        wars: of them.
        won: the sum of seat 0's parts in the wins.
        guesses: in how many.
    """

    frame: int
    rounds: int
    wars: int
    won: float = 0.0
    guesses: int = 0

    @property
    def chance(self) -> float:
        """The chance."""
        return self.won / self.guesses

    @property
    def error(self) -> float:
        """Its standard error, by the rule of Laplace, which is not 0 where all guesses ended alike."""
        part = (self.won + 1) / (self.guesses + 2)
        return sqrt(part * (1 - part) / self.guesses)


def look(rules: AnyRules, frames: Sequence[Frame], names: Sequence[str], effort: Effort) -> Iterator[Fortune]:
    """How the chance moved, better known with every pass over the rounds that are looked at.

    Raises:
        Malformed: nothing has been played yet.
    """
    points = _points(frames)
    if not points:
        raise Malformed("no card has been dealt yet: there is no luck to tell of", where="entries")
    end = perf_counter() + effort.seconds if effort.seconds is not None else None
    asked = effort.worlds or GUESSES
    done = 0
    while done < asked if end is None else not done or perf_counter() < end:
        guesses = _AT_A_TIME if end is not None else min(_AT_A_TIME, asked - done)
        points = _played_on(rules, frames, points, guesses, seed=Seeded(effort.seed, done).below(1 << 62))
        done += guesses
        yield _told(rules, frames, names, points, effort.seed, asked=done if end is not None else asked)


def _points(frames: Sequence[Frame]) -> list[Point]:
    """The rounds to look at: between two of them, nothing lies on the table."""
    found = []
    for index, frame in enumerate(frames):
        state = frame.state
        assert isinstance(state, WarState)  # noqa: S101 -- for the type checker: the registry pairs it with its game
        if state.due == "flip" and not any(state.played):
            found.append(Point(index, state.rounds, state.wars))
    step = max(1, -(-len(found) // ROUNDS))
    return found[::step]


def _played_on(
    rules: AnyRules, frames: Sequence[Frame], points: Sequence[Point], guesses: int, *, seed: int
) -> list[Point]:  # fmt: skip
    """The points after so many more guesses each, all of them played to the end."""
    import numpy as np  # noqa: PLC0415 -- few reviews are of this game

    states = []
    for point in points:
        view = rules.view(frames[point.frame].state, None)
        rng = Seeded(seed, point.frame)
        states += [rules.guess(view, rng) for _ in range(guesses)]
    engine = find_batch(find_game(rules.game)).from_states(rules, states, seed=seed)
    while (acts := engine.to_act()).any():
        engine.step(acts.astype(np.int32) - 1)
    scores = engine.scores()
    won = (scores[:, 0] > scores[:, 1]) + 0.5 * (scores[:, 0] == scores[:, 1])
    sums = won.reshape(len(points), guesses).sum(axis=1).tolist()
    return [
        msgspec.structs.replace(point, won=point.won + more, guesses=point.guesses + guesses)
        for point, more in zip(points, sums, strict=True)
    ]


def _told(
    rules: AnyRules, frames: Sequence[Frame], names: Sequence[str], points: Sequence[Point], seed: int, *, asked: int
) -> Fortune:  # fmt: skip
    state = frames[-1].state
    assert isinstance(state, WarState)  # noqa: S101 -- as above
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
    return Fortune(
        rules=rules,
        names=tuple(names),
        said=_said(names, chances, rounds, turns, over=over, error=max(point.error for point in points)),
        header=("rounds", names[0], names[1], "change", "wars"),
        rows=tuple(
            (
                f"{rounds[index - 1]} to {rounds[index]}",
                f"{chances[index]:.0%}",
                f"{1 - chances[index]:.0%}",
                f"{100 * (chances[index] - chances[index - 1]):+.0f}",
                str(wars[index] - wars[index - 1]),
            )
            for index in sorted(turns)
        ),
        chart=Chart(f"{names[0]}'s chance of winning, by rounds played", (Line(names[0], chances),), tuple(labels),
                    tuple(errors)),
        scenes=tuple(
            Scene(
                f"After round {points[index - 1].rounds}: {names[0]} wins {chances[index - 1]:.0%}",
                rules.view(frames[points[index - 1].frame].state, None),
            )
            for index in sorted(turns)
        ),
        data=_data(points, seed),
        done=points[0].guesses,
        asked=asked,
    )  # fmt: skip


def _said(
    names: Sequence[str], chances: Sequence[float], rounds: Sequence[int], turns: Sequence[int], *, over: bool,
    error: float,
) -> tuple[str, ...]:  # fmt: skip
    said = []
    if turns:
        turn = turns[0]
        before, after = chances[turn - 1], chances[turn]
        said.append(
            f"The greatest turn came between rounds {rounds[turn - 1]} and {rounds[turn]}: {names[0]}'s chance of "
            f"winning went from {before:.0%} to {after:.0%}."
        )
    if over and len(chances) > 1:
        winner = 0 if chances[-1] > 0.5 else 1
        low = min(range(len(chances)), key=lambda index: chances[index] if winner == 0 else 1 - chances[index])
        least = chances[low] if winner == 0 else 1 - chances[low]
        if chances[-1] == 0.5:
            said.append("It ended in a draw.")
        else:
            said.append(f"{names[winner]} won, and had the least chance after round {rounds[low]}: {least:.0%}.")
    said.append(
        f"Chances are of what all could know then, played on from guesses of the rest: exact to ±{error:.0%} "
        f"or better (one standard error)."
    )
    return tuple(said)


def _data(points: Sequence[Point], seed: int) -> dict[str, Any]:  # Any: JSON
    return {
        "seed": seed,
        "guesses": points[0].guesses,
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
