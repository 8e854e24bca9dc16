"""The audit log."""

from typing import Final

from sqlalchemy import Connection

from faceup.server.audit.log import acts_about, merge_acts
from faceup.server.audit.schema import audit_log
from faceup.server.feature import Feature, PersonalTable

_TABLES: Final = (
    PersonalTable(
        audit_log,
        ("actor", "player", "place", "restore"),
        what="what operators and hosts did on whom and where; who asked for the deletion of the account; banned "
        "addresses; hashes of the ids of banned and erased players",
        why="to account for it, and to repeat bans, deletions and erasures after the restore of an older backup",
        until="365 days; with the player, the id",
        exported="audit_log",
    ),
)


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {"audit_log": acts_about(connection, player)}


FEATURE: Final = Feature("audit", tables=_TABLES, merge=merge_acts, export=_export)
