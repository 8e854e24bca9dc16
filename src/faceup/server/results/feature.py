"""Results, ratings, ladders and statistics."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.accounts.players import find_player
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.results import routes
from faceup.server.results.erasure import erase_results
from faceup.server.results.history import every_game, hand_standings, ratings_of
from faceup.server.results.ingest import merge_standings
from faceup.server.results.schema import games, hand_totals, ratings, results, seat_reviews
from faceup.server.results.seat_reviews import coach_findings

_TABLES: Final = (
    PersonalTable(games),
    PersonalTable(
        results,
        ("who",),
        what="ids, scores",
        why="for histories and ratings",
        until="the table, if no player of it is left who is not erased; with the player, the id is replaced",
        guest="seats, hosts and results keep the id under which they were taken, which readers resolve",
        exported="games",
    ),
    PersonalTable(
        seat_reviews,
        ("findings",),
        what="what the coach found in the choices of a seat",
        why="for the statistics of the player",
        until="the result; the player",
        exported="coach",
    ),
    PersonalTable(ratings, ("who",), what="ratings", why="for the ladder", until="the player", exported="ratings"),
    PersonalTable(
        hand_totals,
        ("who",),
        what="sums over all hands",
        why="for the statistics of the player",
        until="the player",
        exported="hands",
    ),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {
        "ratings": ratings_of(connection, player),
        "hands": hand_standings(connection, player),
        "coach": coach_findings(connection, player),
        "games": list(every_game(connection, find_player(connection, player))),
    }


FEATURE: Final = Feature(
    "results",
    routes=routes_in(routes),
    tasks=lambda services: (services.results_ingest.task, services.seat_reviews.task),
    tables=_TABLES,
    merge=merge_standings,
    export=_export,
    erase=erase_results,
)
