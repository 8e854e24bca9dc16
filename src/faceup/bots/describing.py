"""Every bot of a game in a line of words: what it goes by, and how long it thinks."""

from inspect import cleandoc
from typing import Final

import msgspec

from faceup.bots.levels import levels
from faceup.bots.lookup import is_pure_chance, policies, policy
from faceup.bots.search import searches
from faceup.bots.thinking import Thinker, thinker
from faceup.core import Game

AT_ONCE: Final = "Chooses at once."

_MODELS: Final = {"random": "; spots who plays simply"}


class Bot(msgspec.Struct, frozen=True):
    """One bot, as it is listed.

    Attributes:
        name: by which it is called.
        does: how it chooses, in a sentence.
        thinks: how long, in a sentence.
    """

    name: str
    does: str
    thinks: str


class Bots(msgspec.Struct, frozen=True):
    """All bots of a game.

    Attributes:
        game: its name.
        title: its name for people.
        chooses: whether there is anything to decide in it; where there is not, no bot is needed.
        bots: in the order in which they are offered; none where there is nothing to decide.
    """

    game: str
    title: str
    chooses: bool
    bots: tuple[Bot, ...]


def describe(game: Game) -> Bots:
    """The bots of a game."""
    if is_pure_chance(game.name):
        return Bots(game.name, game.title, chooses=False, bots=())
    return Bots(
        game.name, game.title, chooses=True, bots=tuple(describe_bot(game, name) for name in policies(game.name))
    )


def describe_bot(game: Game, name: str) -> Bot:
    """One of them. Raises `Malformed` if there is no bot of that name.

    >>> from faceup.core import find_game
    >>> describe_bot(find_game("nimmt"), "mc@50ms").thinks
    'Thinks for 50 ms.'
    """
    if name in levels(game.name):
        level = levels(game.name)[name]
        return Bot(name, level.does, level.thinks)
    player, asked, _ = name.partition("@")
    if player in searches(game.name):
        others = _MODELS.get(searches(game.name)[player], ", all playing well")
        budget = f"; {name}@50ms or {name}@1000 (deals for each option) says otherwise" if not asked else ""
        return Bot(
            name,
            f"Plays what is best on average in possible deals{others}.",
            f"{_effort(thinker(name))}{budget}.",
        )
    return Bot(name, _first_sentence(policy(game.name, name)), AT_ONCE)


def _effort(found: Thinker) -> str:
    """How long it thinks, or how much it tries."""
    if found.seconds is None:
        return f"Does the work of trying each option in {found.worlds:,} deals"
    return f"Thinks for {round(1000 * found.seconds):,} ms"


def _first_sentence(chooser: object) -> str:
    """The first paragraph of its docstring, in one line."""
    return " ".join(cleandoc(chooser.__doc__ or "").partition("\n\n")[0].split())
