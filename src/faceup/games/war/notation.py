"""Text notation of War actions, outcomes and positions."""

import re
from typing import Final, NamedTuple, get_args

from faceup.core import Action, Malformed, Outcome, Seat
from faceup.core.notation import fields, number, viewer_text
from faceup.games.war.cards import CARD_NAMES, RANKS, SUITS, Card, Pile, card
from faceup.games.war.parameters import WarParameters
from faceup.games.war.public_knowledge import Side, sides, state_of, view_of
from faceup.games.war.state import TO_ACT, Collect, Due, Ending, Reshuffle, WarDeal, WarState, WarView
from faceup.games.war.validation import check_state, check_view

_FIELDS: Final = ("due", "rounds", "wars", "redeals", "by", "table", "draw", "members", "log")
_TOKEN: Final = re.compile(rf"(\()?([{RANKS}][{SUITS}]|[{RANKS.lower()}][{SUITS.lower()}]|\?\?)(?(1)\))")


def describe(what: Action | Outcome) -> str:
    """Return the text of an action or an outcome. Raises `Malformed`."""
    if isinstance(what, WarDeal):
        return f"deal {_spaced(what.piles[0])} / {_spaced(what.piles[1])}"
    if isinstance(what, Reshuffle):
        return f"reshuffle {_spaced(what.piles[0])} / {_spaced(what.piles[1])}"
    if isinstance(what, Collect):
        return f"collect {_spaced(what.cards)}"
    if what == 0:
        return "flip"
    raise Malformed(f"{what} is not an action of War: the only action is 0, to flip", what=what)


def parse(text: str) -> Action | Outcome:
    """Parse an action or an outcome, without checking it against a position. Raises `Malformed`."""
    head, *rest = text.lower().split() or [""]
    if head == "flip" and not rest:
        return 0
    piles = [tuple(map(card, pile.split())) for pile in " ".join(rest).split("/")]
    if head == "collect" and len(piles) == 1:
        return Collect(piles[0])
    if head in {"deal", "reshuffle"} and len(piles) == 2:
        both = (piles[0], piles[1])
        return WarDeal(both) if head == "deal" else Reshuffle(both)
    raise Malformed(
        f"{text!r} is not an action or outcome of War: write flip, deal ... / ..., reshuffle ... / ... or collect ...",
        what=text,
    )


def _spaced(pile: Pile) -> str:
    return " ".join(CARD_NAMES[card_] for card_ in pile)


def to_text(what: WarState | WarView) -> str:
    """Return a state or a view as one line."""
    if isinstance(what, WarView):
        return f"{viewer_text(what.seat)} {_line(what, sides(what))}"
    return _line(view_of(what, None), what.cards)


def _line(view: WarView, cards: tuple[Side, Side]) -> str:
    """Return a view as one line; `cards` are the cards of each side, played cards first, None for unknown cards."""
    table, draw = [], []
    for shown, side, played in zip(sides(view), cards, map(len, view.table), strict=True):
        words = [_word(*pair) for pair in zip(shown, side, strict=True)]
        on_table = zip(words[:played], shown, strict=False)
        table.append("".join(word if card_ in view.turned else f"({word})" for word, card_ in on_table))
        draw.append("".join(words[played:]))
    return (
        f"due={view.due} rounds={view.rounds} wars={view.wars} redeals={view.redeals} "
        f"by={view.by.replace(' ', '_') or '-'} table={_pair(table)} draw={_pair(draw)} "
        f"members={_pair([_joined(cards) for cards in view.members])} log={','.join(map(_joined, view.log)) or '-'}"
    )


def _word(shown: Card | None, hidden: Card | None) -> str:
    if shown is not None:
        return CARD_NAMES[shown]
    return "??" if hidden is None else CARD_NAMES[hidden].lower()


def _joined(cards: Pile) -> str:
    return "".join(CARD_NAMES[card_] for card_ in cards)


def _pair(words: list[str]) -> str:
    return "/".join(word or "-" for word in words)


