"""Numeric observations of War for learning environments. Both seats have the same knowledge."""

from array import array
from collections.abc import Sequence

from faceup.core.observation import ObservationPiece, ObservationSpec, ScoreSpec
from faceup.games.war.cards import Card, deck
from faceup.games.war.parameters import WarParameters
from faceup.games.war.state import WarView
from faceup.games.war.transitions import REDEALS


def public(rules: WarParameters) -> tuple[ObservationPiece, ...]:
    """List the observation pieces that everyone knows."""
    cards = rules.per_suit * rules.suits
    place = "1 + the card if it is known, 2 + the highest card if it is unknown, 0 if there is no card"
    rounds = rules.cap + 1 + REDEALS
    return (
        ObservationPiece("choosing", (2,), 1, "1 for each seat that must flip", seat_axis=0),
        ObservationPiece("draw", (2, cards), _unknown(rules), f"each draw pile from the top: {place}", seat_axis=0),
        ObservationPiece("table", (2, cards), _unknown(rules), f"each seat's cards on the table: {place}", seat_axis=0),
        ObservationPiece(
            "members",
            (2, 4 * rules.per_suit),
            1,
            "1 for each card known to be on that seat's side, but not where; by rank * 4 + suit",
            seat_axis=0,
        ),
        ObservationPiece("rounds", (1,), rounds, "the number of finished rounds"),
        ObservationPiece("wars", (1,), rounds * cards, "the number of wars"),
        ObservationPiece("redeals", (1,), REDEALS, "the number of redeals"),
    )


def _unknown(rules: WarParameters) -> int:
    return 2 + deck(rules.per_suit, rules.suits)[-1]


def write_public(rules: WarParameters, view: WarView) -> "array[float]":
    """Return the numbers of all pieces that `public` lists, in that order."""
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


def _all_or_nothing(rules: WarParameters) -> tuple[int, int]:
    cards = rules.per_suit * rules.suits
    return -cards, cards


OBSERVATION = ObservationSpec(
    history="all public knowledge of the cards' places, including that from earlier rounds",
    own=lambda _: (),
    public=public,
    write_own=lambda _rules, _view: array("f"),
    write_public=write_public,
    points=ScoreSpec("cards", 1, step=_all_or_nothing, total=_all_or_nothing),
    small={"small": "war:standard per_suit=3 suits=2 reshuffle=0 cap=12 down=1"},
)
"""The observation that the game registers."""
