"""Reward options: points, points relative to the other seats, the final place, or the win.

Points are the game's `Rules.scores`, which are heads in 6 nimmt!, throws won in Niu Niu, and cards in War.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from faceup.core import AnyRules, Malformed, State, win_shares
from faceup.core.observation import observation_spec
from faceup.core.registry import nearest

PerSeat: TypeAlias = tuple[float, ...]

Between: TypeAlias = Callable[[State, State], PerSeat]


class Reward(NamedTuple):
    """A reward option for one setting of the rules.

    Attributes:
        name: the name of the reward, which registered ids contain.
        step: the least and greatest reward of one step.
        total: the least and greatest sum of a seat's rewards in a game.
        zero_sum: whether the rewards of all seats always add up to 0.
        between: function of two states that returns each seat's reward. The first is the state before a joint
            decision, and the second the state before the next joint decision or at the end of the game.
    """

    name: str
    step: tuple[float, float]
    total: tuple[float, float]
    zero_sum: bool
    between: Between


def reward_names(rules: AnyRules) -> tuple[str, ...]:
    """Return the names of the reward options: the name of the game's points, then the names that all games share.

    >>> from faceup.core import make
    >>> reward_names(make("niuniu"))
    ('throws', 'relative', 'place', 'win')
    """
    return (observation_spec(rules).points.name, "relative", "place", "win")


def reward(rules: AnyRules, name: str | None = None) -> Reward:
    """Return the reward option with this name, by default that of the game's points.

    - The name of the game's points: the seat's gain of points since the last decision, signed so that more is better.
      For example, `heads` in 6 nimmt! is minus the number of heads that the seat took.
    - `relative`: the seat's gain minus the mean of the other seats' gains. These rewards add up to 0 over all seats.
    - `place`: at the end of the game, (seats that the seat beats - seats that beat the seat) / (seats - 1).
    - `win`: at the end of the game, the seat's share of the win.

    Raises:
        Malformed: the name is unknown; the message suggests the closest one.

    >>> from faceup.core import make
    >>> reward(make("nimmt seats=2 hand=1"), "win").total
    (0.0, 1.0)
    >>> reward(make("nimmt"), "winn")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: there is no reward 'winn'; did you mean 'win'?
    """
    points = observation_spec(rules).points
    names = [*reward_names(rules)]
    requested: object = name  # from callers that no type checker has seen
    if requested is not None and (not isinstance(requested, str) or requested not in names):
        raise Malformed(f"there is no reward {name!r}{nearest(name, names)}", what=name, where="reward")
    gains = _gains(rules, points.better)
    step, total = (_signed(points.better, span(rules)) for span in (points.step, points.total))
    if name is None or name == points.name:
        return Reward(points.name, step, total, zero_sum=False, between=gains)
    if name == "relative":
        return Reward(name, _apart(step), _apart(total), rules.seats > 1, _relative(gains))
    if name == "place":
        return Reward(name, (-1.0, 1.0), (-1.0, 1.0), rules.seats > 1, _at_end(rules, _place))
    return Reward("win", (0.0, 1.0), (0.0, 1.0), zero_sum=False, between=_at_end(rules, win_shares))


def _signed(better: int, span: tuple[int, int]) -> tuple[float, float]:
    low, high = span
    return (float(low), float(high)) if better > 0 else (float(-high), float(-low))


def _apart(span: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds of the difference between one gain and the mean of other gains, if each gain is in `span`."""
    most = span[1] - span[0]
    return -most, most


def _gains(rules: AnyRules, better: int) -> Between:
    scores = rules.scores

    def between(before: State, after: State) -> PerSeat:
        return tuple([float(better * (new - old)) for old, new in zip(scores(before), scores(after), strict=True)])

    return between


def _relative(gains: Between) -> Between:
    def between(before: State, after: State) -> PerSeat:
        gained = gains(before, after)
        total, others = sum(gained), max(len(gained) - 1, 1)
        return tuple([gain - (total - gain) / others for gain in gained])

    return between


def _at_end(rules: AnyRules, value: Callable[[tuple[int, ...]], PerSeat]) -> Between:
    nothing = (0.0,) * rules.seats

    def between(before: State, after: State) -> PerSeat:
        del before
        return nothing if rules.to_act(after) else value(rules.ranks(after))

    return between


def _place(ranks: tuple[int, ...]) -> PerSeat:
    others = max(len(ranks) - 1, 1)
    return tuple([(sum(r > rank for r in ranks) - sum(r < rank for r in ranks)) / others for rank in ranks])