def read_state(rules: WarParameters, text: str) -> WarState:
    """Parse a state from one line. Raises `Malformed`."""
    view, (side0, side1) = _read(rules, text, None)
    cards = tuple(card_ for card_ in side0 if card_ is not None), tuple(card_ for card_ in side1 if card_ is not None)
    if (len(cards[0]), len(cards[1])) != (len(side0), len(side1)):
        raise Malformed("a state must name every card, because ?? is allowed only in views", what=text, where="draw")
    state = state_of(view, cards)
    check_state(rules, state)
    return state


def read_view(rules: WarParameters, text: str, seat: Seat | None) -> WarView:
    """Parse the view of a seat, or of a spectator (None), from one line. Raises `Malformed`."""
    view, cards = _read(rules, text, seat)
    if cards != sides(view):
        raise Malformed("a view must not name cards that are not public: write ?? for them", what=text, where="draw")
    return view


class _Token(NamedTuple):
    """A card in the text of a position.

    Attributes:
        card: the card; None for `??`.
        known: whether everyone knows the card.
        down: whether it is face down on the table.
    """

    card: Card | None
    known: bool
    down: bool


def _read(rules: WarParameters, text: str, seat: Seat | None) -> tuple[WarView, tuple[Side, Side]]:
    """Parse a line into the public view and the cards of both sides."""
    words = fields(text, _FIELDS)
    (table0, table1), (draw0, draw1) = _tokens(words["table"], "table"), _tokens(words["draw"], "draw")
    if words["due"] not in get_args(Due):
        raise Malformed(f"due must be one of {', '.join(get_args(Due))}; got {words['due']!r}", where="due")
    due: Due = words["due"]  # type: ignore[assignment]  # checked above
    by = words["by"].replace("_", " ").replace("-", "")
    if by not in get_args(Ending):
        raise Malformed(f"by must be - or an ending, such as all_cards; got {words['by']!r}", where="by")
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
        by=by,  # type: ignore[arg-type]  # checked above
        log=tuple(_known(_side(entry, "log"), "log") for entry in log),
    )
    check_view(rules, view)
    return view, (_cards(table0 + draw0), _cards(table1 + draw1))


def _tokens(text: str, name: str) -> tuple[list[_Token], list[_Token]]:
    first, slash, second = text.partition("/")
    if not slash:
        raise Malformed(
            f"{name} must have two parts, one for each seat, separated by /; got {text!r}", what=text, where=name
        )
    return _side(first, name), _side(second, name)


def _side(text: str, name: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(text) and text != "-":
        match = _TOKEN.match(text, at)
        if match is None:
            raise Malformed(f"{text[at : at + 4]!r} in {name} is not a card", what=text, where=name)
        word = match[2]
        tokens.append(_Token(None if word == "??" else card(word), word == word.upper() != "??", match[1] is not None))
        at = match.end()
    return tokens


def _known(tokens: list[_Token], name: str) -> Pile:
    cards = tuple(token.card for token in tokens if token.card is not None and token.known and not token.down)
    if len(cards) != len(tokens):
        raise Malformed(f"{name} must have known cards only, in capital letters", where=name)
    return cards


def _shown(tokens: list[_Token]) -> Side:
    return tuple(token.card if token.known else None for token in tokens)


def _cards(tokens: list[_Token]) -> Side:
    return tuple(token.card for token in tokens)


def _turned(table0: list[_Token], table1: list[_Token]) -> Pile:
    """Return the compared pairs; if a seat has no card to add, its last face-up card is compared again."""
    up0, up1 = ([token.card for token in table if not token.down] for table in (table0, table1))
    flips = max(len(up0), len(up1))
    if not up0 or not up1:
        return ()
    pairs = ((up0[min(i, len(up0) - 1)], up1[min(i, len(up1) - 1)]) for i in range(flips))
    return tuple(card_ for pair in pairs for card_ in pair if card_ is not None)
