"""Ratings of players and bots, which are updated after each game.

The ratings use the Plackett-Luce model of openskill, which supports any number of players, and ties. Source: Weng and
Lin, "A Bayesian approximation method for online ranking" (2011). The model's strengths start at 25; people see them on
the scale of `Rating.points`, which starts at 1500.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import mean
from typing import Any, Final

import msgspec

from faceup.core import places as rank
from faceup.core import win_shares

POINTS_AT_START: Final = 1500
"""The rating of a new player, in points."""

POINTS_PER_UNIT: Final = 30
"""The points of one unit of the model.

In the model, the odds that one of two players with certain strengths finishes first are `exp(d / (sqrt(2) * beta))`,
where `d` is the difference of their strengths and `beta` is 25/6. So 30 points are the scale of Elo's ratings: 400
points are odds of ten to one.
"""

_PRIOR_MEAN: Final = 25.0
_PRIOR_DEVIATION: Final = 25.0 / 3

MAX_DEVIATION: Final = _PRIOR_DEVIATION / 2
"""The deviation up to which a rating is not provisional: half of the deviation of a new player, 125 points."""


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """The estimated strength of a player, in units of the model.

    Attributes:
        mean: the estimated strength; initially 25.
        deviation: the standard deviation of the estimate; initially 25/3.
        games: the number of rated games.
        wins: the number of wins. A shared win counts as a fraction, and so does a win of one of a player's seats.
    """

    mean: float = _PRIOR_MEAN
    deviation: float = _PRIOR_DEVIATION
    games: int = 0
    wins: float = 0.0

    @property
    def points(self) -> int:
        """The rating that people see: 1500 for a new player, and never negative."""
        return max(0, round(POINTS_AT_START + POINTS_PER_UNIT * (self.mean - _PRIOR_MEAN)))

    @property
    def deviation_points(self) -> int:
        """The standard deviation of `points`; 250 for a new player."""
        return round(POINTS_PER_UNIT * self.deviation)

    @property
    def provisional(self) -> bool:
        """Whether too few games are known to compare the player with others, so that a ladder gives no place."""
        return self.deviation > MAX_DEVIATION


def update_ratings(
    ratings_before: Mapping[str, Rating], who: Sequence[str], places: Sequence[int]
) -> dict[str, Rating]:
    """Return the new ratings of the players after a game.

    A player with several seats enters the model once, ranked by the mean place of the seats. If each seat entered, one
    game would count as several independent results of the same player, and the seats would be compared with each
    other. If only the best seat entered, a player with three of four equal seats would be expected to win three times
    as often as the other. The mean place favours neither. For the same reason, the player's share of the win is the
    mean of the shares of the seats, so equal players have equal win rates, and no game counts as more than one win.

    Args:
        ratings_before: the ratings before the game. Players without a rating start with `Rating()`.
        who: the player of each seat.
        places: the place of each seat; 1 is the best.

    >>> after = update_ratings({}, ["ann", "bo"], [1, 2])
    >>> round(after["ann"].mean, 2), round(after["bo"].mean, 2), after["ann"].wins
    (27.64, 22.36, 1.0)
    """
    model, shares = _model(), win_shares(places)
    seats: dict[str, list[int]] = {}
    for seat, identifier in enumerate(who):
        seats.setdefault(identifier, []).append(seat)
    before = [ratings_before.get(identifier, Rating()) for identifier in seats]
    teams = [[model.rating(mu=rating.mean, sigma=rating.deviation)] for rating in before]
    ranks = rank([mean(places[seat] for seat in own) for own in seats.values()])
    return {
        identifier: Rating(
            mean=team[0].mu,
            deviation=team[0].sigma,
            games=old.games + 1,
            wins=old.wins + mean(shares[seat] for seat in own),
        )
        for (identifier, own), old, team in zip(
            seats.items(), before, model.rate(teams, ranks=[float(rank) for rank in ranks]), strict=True
        )
    }


def combine_ratings(first: Rating, other: Rating) -> Rating:
    """Return the rating of a player who has played the games of both, as a guest and with an account.

    Both ratings start from the same prior, and their games are independent evidence. So the precisions (the inverse
    variances) are added, and the prior, which is in both, is subtracted once.

    >>> after = update_ratings({}, ["ann", "bo"], [1, 2])
    >>> both = combine_ratings(after["ann"], after["bo"])
    >>> round(both.mean, 2), both.deviation < after["ann"].deviation, both.games
    (25.0, True, 2)
    """
    prior = Rating()
    weighted = [(first, 1), (other, 1), (prior, -1)]
    precision = sum(sign / rating.deviation**2 for rating, sign in weighted)
    if precision <= 0:  # both ratings are less certain than the prior
        precision, weighted = 1 / prior.deviation**2, [(prior, 1)]
    return Rating(
        mean=sum(sign * rating.mean / rating.deviation**2 for rating, sign in weighted) / precision,
        deviation=precision**-0.5,
        games=first.games + other.games,
        wins=first.wins + other.wins,
    )


@cache
def _model() -> Any:  # noqa: ANN401 -- openskill has no types for its models
    from openskill.models import PlackettLuce  # noqa: PLC0415 -- slow to import, and needed only for finished games

    return PlackettLuce()
