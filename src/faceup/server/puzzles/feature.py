"""Puzzles."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.puzzles import routes
from faceup.server.puzzles.queries import merge_puzzle_answers, puzzle_answers_of
from faceup.server.puzzles.schema import puzzle_answers, puzzle_totals

_TABLES: Final = (
    PersonalTable(
        puzzle_answers,
        ("player",),
        what="who answered which puzzle how, and when",
        why="for the rating of the player, and the next puzzle",
        until="the player",
        exported="puzzles",
    ),
    PersonalTable(puzzle_totals),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {"puzzles": puzzle_answers_of(connection, player)}


FEATURE: Final = Feature(
    "puzzles", routes=routes_in(routes), tables=_TABLES, merge=merge_puzzle_answers, export=_export
)
