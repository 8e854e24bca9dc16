"""How strong everybody is, learnt from one game after the other.

Source: Weng and Lin, "A Bayesian approximation method for online ranking" (2011), in its Plackett-Luce model, as
openskill has it: any number of players, ties and all.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from faceup.core import win_shares


class Rating(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a player's strength.

    Attributes:
        mean: the best guess; 25 for somebody of whom nothing is known.
        deviation: how sure it is; 25/3 at first, and less with each game.
        games: how many it was learnt from.
        wins: how many of them were won, a shared win in part.
    """

    mean: float = 25.0
    deviation: float = 25.0 / 3
    games: int = 0
    wins: float = 0.0

    @property
    def rating(self) -> float:
        """What the player is at least, with 99.7%: by this a ladder is ordered, so that luck alone leads nobody up."""
        return self.mean - 3 * self.deviation


def after_game(known: Mapping[str, Rating], who: Sequence[str], places: Sequence[int]) -> dict[str, Rating]:
    """The ratings of those who played, after the game.

    Who sits in several seats, as bots do, moves by the mean of what each of them would by itself.

    Args:
        known: the ratings before; who is missing is new.
        who: by seat.
        places: by seat, 1 the best.

    >>> after = after_game({}, ["ann", "bo"], [1, 2])
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


@cache
def _model() -> Any:  # noqa: ANN401 -- a library that lets its models make their ratings
    from openskill.models import PlackettLuce  # noqa: PLC0415 -- slow to import, and only finished games need it

    return PlackettLuce()
