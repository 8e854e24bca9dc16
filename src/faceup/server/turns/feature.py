"""Games with days per move, and notices of turns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.process.periodic import Cleanup, Task
from faceup.server.turns import mail_routes, push_routes, routes
from faceup.server.turns.player_data import export_notices, merge_mail_addresses
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


FEATURE: Final = Feature(
    "turns",
    routes=routes_in(push_routes, mail_routes, routes),
    tasks=_tasks,
    tables=_TABLES,
    merge=merge_mail_addresses,
    export=export_notices,
)
