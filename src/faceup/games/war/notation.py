"""War in words and in text notation."""

import re
from typing import Final, NamedTuple, get_args

from faceup.core import Action, Malformed, Outcome, Seat
from faceup.core.notation import fields, number
from faceup.games.war.cards import RANKS, SUITS, WORDS, Card, Pile, card
from faceup.games.war.check import check_state, check_view
from faceup.games.war.knowledge import Side, sides, state_of, view_of
from faceup.games.war.options import WarOptions
from faceup.games.war.state import TO_ACT, By, Collect, Deal, Due, Reshuffle, WarState, WarView

_FIELDS: Final = ("due", "rounds", "wars", "redeals", "by", "table", "draw", "members", "log")
_TOKEN: Final = re.compile(rf"(\()?([{RANKS}][{SUITS}]|[{RANKS.lower()}][{SUITS.lower()}]|\?\?)(?(1)\))")


def describe(what: Action | Outcome) -> str:
    """The words of an action or an outcome. Raises `Malformed`."""
    if isinstance(what, Deal):
        return f"deal {_spaced(what.piles[0])} / {_spaced(what.piles[1])}"
    if isinstance(what, Reshuffle):
        return f"reshuffle {_spaced(what.piles[0])} / {_spaced(what.piles[1])}"
    if isinstance(what, Collect):
        return f"collect {_spaced(what.cards)}"
    if what == 0:
        return "flip"
    raise Malformed(f"{what} is not an action of War: 0 is to flip", what=what)


def parse(text: str) -> Action | Outcome:
    """An action or an outcome from its words. Raises `Malformed`; whether it fits the position is not asked."""
    head, *rest = text.lower().split() or [""]
    if head == "flip" and not rest:
        return 0
    piles = [tuple(map(card, pile.split())) for pile in " ".join(rest).split("/")]
    if head == "collect" and len(piles) == 1:
        return Collect(piles[0])
    if head in {"deal", "reshuffle"} and len(piles) == 2:
        both = (piles[0], piles[1])
        return Deal(both) if head == "deal" else Reshuffle(both)
    raise Malformed(
        f"{text!r} means nothing in War: write flip, deal ... / ..., reshuffle ... / ... or collect ...", what=text
    )


def _spaced(pile: Pile) -> str:
    return " ".join(WORDS[card_] for card_ in pile)


def to_text(what: WarState | WarView) -> str:
    """A state or a view in one line."""
    if isinstance(what, WarView):
        return f"view={'all' if what.seat is None else what.seat} {_line(what, sides(what))}"
    return _line(view_of(what, None), what.cards)


def _line(view: WarView, cards: tuple[Side, Side]) -> str:
    """The line of a view, with the cards that it does not show from `cards`: a side's played cards, then its pile."""
    table, draw = [], []
    for shown, side, played in zip(sides(view), cards, map(len, view.table), strict=True):
        words = [_word(*pair) for pair in zip(shown, side, strict=True)]
        lying = zip(words[:played], shown, strict=False)
        table.append("".join(word if card_ in view.turned else f"({word})" for word, card_ in lying))
        draw.append("".join(words[played:]))
    return (
        f"due={view.due} rounds={view.rounds} wars={view.wars} redeals={view.redeals} "
        f"by={view.by.replace(' ', '_') or '-'} table={_pair(table)} draw={_pair(draw)} "
        f"members={_pair([_joined(cards) for cards in view.members])} log={','.join(map(_joined, view.log)) or '-'}"
    )


def _word(shown: Card | None, hidden: Card | None) -> str:
    if shown is not None:
        return WORDS[shown]
    return "??" if hidden is None else WORDS[hidden].lower()


def _joined(cards: Pile) -> str:
    return "".join(WORDS[card_] for card_ in cards)


def _pair(words: list[str]) -> str:
    return "/".join(word or "-" for word in words)


