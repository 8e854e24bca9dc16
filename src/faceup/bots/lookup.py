"""Policies by name: levels for people, a game's own, those that search, and those that play any game."""

from collections.abc import Mapping
from typing import Final

from faceup.bots.levels import levels
from faceup.bots.search import searches
from faceup.bots.thinking import Thinker, thinker
from faceup.bots.uniform import random_policy
from faceup.core import Malformed, Policy, find_game, make
from faceup.core.registry import nearest

FOR_ANY_GAME: Final[Mapping[str, Policy]] = {"random": random_policy}


def policy(game: str, name: str) -> Policy:
    """The policy of that name for the game.

    Raises:
        Malformed: no such game or policy, with the nearest name; a bot for a game that needs none; or a search is not
            told how long to think.

    >>> policy("nimmt", "random").__name__
    'random_policy'
    """
    found = find_game(game)
    for known in (found.policies, FOR_ANY_GAME, levels(game)):
        if name in known:
            return known[name]
    if name.partition("@")[0] in searches(game):
        return thinker(name)
    if is_pure_chance(game):
        raise Malformed(
            f"{found.title} needs no bot {name!r}: nobody ever has anything to decide in it, and the computer plays it "
            f"as well as anybody. Name none, or {', '.join(map(repr, policies(game)))}",
            what=name,
            where="policy",
        )
    raise Malformed(f"{game} has no policy {name!r}{nearest(name, list(policies(game)))}", what=name, where="policy")


def policies(game: str) -> tuple[str, ...]:
    """The names of all policies that play the game: levels first, those of any game, its own, and those that search.

    Raises:
        Malformed: no such game, with the nearest name.
    """
    return tuple(dict.fromkeys((*levels(game), *FOR_ANY_GAME, *find_game(game).policies, *searches(game))))


def usual_policy(game: str) -> str:
    """The bot that plays where nobody says which: the last of the game's own, which needs nothing compiled.

    Raises:
        Malformed: no such game, with the nearest name.

    >>> usual_policy("nimmt"), usual_policy("war")
    ('greedy', 'random')
    """
    return (*FOR_ANY_GAME, *find_game(game).policies)[-1]


def thinks_by_the_clock(game: str, name: str) -> bool:
    """Whether the bot thinks until its time is up, so that its choices depend on the machine and not on a seed alone.

    Raises:
        Malformed: as `policy`.

    >>> thinks_by_the_clock("nimmt", "mc@50ms"), thinks_by_the_clock("nimmt", "mc@1000")
    (True, False)
    """
    found = policy(game, name)
    return isinstance(found, Thinker) and found.seconds is not None


def is_pure_chance(game: str) -> bool:
    """Whether nobody ever has a choice in the game, so that every bot plays it alike.

    Raises:
        Malformed: no such game, with the nearest name.

    >>> is_pure_chance("war"), is_pure_chance("nimmt")
    (True, False)
    """
    return make(game).bounds.actions == 1
