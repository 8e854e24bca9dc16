"""How the server is: for people, for what restarts it, and for what watches it."""

from importlib.metadata import version
from typing import Final

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler

from faceup.core.record import FORMAT
from faceup.server.api.services import Asker, Services
from faceup.server.api.web import web
from faceup.server.api.words import Me
from faceup.server.people import house
from faceup.server.people.players import find_player
from faceup.server.store import Frozen


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """Which server this is. A page whose files have another stamp loads itself anew."""

    faceup: str
    record_format: int
    page: str


class News(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody is to know now; nothing, most of the time.

    Attributes:
        announcement: what whoever runs the server has to say.
        registration: whether new players may come: `open`, `code` or `closed`.
        page: the stamp of the page's files.
        you: who asks, if that is known.
    """

    announcement: house.Announcement | None
    registration: str
    page: str
    you: Me | None


@get("/api/version", tags=["house"], sync_to_thread=False)
def which() -> Version:
    """Which server this is."""
    return Version(faceup=version("faceup"), record_format=FORMAT, page=web().stamp)


@get("/api/news", tags=["house"])
async def news(services: Given[Services], asker: Given[Asker]) -> News:
    """What whoever runs the server has to say, whether new players may come, and who asks: what a page begins with."""
    mine = asker.may("read").player if asker.identity is not None else None
    return await services.store.query(
        lambda connection: News(
            announcement=house.announcement(connection),
            registration=house.registration_of(connection, services.settings),
            page=web().stamp,
            you=None if mine is None else Me.of(find_player(connection, mine)),
        )
    )


@get("/api/health", tags=["house"], sync_to_thread=False, media_type=MediaType.TEXT)
def health() -> str:
    """The process answers."""
    return "ok\n"


@get("/api/ready", tags=["house"], media_type=MediaType.TEXT)
async def ready(services: Given[Services]) -> Response[str]:
    """The process can serve: the database answers, is of this version, and has a fresh heartbeat of this process."""
    if not await services.store.awake():
        raise Frozen("this process has given no heartbeat for some seconds")
    return Response("ok\n", media_type=MediaType.TEXT)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (which, news, health, ready)
