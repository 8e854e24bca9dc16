"""Ratings of players and bots, which are updated after each game.

The ratings use the Plackett-Luce model of openskill, which supports any number of players, and ties. Source: Weng and
Lin, "A Bayesian approximation method for online ranking" (2011).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from faceup.core import win_shares


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """The estimated strength of a player.

    Attributes:
        mean: the estimated strength; initially 25.
        deviation: the standard deviation of the estimate; initially 25/3.
        games: the number of rated games.
        wins: the number of wins; a shared win counts as a fraction.
    """

    mean: float = 25.0
    deviation: float = 25.0 / 3
    games: int = 0
    wins: float = 0.0

    @property
    def rating(self) -> float:
        """The lower bound of the strength, three deviations below the mean. Ladders are ordered by this bound."""
        return self.mean - 3 * self.deviation


def update_ratings(known: Mapping[str, Rating], who: Sequence[str], places: Sequence[int]) -> dict[str, Rating]:
    """Return the new ratings of the players after a game.

    If a bot has several seats, its new rating is the mean of the new ratings of its seats.

    Args:
        known: the ratings before the game. Players without a rating start with `Rating()`.
        who: the player of each seat.
        places: the place of each seat; 1 is the best.

    >>> after = update_ratings({}, ["ann", "bo"], [1, 2])
    >>> round(after["ann"].mean, 2), round(after["bo"].mean, 2), after["ann"].wins
    (27.64, 22.36, 1.0)
    """
    model = _model()
    before = [known.get(each, Rating()) for each in who]
    teams = [[model.rating(mu=each.mean, sigma=each.deviation)] for each in before]
    rated = [team[0] for team in model.rate(teams, ranks=[float(place) for place in places])]
    after: dict[str, Rating] = {}
    shares = win_shares(places)
    for each in dict.fromkeys(who):
        seats = [seat for seat, other in enumerate(who) if other == each]
        old = known.get(each, Rating())
        after[each] = Rating(
            mean=sum(rated[seat].mu for seat in seats) / len(seats),
            deviation=sum(rated[seat].sigma for seat in seats) / len(seats),
            games=old.games + 1,
            wins=old.wins + sum(shares[seat] for seat in seats),
        )
    return after


def combine_ratings(one: Rating, other: Rating) -> Rating:
    """Return the rating of a player who has played the games of both, as a guest and with an account.

    Both ratings start from the same prior, and their games are independent evidence. So the precisions (the inverse
    variances) are added, and the prior, which is in both, is subtracted once.

    >>> after = update_ratings({}, ["ann", "bo"], [1, 2])
    >>> both = combine_ratings(after["ann"], after["bo"])
    >>> round(both.mean, 2), both.deviation < after["ann"].deviation, both.games
    (25.0, True, 2)
    """
    prior = Rating()
    weighted = [(one, 1), (other, 1), (prior, -1)]
    precision = sum(sign / each.deviation**2 for each, sign in weighted)
    if precision <= 0:  # both ratings are less certain than the prior
        precision, weighted = 1 / prior.deviation**2, [(prior, 1)]
    return Rating(
        mean=sum(sign * each.mean / each.deviation**2 for each, sign in weighted) / precision,
        deviation=precision**-0.5,
        games=one.games + other.games,
        wins=one.wins + other.wins,
    )


@cache
def _model() -> Any:  # noqa: ANN401 -- openskill has no types for its models
    from openskill.models import PlackettLuce  # noqa: PLC0415 -- slow to import, and needed only for finished games

    return PlackettLuce()
