"""Policies by name: a game's own, those that search, and those that play any game."""

from collections.abc import Mapping
from typing import Final

from faceup.bots.search import searches
from faceup.bots.thinking import thinker
from faceup.bots.uniform import random_policy
from faceup.core import Malformed, Policy, find_game, make
from faceup.core.registry import nearest

FOR_ANY_GAME: Final[Mapping[str, Policy]] = {"random": random_policy}


def policy(game: str, name: str) -> Policy:
    """The policy of that name for the game.

    Raises:
        Malformed: no such game or policy, with the nearest name; or a search is not told how long to think.

    >>> policy("nimmt", "random").__name__
    'random_policy'
    """
    own = find_game(game).policies
    if name in own:
        return own[name]
    if name in FOR_ANY_GAME:
        return FOR_ANY_GAME[name]
    if name.partition("@")[0] in searches(game):
        return thinker(name)
    raise Malformed(f"{game} has no policy {name!r}{nearest(name, list(policies(game)))}", what=name, where="policy")


def policies(game: str) -> tuple[str, ...]:
    """The names of all policies that play the game: those of any game first, then its own, then those that search.

    Raises:
        Malformed: no such game, with the nearest name.
    """
    return tuple(dict.fromkeys((*FOR_ANY_GAME, *find_game(game).policies, *searches(game))))


def is_pure_chance(game: str) -> bool:
    """Whether nobody ever has a choice in the game, so that every bot plays it alike.

    Raises:
        Malformed: no such game, with the nearest name.

    >>> is_pure_chance("war"), is_pure_chance("nimmt")
    (True, False)
    """
    return make(game).bounds.actions == 1
