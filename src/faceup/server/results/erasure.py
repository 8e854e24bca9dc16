"""Erasure of players from results and statistics."""

import sqlalchemy as sa

from faceup.server.accounts.players import Erasure, add_erased_players
from faceup.server.results.ingest import STANDINGS
from faceup.server.results.schema import hand_totals, ratings, results
from faceup.server.results.seat_reviews import delete_findings
from faceup.server.store.queries import lock


def erase_results(connection: sa.Connection, erasure: Erasure) -> None:
    """Give the results of players to their pseudonyms, and delete their ratings and statistics."""
    ids = tuple(erasure.pseudonyms)
    delete_findings(connection, ids)
    ranked = set(connection.execute(sa.select(results.c.who).where(results.c.who.in_(ids)).distinct()).scalars())
    for player in sorted(ranked):
        connection.execute(results.update().where(results.c.who == player).values(who=erasure.pseudonyms[player]))
    lock(connection, STANDINGS)
    for table in (ratings, hand_totals):
        connection.execute(table.delete().where(table.c.who.in_(ids)))
    add_erased_players(connection, erasure.now, [erasure.pseudonyms[player] for player in ranked])
