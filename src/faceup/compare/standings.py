"""What a contest has shown so far: means over duplicate deals, and differences within the same deals."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import msgspec

from faceup.compare.contest import Contest
from faceup.compare.playing import Result
from faceup.statistics import Mean, mean_of

Numbers: TypeAlias = tuple[Fraction, ...]
"""One number for each duplicate deal."""


class Standing(msgspec.Struct, frozen=True):
    """How a bot does; every number is a mean over duplicate deals, each the mean of all rotations.

    Attributes:
        name: the bot's.
        players: how many of them sit at the table; the numbers are those of one of them on average.
        score: the game's own points.
        win_share: a win shared by k counts 1/k.
        place: 1 is the best.
    """

    name: str
    players: int
    score: Mean
    win_share: Mean
    place: Mean


class Difference(msgspec.Struct, frozen=True):
    """How much more one has than the other on the same deals: the mean of the differences, deal by deal."""

    score: Mean
    win_share: Mean
    place: Mean


class Standings(msgspec.Struct, frozen=True):
    """One lineup.

    Attributes:
        bot: the one that is compared.
        field: the others, by name in the order in which they sit.
        difference: the bot minus the mean of the others.
        ahead: the bot minus the first bot that plays against the same field; None for that one itself.
        first: that bot's name.
    """

    bot: Standing
    field: tuple[Standing, ...]
    difference: Difference
    ahead: Difference | None = None
    first: str = ""


class _Player(msgspec.Struct, frozen=True):
    """One player of a lineup, deal by deal."""

    score: Numbers
    win_share: Numbers
    place: Numbers


def deals_played(contest: Contest, results: Sequence[Result]) -> int:
    """How many deals all lineups have played in all rotations."""
    return len(results) // contest.games_a_deal


def standings(contest: Contest, results: Sequence[Result]) -> tuple[Standings, ...]:
    """What the results show, lineup by lineup.

    Args:
        contest: what is played.
        results: of the first games of its schedule; those of a deal that is not finished are left out.

    Raises:
        ValueError: no deal is finished.
    """
    deals = deals_played(contest, results)
    if not deals:
        raise ValueError("no deal has been played in all rotations yet")
    found: list[Standings] = []
    firsts: dict[tuple[str, ...], tuple[str, _Player]] = {}
    for index, (name, *field) in enumerate(contest.lineups):
        players = _players(contest, results, index, deals)
        bot = players[0]
        seated: dict[str, list[_Player]] = {}
        for other, player in zip(field, players[1:], strict=True):
            seated.setdefault(other, []).append(player)
        first_name, first = firsts.setdefault(tuple(field), (name, bot))
        found.append(
            Standings(
                bot=_standing(name, [bot]),
                field=tuple(_standing(other, those) for other, those in seated.items()),
                difference=_difference(bot, _together(players[1:])),
                ahead=None if first is bot else _difference(bot, first),
                first=first_name,
            )
        )
    return tuple(found)


def _players(contest: Contest, results: Sequence[Result], lineup: int, deals: int) -> list[_Player]:
    seats = contest.seats
    tables: list[list[Result]] = []
    for deal in range(deals):
        begin = deal * contest.games_a_deal + lineup * seats
        tables.append(list(results[begin : begin + seats]))

    def mean(numbers: Callable[[Result], Sequence[Fraction | int]]) -> list[Numbers]:
        told = [[numbers(result) for result in table] for table in tables]
        return [
            tuple(Fraction(sum(game[player] for game in table), seats) for table in told) for player in range(seats)
        ]

    scores, places = mean(lambda result: result.scores), mean(lambda result: result.places)
    shares = mean(lambda result: _win_shares(result.places))
    return [_Player(*numbers) for numbers in zip(scores, shares, places, strict=True)]


def _win_shares(places: Sequence[int]) -> list[Fraction]:
    return [Fraction(1, places.count(1)) if place == 1 else Fraction(0) for place in places]


def _together(players: Sequence[_Player]) -> _Player:
    """The mean of some players, deal by deal."""
    columns = ([getattr(player, field) for player in players] for field in _Player.__struct_fields__)
    means = (tuple(sum(each, Fraction(0)) / len(players) for each in zip(*column, strict=True)) for column in columns)
    return _Player(*means)


def _standing(name: str, players: Sequence[_Player]) -> Standing:
    together = _together(players)
    means = (_mean(getattr(together, field)) for field in _Player.__struct_fields__)
    return Standing(name, len(players), *means)


def _difference(one: _Player, other: _Player) -> Difference:
    return Difference(
        *(
            _mean([mine - theirs for mine, theirs in zip(getattr(one, field), getattr(other, field), strict=True)])
            for field in _Player.__struct_fields__
        )
    )


def _mean(numbers: Sequence[Fraction]) -> Mean:
    return mean_of((number, 1) for number in numbers)
