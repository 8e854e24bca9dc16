"""Games with days per move, and notices of turns."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from faceup.server.feature import Feature, routes_in
from faceup.server.process.periodic import Cleanup, Task
from faceup.server.turns import mail_routes, push_routes, routes

if TYPE_CHECKING:
    from faceup.server.http.services import Services


def _tasks(services: "Services") -> Sequence[Task]:
    by_mail = (services.mail_delivery,) if services.mailer.enabled else ()
    return (Cleanup(services.push.close), services.turn_delivery, *by_mail)


FEATURE: Final = Feature("turns", routes=routes_in(push_routes, mail_routes, routes), tasks=_tasks)
