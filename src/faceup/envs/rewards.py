"""What a seat is rewarded with, as an option: its points as they come, those beside the others', its place, or the win.

The points are what the game counts in `Rules.scores`: heads in 6 nimmt!, throws won in Niu Niu, cards in War.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from faceup.core import AnyRules, Malformed, State, win_shares
from faceup.core.registry import nearest
from faceup.envs.observing import numbers_of

PerSeat: TypeAlias = tuple[float, ...]

Between: TypeAlias = Callable[[State, State], PerSeat]


class Reward(NamedTuple):
    """A reward option for one setting of the rules.

    Attributes:
        name: as it stands in a registered id.
        step: the least and the greatest that one step can give.
        total: the least and the greatest that a game's rewards can add up to.
        zero_sum: whether the seats' rewards always add up to 0.
        between: from the states before a joint decision and before the next (or at the end) to each seat's reward.
    """

    name: str
    step: tuple[float, float]
    total: tuple[float, float]
    zero_sum: bool
    between: Between


def reward_names(rules: AnyRules) -> tuple[str, ...]:
    """The options: the name of the game's points, then what any game has."""
    return (numbers_of(rules).points.name, "relative", "place", "win")


def reward(rules: AnyRules, name: str | None = None) -> Reward:
    """The option of that name; the points if None.

    - the points' own name: the seat's gain since its last decision, with the sign that makes more better; in 6 nimmt!
      `heads` is minus the heads taken.
    - `relative`: that gain less the mean of the other seats' gains, so that all seats' add up to 0.
    - `place`: at the end, (seats that it beats - seats that beat it) / (seats - 1).
    - `win`: at the end, the seat's part in the win.

    Raises:
        Malformed: no such option, with the nearest.
    """
    points = numbers_of(rules).points
    gains = _gains(rules, points.better)
    step, total = (_signed(points.better, span(rules)) for span in (points.step, points.total))
    if name in {None, points.name}:
        return Reward(points.name, step, total, zero_sum=False, between=gains)
    if name == "relative":
        return Reward(name, _apart(step), _apart(total), rules.seats > 1, _relative(gains))
    if name == "place":
        return Reward(name, (-1.0, 1.0), (-1.0, 1.0), rules.seats > 1, _at_end(rules, _place))
    if name == "win":
        return Reward(name, (0.0, 1.0), (0.0, 1.0), zero_sum=False, between=_at_end(rules, win_shares))
    raise Malformed(
        f"there is no reward {name!r}{nearest(str(name), list(reward_names(rules)))}", what=name, where="reward"
    )


def _signed(better: int, span: tuple[int, int]) -> tuple[float, float]:
    low, high = span
    return (float(low), float(high)) if better > 0 else (float(-high), float(-low))


def _apart(span: tuple[float, float]) -> tuple[float, float]:
    """The bounds of a gain less a mean of such gains."""
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
        whole, others = sum(gained), max(len(gained) - 1, 1)
        return tuple([gain - (whole - gain) / others for gain in gained])

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
