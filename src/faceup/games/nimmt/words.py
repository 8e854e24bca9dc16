"""Actions and deals in words, and back."""

from functools import lru_cache

from faceup.core.errors import Malformed
from faceup.core.values import FORFEIT, Action
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import Deal


def describe(parameters: Parameters, what: Action | Deal) -> str:
    """An action or a deal in words. Raises `Malformed` for a number that is no action."""
    if isinstance(what, Deal):
        return "deal " + " ".join(map(str, what.cards))
    if what == FORFEIT and parameters.forfeits:
        return "forfeit"
    if 0 <= what < parameters.cards:
        return f"play {what + 1}"
    if TAKE <= what < TAKE + parameters.rows:
        return f"take row {what - TAKE}"
    raise Malformed(f"{what} is not an action", what=what, where="action")


def parse(parameters: Parameters, text: str) -> Action | Deal:
    """The action or deal that the words name. Raises `Malformed`, with what would be right."""
    if text.lstrip()[:4].lower() == "deal":
        head, *cards = text.lower().split()
        if head == "deal":
            return Deal(tuple([_number(text, word, "card", 1, parameters.cards) for word in cards]))
    return _parse_action(text, parameters.cards, parameters.rows, parameters.forfeits)


@lru_cache(maxsize=1024)  # a table online reads each of a few hundred wordings again and again
def _parse_action(text: str, cards: int, rows: int, forfeits: bool) -> Action:
    match text.lower().split():
        case ["forfeit"] if forfeits:
            return FORFEIT
        case ["play", word]:
            return play(_number(text, word, "card", 1, cards))
        case ["take", "row", word] | ["take", word]:
            return take(_number(text, word, "row", 0, rows - 1))
    raise Malformed(f"{text!r} is not understood: write `play CARD` or `take row ROW`", what=text, where="action")


def _number(text: str, word: str, name: str, low: int, high: int) -> int:
    if word.isascii() and word.isdecimal() and len(word) < 10 and low <= int(word) <= high:
        return int(word)
    raise Malformed(f"{word!r} in {text!r} is not a {name}: {name}s are {low} to {high}", what=word, where=name)
