"""Actions, deals and positions as text."""

from itertools import chain
from typing import TYPE_CHECKING

from faceup.core import CHANCE, Action, Malformed
from faceup.core.notation import fields, number, viewer, viewer_text
from goofspiel.state import Cards, Deal, Round, Seen, Table

if TYPE_CHECKING:
    from goofspiel.rules import Goofspiel  # not imported at run time, because the rules import this module


def describe(rules: "Goofspiel", what: Action | Deal) -> str:
    """Return `bid 7`, or for two seats `deal 3 9 / 4 1 for 2 1`."""
    if isinstance(what, Deal):
        hands = " / ".join(" ".join(map(str, hand)) for hand in what.hands)
        return f"deal {hands} for {' '.join(map(str, what.prizes))}"
    if 0 <= what < rules.cards:
        return f"bid {what + 1}"
    raise Malformed(f"{what} is not an action of Goofspiel", what=what)


def parse(rules: "Goofspiel", text: str) -> Action | Deal:
    """Parse what `describe` returns, ignoring case and extra spaces."""
    match text.lower().split():
        case ["bid", word] if 1 <= (card := number(word, "a card")) <= rules.cards:
            return card - 1
        case ["deal", *words] if "for" in words:
            hands, _, prizes = " ".join(words).partition(" for ")
            return Deal(tuple(_cards(hand, " ") for hand in hands.split(" / ")), _cards(prizes, " "))
    raise Malformed(
        f"{text!r} is not a move of Goofspiel: write `bid CARD`, with a card from 1 to {rules.cards}", what=text
    )


def to_text(what: Table | Seen) -> str:
    """Return `hands=3,9/4,7 prizes=2,1 points=0,0 log=-`, or `view=0 hand=3,9 prize=2 points=0,0 log=-`."""
    log = ";".join(f"{past.prize}:{_listed(past.bids)}" for past in what.log) or "-"
    rest = f"points={_listed(what.points)} log={log}"
    if isinstance(what, Seen):
        return f"{viewer_text(what.seat)} hand={_listed(what.hand)} prize={what.prize} {rest}"
    return f"hands={'/'.join(map(_listed, what.hands)) or '-'} prizes={_listed(what.prizes)} {rest}"


def from_text(rules: "Goofspiel", text: str) -> Table | Seen:
    """Parse what `to_text` returns."""
    is_view, seat, rest = viewer(text, rules.seats)
    names = ("hand", "prize") if is_view else ("hands", "prizes")
    given = fields(rest, (*names, "points", "log"))
    points = _cards(given["points"])
    log = () if given["log"] == "-" else tuple(map(_round, given["log"].split(";")))
    if not is_view:
        hands = (
            () if given["hands"] == "-" else tuple(tuple(sorted(_cards(hand))) for hand in given["hands"].split("/"))
        )
        state = Table(hands, _cards(given["prizes"]), points, log)
        _check(rules, hands, state.prizes, state)
        if [*map(len, hands)] != [len(state.prizes)] * (rules.seats if hands or state.prizes else 0):
            raise Malformed(f"{rules.seats} hands must have a card for each prize", what=text, where="hands")
        return state
    hand, prize = tuple(sorted(_cards(given["hand"]))), number(given["prize"], "the prize")
    to_act = tuple(range(rules.seats)) if prize else () if log else (CHANCE,)
    legal = tuple(card - 1 for card in hand) if prize else ()
    view = Seen(seat, to_act, legal, hand, prize, points, log)
    _check(rules, (hand,), (prize,) if prize else (), view)
    if len(hand) != (rules.hand - len(log) if prize and seat is not None else 0):
        raise Malformed("a seat must have a card for each round that is left, and a spectator none", what=text)
    if not prize and len(log) not in {0, rules.hand}:
        raise Malformed("there must be a prize between the first round and the last", what=text, where="prize")
    return view


def _check(rules: "Goofspiel", hands: tuple[Cards, ...], prizes: Cards, what: Table | Seen) -> None:
    """Raise `Malformed` if a card or a prize is impossible or occurs twice, or if a list has a wrong length."""
    played = [*chain(*hands), *chain(*(past.bids for past in what.log))]
    offered = [*prizes, *(past.prize for past in what.log)]
    for name, cards, highest in (("card", played, rules.cards), ("prize", offered, rules.hand)):
        if sorted(set(cards)) != sorted(cards) or not all(1 <= card <= highest for card in cards):
            raise Malformed(f"each {name} must be 1 to {highest}, and occur once", what=cards, where=name)
    if {len(what.points), *(len(past.bids) for past in what.log)} != {rules.seats}:
        raise Malformed(
            f"`points` and each round of the log must have {rules.seats} numbers", what=what, where="points"
        )


def _round(text: str) -> Round:
    prize, _, bids = text.partition(":")
    return Round(number(prize, "a prize"), _cards(bids))


def _cards(text: str, separator: str = ",") -> Cards:
    return () if text == "-" else tuple(number(word, "a card") for word in text.split(separator))


def _listed(cards: Cards) -> str:
    return ",".join(map(str, cards)) or "-"
