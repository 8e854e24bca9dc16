"""Results, ratings, ladders and statistics."""

from typing import Final

from sqlalchemy import Connection, select

from faceup.server.accounts.players import Erasure, add_erased_players, find_player
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.results import routes
from faceup.server.results.history import every_game, hand_standings, ratings_of
from faceup.server.results.ingest import STANDINGS, merge_standings
from faceup.server.results.schema import games, hand_totals, ratings, results, seat_reviews
from faceup.server.results.seat_reviews import coach_findings, delete_findings
from faceup.server.results.standing_ids import program_id
from faceup.server.store.queries import lock

_TABLES: Final = (
    PersonalTable(games),
    PersonalTable(
        results,
        ("who",),
        what="ids, scores",
        why="for histories and ratings",
        until="the table, if all its players are erased; with the player, the id is replaced",
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
        "games": every_game(connection, find_player(connection, player)),
    }


def _erase(connection: Connection, erasure: Erasure) -> None:
    """Give the results of players to their pseudonyms, and delete their ratings and statistics."""
    ids = tuple(erasure.pseudonyms)
    delete_findings(connection, ids)
    ranked = set(connection.execute(select(results.c.who).where(results.c.who.in_(ids)).distinct()).scalars())
    for player in sorted(ranked):
        connection.execute(results.update().where(results.c.who == player).values(who=erasure.pseudonyms[player]))
    lock(connection, STANDINGS)
    for table in (ratings, hand_totals):
        connection.execute(table.delete().where(table.c.who.in_((*ids, *map(program_id, ids)))))
    add_erased_players(connection, {erasure.pseudonyms[player]: erasure.now for player in ranked})


FEATURE: Final = Feature(
    "results",
    routes=routes_in(routes),
    tasks=lambda services: (services.results_ingest.task, services.seat_reviews.task),
    tables=_TABLES,
    merge=merge_standings,
    export=_export,
    erase=_erase,
)
