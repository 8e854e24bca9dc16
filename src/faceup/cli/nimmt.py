"""What `faceup nimmt place` answers."""

from argparse import Namespace

import msgspec

from faceup.cli.ndjson import Answer
from faceup.core import Malformed
from faceup.core.notation import number
from faceup.games.nimmt.events import Placed, Took
from faceup.games.nimmt.parameters import MOST_SEATS, Parameters
from faceup.games.nimmt.placing import Table
from faceup.games.nimmt.position import check_different, check_rows


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A turn: the rows, the card of each seat, and the row for a card that is below all of them."""

    rows: list[list[int]]
    plays: list[int]
    take: int | None = None


def from_flags(arguments: Namespace) -> Request:
    """The turn on the command line. Raises `Malformed`."""
    if not arguments.rows or not arguments.plays:
        raise Malformed("give --rows and --plays, or --ndjson with a turn a line on standard input")
    rows = [numbers(row, "rows") for row in arguments.rows.split("/")]
    return Request(rows, numbers(arguments.plays, "plays"), arguments.take)


def numbers(text: str, where: str) -> list[int]:
    """Cards joined by commas. Raises `Malformed`, saying `where` they are not."""
    return [number(word.strip(), f"a card of {where}") for word in text.split(",")]


def answer(turn: Request) -> Answer:
    """Place the cards.

    Returns:
        `{"rows", "placed": [{"seat", "card", "row", "took"}, ... in the order placed], "heads": [per seat]}`, or
        `{"needs": {"seat", "card"}}` if a card is below all tails and `take` is null.

    Raises:
        Malformed: rows out of order or too long, cards off range or twice, or a row that there is not.

    >>> answer(Request([[5], [6], [88], [29]], [7, 44]))["rows"]
    [[5], [6, 7], [88], [29, 44]]
    """
    usual = Parameters()
    rows = tuple(map(tuple, turn.rows))
    if not 2 <= len(turn.plays) <= MOST_SEATS:
        raise Malformed(f"2 to {MOST_SEATS} seats play, not {len(turn.plays)}", what=turn.plays, where="plays")
    check_rows(rows, usual.rows, usual.capacity, usual.cards)
    check_different([*(card for row in rows for card in row), *turn.plays], usual.cards)

    order = sorted((card, seat) for seat, card in enumerate(turn.plays))
    table = Table(rows, usual.capacity, [()] * len(order), [0] * len(order), [])
    if table.place(order[:1]) == 0:
        card, seat = order[0]
        if turn.take is None:
            return {"needs": {"seat": seat, "card": card}}
        if not 0 <= turn.take < usual.rows:
            raise Malformed(f"rows are 0 to {usual.rows - 1}, not {turn.take}", what=turn.take, where="take")
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


def words(result: Answer) -> str:
    """The answer for a person."""
    if "needs" in result:
        return "seat {seat}'s {card} is below every row: say which row it takes with --take".format(**result["needs"])
    lines = [f"row {index}: {' '.join(map(str, row))}" for index, row in enumerate(result["rows"])]
    for each in result["placed"]:
        took = f", takes {' '.join(map(str, each['took']))}" if each["took"] else ""
        lines.append(f"seat {each['seat']}: {each['card']} to row {each['row']}{took}")
    return "\n".join([*lines, "heads: " + " ".join(map(str, result["heads"]))])
