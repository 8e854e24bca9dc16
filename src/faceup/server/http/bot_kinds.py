"""Kinds of bots that clients may ask for."""

from faceup.bots import is_playable
from faceup.core import Malformed, list_games


def check_kind(kind: str) -> None:
    """Raise `Malformed` if this server cannot seat a bot of this kind.

    The kind must have no search effort (`name@effort`), because the server chooses it. Bots with compiled code need the
    extra `fast`, which a small server lacks.
    """
    if "@" in kind:
        raise Malformed(
            f'the kind of a bot must be a name without a search effort, such as "mc"; got {kind!r}',
            what=kind,
            where="kind",
        )
    if not all(is_playable(game.name, kind) for game in list_games()):
        raise Malformed(
            f"this server has no bot {kind}, because it runs without compiled bots; choose one that the page offers",
            what=kind,
            where="kind",
        )
