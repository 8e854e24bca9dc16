"""Games for research, with the consent of their players."""

from typing import Final

from sqlalchemy import Connection, delete

from faceup.server.accounts.player_ids import rows_about
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.research import routes
from faceup.server.research.schema import research_consents

_TABLES: Final = (
    PersonalTable(
        research_consents,
        ("player",),
        what="who gives games for research, and since when",
        why="to export only games of people who consent, and to prove the consent",
        until="the player, or earlier when they withdraw it",
        exported="research",
        setting="research_export",
    ),
)


def _merge(connection: Connection, source: str, _: str) -> None:
    """Forget the consent of a guest. The choice of the account remains."""
    connection.execute(delete(research_consents).where(research_consents.c.player == source))


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {"research": rows_about(connection, research_consents.c.player, player)}


FEATURE: Final = Feature("research", routes=routes_in(routes), tables=_TABLES, merge=_merge, export=_export)
