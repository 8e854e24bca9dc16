"""A player as one file that needs nothing of this package: its source, taken out of the modules in which it stands."""

from typing import Any, Final

from faceup.bots.lookup import FOR_ANY_GAME, policies
from faceup.bots.programs.assembly import assemble
from faceup.bots.search import searches
from faceup.core import Game, Malformed
from faceup.core.registry import nearest

PLAIN: Final = "mc"
"""The search that has a plain form."""

HEAD: Final = '''\
"""{title}, played by {name} in the protocol of {format}, on standard input and output.

Made by `faceup export {name}`, version {version}, out of the source of faceup, under its MIT licence. It needs Python
3.11 or newer{needs}.
"""

from __future__ import annotations

'''

FOOT: Final = """

if __name__ == "__main__":
    sys.exit(play_match({converse}, {player}, "{name}"))
"""


def exported(game: Game, name: str, protocol: str = "codingame") -> str:
    """The whole file.

    Args:
        game: that has the protocol among its formats.
        name: of a policy of the game, or of its search that has a plain form.
        protocol: the name of the format.

    Raises:
        Malformed: there is no such player, with the nearest name, or it cannot be exported.
    """
    known: Any = game.formats[protocol]  # Any: as each game has its protocols
    programs, terms = "faceup.bots.programs", _place(known.terms)
    wanted = [(f"{programs}.match", "play_match"), (known.converse.__module__, known.converse.__name__), terms]
    wanted += [(f"{programs}.players", "unpredictable"), (f"{programs}.streams", "sys")]
    simple = {**FOR_ANY_GAME, **game.policies}
    if name in simple:
        own: Any = simple[name]  # Any: a function, where `Policy` says no more than that it can be called
        wanted += [(f"{programs}.players", "Quick"), (own.__module__, own.__name__)]
        player = f"Quick({own.__name__}, {terms[1]}, unpredictable())"
    elif name == PLAIN:
        plain = _place(known.plain)
        wanted += [(f"{programs}.players", "Searching"), plain]
        player = f"Searching({plain[1]}, {terms[1]}, unpredictable())"
    else:
        raise _refusal(game, name, [*simple, PLAIN])
    from importlib.metadata import version  # noqa: PLC0415 -- slow to load

    source = assemble(wanted)
    head = HEAD.format(
        title=game.title,
        name=name,
        format="CodinGame's arena" if protocol == "codingame" else protocol,
        version=version("faceup"),
        needs=", and numpy" if "import numpy" in source else "",
    )
    return head + source + FOOT.format(converse=known.converse.__name__, player=player, name=name)


def _refusal(game: Game, name: str, known: list[str]) -> Malformed:
    base = name.partition("@")[0]
    if base != name and base in policies(game.name):
        message = f"an exported player thinks as long as it may: write {base}, not {name}"
    elif name in searches(game.name):
        message = f"{name} has no form in plain Python yet; {PLAIN} has"
    else:
        message = f"{game.name} has no player {name!r} to export{nearest(name, known)}"
    return Malformed(message, what=name, where="player")


def _place(place: str) -> tuple[str, str]:
    module, _, name = place.partition(":")
    return module, name
