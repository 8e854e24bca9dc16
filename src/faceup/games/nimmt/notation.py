"""Text notation of 6 nimmt!: `name=value` words, tuples joined by commas, one part for each seat or row by slashes.

    rows=5/6,7/88/29 hands=3,45/46,47 taken=-/55 heads=0,7

`-` is nothing: an empty hand, no card, no seat. Words left out are empty. A state has `hands`; a view has `view` (its
seat, or `-` for a spectator), `sizes`, and its own `hand`. `waiting=3:0,45:1` is card 3 of seat 0, then card 45 of seat
1; `log=7,44;3,45>0` is two turns, in the second of which the lowest card's seat took row 0.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from faceup.core.errors import Malformed
from faceup.core.values import Seat
from faceup.games.nimmt.cards import Card
from faceup.games.nimmt.position import check_position
from faceup.games.nimmt.state import State, Turn, View

if TYPE_CHECKING:
    from faceup.games.nimmt.rules import Rules  # who acts in a view follows from the rules, which write this notation

Ints = tuple[int, ...]


def to_text(what: State | View) -> str:
    """The state or view in one line."""
    if isinstance(what, View):
        words = [
            f"view={'-' if what.seat is None else what.seat}",
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


def from_text(rules: "Rules", text: str) -> State | View:
    """The state or view that the line stands for.

    Raises:
        Malformed: a word that is unknown or not in order, cards off range or twice, rows out of order or too long,
            hands of the wrong number or size.
    """
    given: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or name not in _KNOWN or name in given:
            raise Malformed(f"{word!r} has no place in a position of 6 nimmt!", what=word, where="position")
        given[name] = value
    nothing = ((),) * rules.seats
    try:
        state = State(
            hands=_read_parts(given.get("hands", "")) or nothing,
            rows=_read_parts(given.get("rows", "")),
            taken=_read_parts(given.get("taken", "")) or nothing,
            heads=_read_ints(given.get("heads", "")) or (0,) * rules.seats,
            waiting=tuple(_read_pair(pair) for pair in given["waiting"].split(",")) if "waiting" in given else (),
            out=_read_parts(given.get("out", "")),
            aside=_read_ints(given.get("aside", "")),
            earlier=_read_parts(given.get("earlier", "")),
            opening=_read_ints(given.get("opening", "")),
            log=tuple(_read_turn(turn) for turn in given["log"].split(";")) if "log" in given else (),
        )
        if "view" not in given:
            check_position(rules, state, state.hands, tuple(map(len, state.hands)))
            return state
        seat = None if given["view"] == "-" else _read_int(given["view"])
        hand = _read_ints(given.get("hand", ""))
        sizes = _read_ints(given.get("sizes", "")) or (0,) * rules.seats
    except ValueError as error:
        if isinstance(error, Malformed):
            raise
        raise Malformed(f"a number is missing or wrong in {text!r}: {error}", what=text, where="position") from None
    if seat is not None and not 0 <= seat < rules.seats:
        raise Malformed(f"there is no seat {seat}: seats are 0 to {rules.seats - 1}", what=seat, where="view")
    check_position(rules, state, (hand,), sizes)
    gone = seat is None or any(seat in group for group in state.out)
    if len(hand) != (0 if gone else sizes[seat or 0]):
        raise Malformed(f"this view's hand is not {len(hand)} cards", what=hand, where="hand")
    # Who acts, and with what, follows from hands of these sizes, whatever is in them.
    hands = [(1,) * size for size in sizes]
    if seat is not None:
        hands[seat] = hand or hands[seat]
    as_state = _replace_hands(state, tuple(hands))
    return View(
        seat=seat,
        to_act=rules.to_act(as_state),
        legal=() if seat is None else rules.legal(as_state, seat),
        hand=hand,
        sizes=sizes,
        **{name: getattr(state, name) for name in _SHARED},
    )


_SHARED = ("rows", "taken", "heads", "waiting", "out", "aside", "earlier", "opening", "log")
_KNOWN = {"hands", "view", "hand", "sizes", *_SHARED}


def _replace_hands(state: State, hands: tuple[Ints, ...]) -> State:
    return State(hands=hands, **{name: getattr(state, name) for name in _SHARED})


def _read_ints(text: str) -> Ints:
    return () if text in ("", "-") else tuple(map(_read_int, text.split(",")))


def _read_int(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise Malformed(f"{text!r} is not a number here", what=text, where="position")
    return int(text)


def _read_parts(text: str) -> tuple[Ints, ...]:
    return tuple(map(_read_ints, text.split("/"))) if text else ()


def _read_pair(text: str) -> tuple[Card, Seat]:
    card, _, seat = text.partition(":")
    return _read_int(card), _read_int(seat)


def _read_turn(text: str) -> Turn:
    plays, chosen, row = text.partition(">")
    return Turn(_read_ints(plays), _read_int(row) if chosen else -1)
