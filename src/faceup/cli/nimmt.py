"""`faceup nimmt place`: place the cards of one turn."""

from argparse import Namespace
from typing import Any

import msgspec

from faceup.cli.lists import numbers, rows
from faceup.cli.ndjson import Answer
from faceup.core import Malformed
from faceup.games.nimmt.events import Placed, Took
from faceup.games.nimmt.parameters import MOST_SEATS, Parameters
from faceup.games.nimmt.placing import PlacingTable
from faceup.games.nimmt.validation import check_distinct, check_rows


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """The rows, the card of each seat, and the row taken by a card that is lower than the last card of every row."""

    rows: list[list[int]]
    plays: list[int]
    take: int | None = None


def from_flags(arguments: Namespace) -> dict[str, Any]:  # Any: JSON
    """Return the request fields given on the command line. Raises `Malformed` if a card or row is not a number."""
    query: dict[str, Any] = {}
    if arguments.rows is not None:
        query["rows"] = rows(arguments.rows, "rows")
    if arguments.plays is not None:
        query["plays"] = numbers(arguments.plays, "plays")
    if arguments.take is not None:
        query["take"] = arguments.take
    return query


def answer(turn: Request) -> Answer:
    """Place the cards.

    Returns:
        `{"rows", "placed": [{"seat", "card", "row", "took"}, ... in the order placed], "heads": [per seat]}`, or
        `{"needs": {"seat", "card"}}` if a card is lower than the last card of every row and `take` is null.

    Raises:
        Malformed: a row is unsorted or too long, a card is out of range or duplicated, or `take` is not a row.

    >>> answer(Request([[5], [6], [88], [29]], [7, 44]))["rows"]
    [[5], [6, 7], [88], [29, 44]]
    """
    defaults = Parameters()
    before = tuple(map(tuple, turn.rows))
    if not 2 <= len(turn.plays) <= MOST_SEATS:
        raise Malformed(
            f"plays must have 2 to {MOST_SEATS} cards; got {len(turn.plays)}", what=turn.plays, where="plays"
        )
    check_rows(before, defaults.rows, defaults.capacity, defaults.cards)
    check_distinct([*(card for row in before for card in row), *turn.plays], defaults.cards)

    order = sorted((card, seat) for seat, card in enumerate(turn.plays))
    table = PlacingTable(before, defaults.capacity, [()] * len(order), [0] * len(order), [])
    if table.place(order[:1]) == 0:
        card, seat = order[0]
        if turn.take is None:
            return {"needs": {"seat": seat, "card": card}}
        if not 0 <= turn.take < defaults.rows:
            raise Malformed(f"take must be 0 to {defaults.rows - 1}; got {turn.take}", what=turn.take, where="take")
        table.take(seat, card, turn.take, chosen=True)
    table.place(order[1:])
    placed = [
        {
            "seat": event.seat,
            "card": event.card,
            "row": event.row,
            "took": list(event.cards) if isinstance(event, Took) else [],
        }
        for event in table.events
        if isinstance(event, Placed | Took)
    ]
    return {"rows": list(map(list, table.rows)), "placed": placed, "heads": table.heads}


def format_answer(result: Answer) -> str:
    """Return the answer as text."""
    if "needs" in result:
        return "seat {seat}'s {card} is lower than every row; use --take to choose the row it takes".format(
            **result["needs"]
        )
    lines = [f"row {index}: {' '.join(map(str, row))}" for index, row in enumerate(result["rows"])]
    for placed in result["placed"]:
        took = f", takes {' '.join(map(str, placed['took']))}" if placed["took"] else ""
        lines.append(f"seat {placed['seat']}: {placed['card']} to row {placed['row']}{took}")
    return "\n".join([*lines, "heads: " + " ".join(map(str, result["heads"]))])
