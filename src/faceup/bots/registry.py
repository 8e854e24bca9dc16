"""The registry of bots: levels, generic policies, policies of games, networks and searches, with descriptions."""

from collections.abc import Mapping
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Final, cast

import msgspec

from faceup.bots.search import is_searchable, searches
from faceup.bots.search_policies import SearchPolicy, levels, parse_search_policy
from faceup.core import Action, AnyRules, Game, Generator, Malformed, Policy, View, find_game, make, plural
from faceup.core.arguments import check_text, check_type
from faceup.core.registry import nearest
from faceup.extras import MissingExtraError, is_installed, require


def random_policy(rules: AnyRules, view: View, rng: Generator) -> Action:  # noqa: ARG001 -- as `faceup.core.Policy`
    """Chooses a legal action at random."""
    return view.legal[rng.below(len(view.legal))]


GENERIC_POLICIES: Final[Mapping[str, Policy]] = {"random": random_policy}


def policy(game: str, name: str, *, files: bool = False) -> Policy:
    """Return the policy of a game with this name.

    Args:
        game: the name of the game.
        name: the name of the policy.
        files: whether a network may be followed by `@` and a file with other weights, as in `network@run/network.npz`.
            Leave this off for names that come from other people.

    Raises:
        Malformed: the game or policy is unknown (the message suggests the closest name), the game has no decisions, or
            the budget of a search is invalid, or a file does not hold the weights of the network.
        MissingExtraError: the bot needs the extra `fast`.

    >>> policy("nimmt", "random").__name__
    'random_policy'
    """
    entry = find_game(game)
    check_text("the name of a policy", name, "random")
    player, _, file = name.partition("@")
    if files and file and player in _networks(game):
        require("fast", f"the bot {player}")
        module, _, function = _networks(game)[player].partition(":")
        return cast("Policy", getattr(import_module(module), f"load_{function}")(Path(file)))
    if not is_playable(game, name):
        raise MissingExtraError("fast", f"the bot {name}")
    for registered in (entry.policies, GENERIC_POLICIES, levels(game)):
        if name in registered:
            return registered[name]
    if name in _networks(game):
        module, _, function = _networks(game)[name].partition(":")
        return cast("Policy", getattr(import_module(module), function))
    if name.partition("@")[0] in searches(game):
        return parse_search_policy(name)
    if is_pure_chance(game):
        raise Malformed(
            f"{entry.title} has no bot {name!r}: it has no decisions, so it needs no bots. "
            f"Name none, or {', '.join(map(repr, policies(game)))}",
            what=name,
            where="policy",
        )
    raise Malformed(f"{game} has no policy {name!r}{nearest(name, list(policies(game)))}", what=name, where="policy")


def is_playable(game: str, name: str) -> bool:
    """Return whether this installation can run a bot; False if it needs the extra `fast`.

    Raises:
        Malformed: the game is unknown.

    >>> is_playable("nimmt", "steady"), is_playable("nimmt", "greedy")
    (True, True)
    """
    check_text("the name of a policy", name, "random")
    if name in _networks(game):
        return is_installed("fast")
    player = _search_of(game, name)
    return player is None or is_searchable(game, player)


def _networks(game: str) -> Mapping[str, str]:
    """Return the policies of a game that evaluate a trained network, as module:name."""
    return cast("Mapping[str, str]", find_game(game).formats.get("networks", {}))


def _search_of(game: str, name: str) -> str | None:
    """Return the search with which a bot chooses; None if it does not search."""
    level = levels(game).get(name)
    player = level.plays.player if level else name.partition("@")[0]
    return player if player in searches(game) else None


def policies(game: str) -> tuple[str, ...]:
    """Return the names of all policies of a game: levels, generic policies, its own, networks, and searches.

    Raises:
        Malformed: the game is unknown.
    """
    return tuple(
        dict.fromkeys((*levels(game), *GENERIC_POLICIES, *find_game(game).policies, *_networks(game), *searches(game)))
    )


def default_policy(game: str) -> str:
    """Return the name of the default bot, which is the last of the game's own policies and needs no compiled code.

    Raises:
        Malformed: the game is unknown.

    >>> default_policy("nimmt"), default_policy("war")
    ('greedy', 'random')
    """
    return (*GENERIC_POLICIES, *find_game(game).policies)[-1]


