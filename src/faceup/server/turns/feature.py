"""Games with days per move, and notices of turns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, delete, select, update

from faceup.server.accounts.player_ids import move_rows
from faceup.server.accounts.schema import one_time_codes
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.process.periodic import Cleanup, Task
from faceup.server.turns import mail_routes, push_routes, routes
from faceup.server.turns.mail_addresses import find_address, find_new_address
from faceup.server.turns.push_subscriptions import export_subscriptions
from faceup.server.turns.queries import export_turns
from faceup.server.turns.schema import mail_addresses, new_mail_addresses, push_subscriptions

if TYPE_CHECKING:
    from faceup.server.http.services import Services


def _tasks(services: "Services") -> Sequence[Task]:
    by_mail = (services.mail_delivery,) if services.mailer.enabled else ()
    return (Cleanup(services.push.close), services.turn_delivery, *by_mail)


_TABLES: Final = (
    PersonalTable(
        push_subscriptions,
        ("session", "endpoint", "p256dh", "auth"),
        what="the address of a browser at its push service, and its keys",
        why="for notices of turns, which the player asked for",
        until="the session; the player",
        exported="push",
    ),
    PersonalTable(
        mail_addresses,
        ("player", "address"),
        what="the mail address",
        why="for notices of turns, which the player asked for",
        until="the player, who can also delete it",
        exported="mail",
    ),
    PersonalTable(
        new_mail_addresses,
        ("player", "address"),
        what="a mail address that is not confirmed yet",
        why="to confirm it",
        until="the confirmation or a day; the player",
        exported="new_mail",
    ),
)


def _merge(connection: Connection, source: str, target: str) -> None:
    """Give the addresses of `source`, with the code for a new one, to `target`, as far as that one has none."""
    new = connection.execute(select(new_mail_addresses).where(new_mail_addresses.c.player == target)).first()
    code = one_time_codes.c.purpose == "mail"
    connection.execute(delete(one_time_codes).where(one_time_codes.c.player == (source if new else target), code))
    connection.execute(update(one_time_codes).where(one_time_codes.c.player == source, code).values(player=target))
    for table in (mail_addresses, new_mail_addresses):
        move_rows(connection, table.c.player, source, target)


def _export(connection: Connection, player: str) -> dict[str, object]:
    """Return where a player gets notices, and the turns that they are about."""
    return {
        "mail": find_address(connection, player),
        "new_mail": find_new_address(connection, 0, player),
        "push": export_subscriptions(connection, player),
        "turns": export_turns(connection, player),
    }


FEATURE: Final = Feature(
    "turns",
    routes=routes_in(push_routes, mail_routes, routes),
    tasks=_tasks,
    tables=_TABLES,
    merge=_merge,
    export=_export,
)
