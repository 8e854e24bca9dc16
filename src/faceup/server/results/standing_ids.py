"""The ids by which results, ratings and hand totals name people, their programs, and bots.

An id of a bot contains a space, and that of a program a colon, because the ids of players contain neither.
"""

from typing import Final

_BOT: Final = "bot "
PROGRAM: Final = "program:"


def bot_id(kind: str) -> str:
    """Return the id that bots of a kind have in results and ratings."""
    return _BOT + kind


def bot_kind(who: str) -> str | None:
    """Return the kind of the bot with this id; None if the id belongs to a person.

    >>> bot_kind(bot_id("mc")), bot_kind("NpWVb1mcTdCz1ZuHOMhsyg")
    ('mc', None)
    """
    return who.removeprefix(_BOT) if who.startswith(_BOT) else None


def program_id(player: str) -> str:
    """Return the id that the programs of a player have in ratings and hand totals.

    >>> program_id("NpWVb1mcTdCz1ZuHOMhsyg")
    'program:NpWVb1mcTdCz1ZuHOMhsyg'
    """
    return PROGRAM + player


def is_program(who: str) -> bool:
    """Return whether an id belongs to the programs of a player."""
    return who.startswith(PROGRAM)
