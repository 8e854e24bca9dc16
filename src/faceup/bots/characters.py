"""The characters of bots: the names under which they sit at a table. The page draws a face for each."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from faceup.bots.registry import is_pure_chance
from faceup.core.arguments import check_text

CHARACTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "gentle": ("Clover", "Biscuit", "Daisy", "Pudding"),
    "steady": ("Hazel", "Otto", "Maple", "Bruno"),
    "sharp": ("Vesper", "Cosmo", "Pepper", "Iris"),
    "champion": ("Aurora", "Atlas", "Nova", "Regent"),
    "greedy": ("Penny", "Magpie"),
    "random": ("Lucky",),
    "lowest": ("Mini",),
    "highest": ("Max",),
    "network": ("Weaver",),
    "mc": ("Monte",),
    "deep": ("Fathom",),
}
"""The characters that play with each policy. A bot without a character has the name of its policy."""

COMPUTER: Final = "Computer"
"""The character in games of pure chance, where all policies play alike."""

VISITORS: Final = ("Pixel", "Echo", "Domino", "Marble", "Button", "Comet", "Pebble", "Lantern")
"""The characters that play with any policy, once those of the policy sit at the table.

With one of its own, each policy has enough for the nine bots at a table of ten, so that no two have the same name.
"""


def character_for(game: str, kind: str, taken: Collection[str] = ()) -> str:
    """Return the first character of a kind of bot with a free name, or the first one if all names are taken.

    The [visitors][faceup.bots.VISITORS] come after the characters of the kind.

    Raises:
        Malformed: the game is unknown.

    >>> character_for("nimmt", "steady"), character_for("nimmt", "steady", ["Hazel"])
    ('Hazel', 'Otto')
    >>> character_for("nimmt", "mc@1000"), character_for("war", "random")
    ('Monte', 'Computer')
    >>> character_for("nimmt", "greedy", ["Penny", "Magpie"])
    'Pixel'
    """
    check_text("the kind of a bot", kind, "greedy")
    policy = kind.partition("@")[0]
    characters = (COMPUTER,) if is_pure_chance(game) else CHARACTERS.get(policy, (kind.capitalize(),))
    return next((name for name in (*characters, *VISITORS) if name not in taken), characters[0])


def characters_for(game: str, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the characters of bots that take their seats one after the other.

    >>> characters_for("nimmt", ["steady", "champion", "steady"])
    ('Hazel', 'Aurora', 'Otto')
    """
    if isinstance(kinds, str) or not isinstance(kinds, Iterable):
        raise TypeError(f"kinds must be the kinds of bots, such as ['greedy']; got {kinds!r:.200}")
    names: list[str] = []
    for kind in kinds:
        names.append(character_for(game, kind, names))
    return tuple(names)