def read_state(rules: WarOptions, text: str) -> WarState:
    """The state in a line. Raises `Malformed`."""
    view, (side0, side1) = _read(rules, text, None)
    cards = tuple(card_ for card_ in side0 if card_ is not None), tuple(card_ for card_ in side1 if card_ is not None)
    if (len(cards[0]), len(cards[1])) != (len(side0), len(side1)):
        raise Malformed("a state holds every card: ?? stands in views only", what=text, where="draw")
    state = state_of(view, cards)
    check_state(rules, state)
    return state


def read_view(rules: WarOptions, text: str, seat: Seat | None) -> WarView:
    """The view of a seat, or of a spectator (None), in a line. Raises `Malformed`."""
    view, cards = _read(rules, text, seat)
    if cards != sides(view):
        raise Malformed("a view holds no card that is not known: write ?? for it", what=text, where="draw")
    return view


class _Token(NamedTuple):
    """A card in a position: None if it is `??`; whether all know it; whether it lies face down on the table."""

    card: Card | None
    known: bool
    down: bool


def _read(rules: WarOptions, text: str, seat: Seat | None) -> tuple[WarView, tuple[Side, Side]]:
    """What a line shows to all, and the cards that it holds."""
    words = fields(text, _FIELDS)
    (table0, table1), (draw0, draw1) = _tokens(words["table"], "table"), _tokens(words["draw"], "draw")
    if words["due"] not in get_args(Due):
        raise Malformed(f"due is one of {', '.join(get_args(Due))}, not {words['due']!r}", where="due")
    due: Due = words["due"]  # type: ignore[assignment]  # it has just been looked up
    by = words["by"].replace("_", " ").replace("-", "")
    if by not in get_args(By):
        raise Malformed(f"by is not an ending: {words['by']!r}", where="by")
    members0, members1 = (_known(side, "members") for side in _tokens(words["members"], "members"))
    log = [] if words["log"] == "-" else words["log"].split(",")
    view = WarView(
        seat=seat,
        to_act=TO_ACT[due],
        legal=(0,) if seat in TO_ACT[due] else (),
        due=due,
        draw=(_shown(draw0), _shown(draw1)),
        table=(_shown(table0), _shown(table1)),
        turned=_turned(table0, table1),
        members=(members0, members1),
        rounds=number(words["rounds"], "rounds"),
        wars=number(words["wars"], "wars"),
        redeals=number(words["redeals"], "redeals"),
        by=by,  # type: ignore[arg-type]  # likewise
        log=tuple(_known(_side(entry, "log"), "log") for entry in log),
    )
    check_view(rules, view)
    return view, (_held(table0 + draw0), _held(table1 + draw1))


def _tokens(text: str, name: str) -> tuple[list[_Token], list[_Token]]:
    first, slash, second = text.partition("/")
    if not slash:
        raise Malformed(f"{name} is for both seats, with / between, not {text!r}", what=text, where=name)
    return _side(first, name), _side(second, name)


def _side(text: str, name: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(text) and text != "-":
        match = _TOKEN.match(text, at)
        if match is None:
            raise Malformed(f"{text[at : at + 4]!r} in {name} is no card", what=text, where=name)
        word = match[2]
        tokens.append(_Token(None if word == "??" else card(word), word == word.upper() != "??", match[1] is not None))
        at = match.end()
    return tokens


def _known(tokens: list[_Token], name: str) -> Pile:
    cards = tuple(token.card for token in tokens if token.card is not None and token.known and not token.down)
    if len(cards) != len(tokens):
        raise Malformed(f"{name} holds known cards only, in capital letters", where=name)
    return cards


def _shown(tokens: list[_Token]) -> Side:
    return tuple(token.card if token.known else None for token in tokens)


def _held(tokens: list[_Token]) -> Side:
    return tuple(token.card for token in tokens)


def _turned(table0: list[_Token], table1: list[_Token]) -> Pile:
    """The pairs compared: a seat that had nothing to add has its last card compared again."""
    up0, up1 = ([token.card for token in table if not token.down] for table in (table0, table1))
    flips = max(len(up0), len(up1))
    if not up0 or not up1:
        return ()
    pairs = ((up0[min(i, len(up0) - 1)], up1[min(i, len(up1) - 1)]) for i in range(flips))
    return tuple(card_ for pair in pairs for card_ in pair if card_ is not None)
