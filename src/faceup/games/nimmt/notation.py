"""Text notation of 6 nimmt! positions, actions and deals.

A position consists of words `name=value`. In a value, commas join the items of a tuple, and slashes separate seats or
rows:

    rows=5/6,7/88/29 hands=3,45/46,47 taken=-/55 heads=0,7

A value `-` means an empty hand, no card or no seat. Empty fields are omitted. A state has the field `hands`. A
view instead has the fields `view` (its seat, or `-` for a spectator), `sizes`, and `hand` for its own hand.
`waiting=3:0,45:1` means that card 3 of seat 0 and then card 45 of seat 1 are still to be placed. `log=7,44;3,45>0` has
two turns; in the second turn, the seat of the lowest card took row 0.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from faceup.core import plural
from faceup.core.arguments import check_text
from faceup.core.errors import Malformed
from faceup.core.notation import viewer_text
from faceup.core.values import FORFEIT, Action, Seat
from faceup.core.whole_numbers import to_int
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.cards import Card
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.state import SHARED, Deal, State, Turn, View
from faceup.games.nimmt.validation import check_position

Ints = tuple[int, ...]


def to_text(what: State | View) -> str:
    """Return the state or view as one line."""
    if isinstance(what, View):
        words = [
            viewer_text(what.seat),
            f"sizes={_ints(what.sizes)}",
            *([f"hand={_ints(what.hand)}"] if what.hand else []),
        ]
    else:
        words = [f"hands={_parts(what.hands)}"]
    words += [f"rows={_parts(what.rows)}"] if what.rows else []
    words += [f"taken={_parts(what.taken)}"] if any(what.taken) else []
    words += [f"heads={_ints(what.heads)}"] if any(what.heads) else []
    words += [f"waiting={','.join(f'{card}:{seat}' for card, seat in what.waiting)}"] if what.waiting else []
    words += [f"out={_parts(what.out)}"] if what.out else []
    words += [f"aside={_ints(what.aside)}"] if what.aside else []
    words += [f"earlier={_parts(what.earlier)}"] if what.earlier else []
    words += [f"opening={_ints(what.opening)}"] if what.opening else []
    words += [f"log={';'.join(map(_turn, what.log))}"] if what.log else []
    return " ".join(words)


def _ints(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers)) or "-"


def _parts(parts: Iterable[Ints]) -> str:
    return "/".join(map(_ints, parts))


def _turn(turn: Turn) -> str:
    return _ints(turn.plays) + (f">{turn.row}" if turn.row >= 0 else "")


def from_text(parameters: Parameters, text: str, view: Callable[[State, Seat | None], View]) -> State | View:
    """Parse a state or view from one line; `view` is the function of the rules with this name.

    Raises:
        Malformed: a word is unknown or misplaced, a card is out of range or duplicated, a row is out of order or too
            long, or the hands have the wrong number or size.
    """
    check_text("a position", text, "hands=7/44 rows=5/6/88/29")
    words: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in _KNOWN or name in words:
            raise Malformed(f"{word!r} is not a field of a 6 nimmt! position", what=word, where="position")
        words[name] = value
    nothing = ((),) * parameters.seats
    try:
        state = State(
            hands=_read_parts(words.get("hands", "")) or nothing,
            rows=_read_parts(words.get("rows", "")),
            taken=_read_parts(words.get("taken", "")) or nothing,
            heads=_read_ints(words.get("heads", "")) or (0,) * parameters.seats,
            waiting=tuple(_read_pair(pair) for pair in words["waiting"].split(",")) if "waiting" in words else (),
            out=_read_parts(words.get("out", "")),
            aside=_read_ints(words.get("aside", "")),
            earlier=_read_parts(words.get("earlier", "")),
            opening=_read_ints(words.get("opening", "")),
            log=tuple(_read_turn(turn) for turn in words["log"].split(";")) if "log" in words else (),
        )
        if "view" not in words:
            check_position(parameters, state, state.hands, tuple(map(len, state.hands)))
            return state
        seat = None if words["view"] == "-" else _read_int(words["view"])
        hand = _read_ints(words.get("hand", ""))
        sizes = _read_ints(words.get("sizes", "")) or (0,) * parameters.seats
    except ValueError as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(f"a number in {text!r} is missing or invalid: {error}", what=text, where="position") from None
    if seat is not None and not 0 <= seat < parameters.seats:
        raise Malformed(f"there is no seat {seat}: seats are 0 to {parameters.seats - 1}", what=seat, where="view")
    check_position(parameters, state, (hand,), sizes)
    is_out = seat is None or any(seat in group for group in state.out)
    if len(hand) != (0 if is_out else sizes[seat or 0]):
        raise Malformed(
            "`hand` must have the size that `sizes` gives for this seat, or be empty for a spectator or a seat that is "
            f"out; got {plural(len(hand), 'card')}",
            what=hand,
            where="hand",
        )
    # Which seats act depends only on the sizes of the hands, so the hidden hands are filled with card 1.
    hands = [(1,) * size for size in sizes]
    if seat is not None:
        hands[seat] = hand or hands[seat]
    return view(replace(state, hands=tuple(hands)), seat)


_KNOWN: Final = {"hands", "view", "hand", "sizes", *SHARED}


def _read_ints(text: str) -> Ints:
    return () if text in ("", "-") else tuple(map(_read_int, text.split(",")))


def _read_int(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Malformed(f"{text!r} is not a number", what=text, where="position")
    return int(text)


def _read_parts(text: str) -> tuple[Ints, ...]:
    return tuple(map(_read_ints, text.split("/"))) if text else ()


def _read_pair(text: str) -> tuple[Card, Seat]:
    card, _, seat = text.partition(":")
    return _read_int(card), _read_int(seat)


def _read_turn(text: str) -> Turn:
    plays, chosen, row = text.partition(">")
    return Turn(_read_ints(plays), _read_int(row) if chosen else -1)


def describe(parameters: Parameters, what: Action | Deal) -> str:
    """Return an action or a deal in words. Raises `Malformed` for a number that is not an action."""
    if isinstance(what, Deal):
        return "deal " + " ".join(map(str, what.cards))
    what = to_int("an action", what)
    if what == FORFEIT and parameters.forfeits:
        return "forfeit"
    if 0 <= what < parameters.cards:
        return f"play {what + 1}"
    if TAKE <= what < TAKE + parameters.rows:
        return f"take row {what - TAKE}"
    raise Malformed(f"{what} is not an action", what=what, where="action")


def parse(parameters: Parameters, text: str) -> Action | Deal:
    """Parse an action or a deal. Raises `Malformed` for other text; the message names the accepted input."""
    if text.lstrip()[:4].lower() == "deal":
        head, *cards = text.lower().split()
        if head == "deal":
            return Deal(tuple([_number(text, word, "card", 1, parameters.cards) for word in cards]))
    return _parse_action(text, parameters.cards, parameters.rows, parameters.forfeits)


@lru_cache(maxsize=1024)  # servers parse the same few hundred texts repeatedly
def _parse_action(text: str, cards: int, rows: int, forfeits: bool) -> Action:
    match text.lower().split():
        case ["forfeit"] if forfeits:
            return FORFEIT
        case ["play", word]:
            return play(_number(text, word, "card", 1, cards))
        case ["take", "row", word] | ["take", word]:
            return take(_number(text, word, "row", 0, rows - 1))
    raise Malformed(f"{text!r} is not an action: write `play CARD` or `take row ROW`", what=text, where="action")


def _number(text: str, word: str, name: str, low: int, high: int) -> int:
    if word.isascii() and word.isdecimal() and len(word) < 10 and low <= int(word) <= high:
        return int(word)
    raise Malformed(f"{word!r} in {text!r} is not a {name}: {name}s are {low} to {high}", what=word, where=name)
