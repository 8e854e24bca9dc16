"""War in numbers: the observation of a seat, for environments. The seats know alike."""

from array import array
from collections.abc import Sequence

from faceup.core.numbers import Numbers, Piece, Points
from faceup.games.war.cards import Card, deck
from faceup.games.war.options import WarOptions
from faceup.games.war.play import REDEALS
from faceup.games.war.state import WarView


def public(rules: WarOptions) -> tuple[Piece, ...]:
    """What all know."""
    cards = rules.per_suit * rules.suits
    place = "1 + the card where all know it, 2 + the highest card where nobody does, 0 where there is no card"
    rounds = rules.cap + 1 + REDEALS
    return (
        Piece("choosing", (2,), 1, "1 for each seat whose flip is awaited", seat_axis=0),
        Piece("draw", (2, cards), _unknown(rules), f"each draw pile from the top: {place}", seat_axis=0),
        Piece("table", (2, cards), _unknown(rules), f"each seat's cards on the table: {place}", seat_axis=0),
        Piece(
            "members",
            (2, 4 * rules.per_suit),
            1,
            "1 for each card known to be on that seat's side, but not where; by rank * 4 + suit",
            seat_axis=0,
        ),
        Piece("rounds", (1,), rounds, "the number of finished rounds"),
        Piece("wars", (1,), rounds * cards, "how often the compared cards were equal"),
        Piece("redeals", (1,), REDEALS, "how often the cards were dealt anew"),
    )


def _unknown(rules: WarOptions) -> int:
    return 2 + deck(rules.per_suit, rules.suits)[-1]


def write_public(rules: WarOptions, view: WarView) -> "array[float]":
    """The numbers of `public`."""
    size = rules.per_suit * rules.suits
    unknown = _unknown(rules)

    def padded(cards: Sequence[Card | None]) -> list[int]:
        shown = [unknown if card is None else card + 1 for card in cards]
        return shown + [0] * (size - len(shown))

    numbers = array("f", [float(seat in view.to_act) for seat in (0, 1)])
    for pile in (*view.draw, *view.table):
        numbers.extend(padded(pile))
    for cards in view.members:
        numbers.extend([float(card in cards) for card in range(4 * rules.per_suit)])
    numbers.extend([view.rounds, view.wars, view.redeals])
    return numbers


def _all_or_nothing(rules: WarOptions) -> tuple[int, int]:
    cards = rules.per_suit * rules.suits
    return -cards, cards


NUMBERS = Numbers(
    history="what all know of every card's place, which is all that earlier rounds can tell",
    own=lambda _: (),
    public=public,
    write_own=lambda _rules, _view: array("f"),
    write_public=write_public,
    points=Points("cards", 1, step=_all_or_nothing, total=_all_or_nothing),
    small={"small": "war:standard per_suit=3 suits=2 reshuffle=0 cap=12 down=1"},
)
"""What the game registers."""
