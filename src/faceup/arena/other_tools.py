"""A match's result as the local tools of CodinGame's authors read it from a referee: psyleague and cg-brutaltester.

Sources: psyleague 0.4.1, `psyleague.py` (play_games, Game, mode_show) and its ReadMe; cg-brutaltester,
`GameThread.java` and `PlayerStats.java`.
"""

from math import isfinite

import msgspec

from faceup.arena.matches import Result


def for_psyleague(result: Result, seed: int) -> str:
    """One JSON object on one line.

    `ranks` are what TrueSkill takes, 0 for the winner; `errors` is 1 for a player that was put out. What a player
    reported goes into `player_data` as far as it is a number, since psyleague adds it up. It keeps whole
    parts alone, so times are in microseconds.

    >>> from faceup.arena.matches import Match, Result
    >>> for_psyleague(Result(Match(0, 0, ("a", "b"), 0), scores=(3, 9), places=(1, 2)), 7)
    '{"ranks":[0,1],"errors":[0,0],"test_data":{"seed":7},"player_data":[{"points":3},{"points":9}]}'
    """
    return msgspec.json.encode(
        {
            "ranks": [place - 1 for place in result.places],
            "errors": [int(player in _out(result)) for player in range(len(result.places))],
            "test_data": {"seed": seed},
            "player_data": [_numbers(result, player) for player in range(len(result.places))],
        }
    ).decode()


def for_brutaltester(result: Result, seed: int) -> str:
    r"""A whole number for each player on a line of its own, the more the better, then the seed.

    It counts who has more than whom, and takes a number below 0 for the error of a player: so a player that was put
    out has minus its place, and every other the number of seats less its place.

    >>> from faceup.arena.matches import Match, Result
    >>> for_brutaltester(Result(Match(0, 0, ("a", "b"), 0), scores=(3, 9), places=(1, 2)), 7)
    '1\n0\nseed=7'
    """
    seats, out = len(result.places), _out(result)
    numbers = [-place if player in out else seats - place for player, place in enumerate(result.places)]
    return "\n".join([*map(str, numbers), f"seed={seed}"])


def _out(result: Result) -> set[int]:
    return {fault.player for fault in result.faults}


def _numbers(result: Result, player: int) -> dict[str, float]:
    """What can be added up of a player: its points, its mean and longest time in microseconds, and its own columns."""
    found: dict[str, float] = {"points": result.scores[player]}
    if result.times and result.times[player].count:
        times = result.times[player]
        found |= {"us": round(times.mean), "most_us": times.most}
    for name, text in (result.columns[player] if result.columns else {}).items():
        try:
            number = float(text)
        except ValueError:
            continue
        if isfinite(number):
            found.setdefault(name, number)
    return found