def is_time_limited(game: str, name: str) -> bool:
    """Return whether the bot searches for a fixed time, so that its choices are not reproducible from a seed.

    Raises:
        Malformed: for the same reasons as `policy`.

    >>> is_time_limited("nimmt", "mc@50ms"), is_time_limited("nimmt", "mc@1000")
    (True, False)
    """
    bot = policy(game, name)
    return isinstance(bot, SearchPolicy) and bot.seconds is not None


def is_pure_chance(game: str) -> bool:
    """Return whether the game has no decisions, so that all bots play alike.

    Raises:
        Malformed: the game is unknown.

    >>> is_pure_chance("war"), is_pure_chance("nimmt")
    (True, False)
    """
    return make(game).bounds.actions == 1


IMMEDIATE: Final = "Chooses immediately."

_NETWORK: Final = "Plays the card that a trained network rates best, without search."

_WITHOUT_FAST: Final = "Thinks for some hundredths of a second without the fast extra."

_MODELS: Final = {True: "; recognizes simple opponents", False: "; assumes that the others play at random"}
"""What a search with random opponents assumes, with and without the extra `fast`."""


class BotDescription(msgspec.Struct, frozen=True):
    """The description of a bot.

    Attributes:
        name: the name of the policy.
        description: one sentence on how it chooses.
        think_time: one sentence on how long it thinks.
    """

    name: str
    description: str
    think_time: str


class GameBots(msgspec.Struct, frozen=True):
    """All bots of a game.

    Attributes:
        game: the name of the game.
        title: the display name of the game.
        chooses: whether the game has decisions. A game without decisions needs no bots.
        bots: the bots in the order of `policies`; empty if the game has no decisions.
    """

    game: str
    title: str
    chooses: bool
    bots: tuple[BotDescription, ...]


def describe(game: Game) -> GameBots:
    """Describe the bots of a game."""
    check_type("game", game, Game, "a game, such as find_game('nimmt')")
    if is_pure_chance(game.name):
        return GameBots(game.name, game.title, chooses=False, bots=())
    return GameBots(
        game.name, game.title, chooses=True, bots=tuple(describe_bot(game, name) for name in policies(game.name))
    )


def describe_bot(game: Game, name: str) -> BotDescription:
    """Describe a bot. Raises `Malformed` if the game has no bot with this name.

    >>> from faceup.core import find_game
    >>> describe_bot(find_game("nimmt"), "mc@50ms").think_time
    'Thinks for 50 ms.'
    """
    check_type("game", game, Game, "a game, such as find_game('nimmt')")
    if not is_playable(game.name, name):
        weak_level = levels(game.name).get(name)
        search = "Plays the best average over possible deals."
        description = weak_level.description if weak_level else _NETWORK if name in _networks(game.name) else search
        return BotDescription(name, description, f"{MissingExtraError('fast', 'It')}.")
    if name in _networks(game.name):
        return BotDescription(name, _NETWORK, IMMEDIATE)  # not from its docstring: its module loads numba
    if name in levels(game.name):
        level = levels(game.name)[name]
        return BotDescription(name, level.description, level.think_time if is_installed("fast") else _WITHOUT_FAST)
    player, asked, _ = name.partition("@")
    if player in searches(game.name):
        weak = searches(game.name)[player] == "random"
        others = _MODELS[is_installed("fast")] if weak else ", all playing well"
        budget = f"; change it with {name}@50ms or {name}@1000 (deals for each option)" if not asked else ""
        return BotDescription(
            name,
            f"Plays the best average over possible deals{others}.",
            f"{_effort(parse_search_policy(name))}{budget}.",
        )
    return BotDescription(name, _first_paragraph(policy(game.name, name)), IMMEDIATE)


def _effort(search_policy: SearchPolicy) -> str:
    """Describe the budget of a search."""
    if search_policy.worlds is not None:
        return f"Tries each option in {plural(search_policy.worlds, 'deal')}"
    return f"Thinks for {round(1000 * (search_policy.seconds or 0)):,} ms"


def _first_paragraph(chooser: object) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join(cleandoc(chooser.__doc__ or "").partition("\n\n")[0].split())
