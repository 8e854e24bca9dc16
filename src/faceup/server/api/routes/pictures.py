"""Pictures: a table as its game draws it, and the code that a phone opens it with."""

from io import BytesIO
from typing import Final

import segno
from litestar import Response, get
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from faceup.core import find_game
from faceup.server.api.headers import PICTURE_POLICY
from faceup.server.api.routes.tables import link_to, row_of, viewer
from faceup.server.api.services import Asker, Services

SVG: Final = "image/svg+xml"


@get("/api/tables/{table:str}/drawing.svg", tags=["tables"], media_type=SVG)
async def drawing(table: FromPath[str], services: Given[Services], asker: Given[Asker]) -> Response[str]:
    """The table as I may see it, drawn."""
    sight = await services.desk.sight(table, await viewer(services, asker, table))
    rules = sight.opening.rules()
    names = tuple(seat.name if seat else f"Seat {number}" for number, seat in enumerate(sight.seats))
    return _picture(find_game(rules.game).drawings["svg"](sight.view, names=names, rules=rules))


@get("/api/tables/{table:str}/link.svg", tags=["tables"], media_type=SVG)
async def link(table: FromPath[str], services: Given[Services], asker: Given[Asker]) -> Response[str]:
    """The table's link as a QR code."""
    await row_of(services, table)
    out = BytesIO()
    segno.make(link_to(services, asker, table), micro=False).save(
        out, kind="svg", scale=4, border=4, light="white", xmldecl=False, svgns=True
    )
    return _picture(out.getvalue().decode())


def _picture(svg: str) -> Response[str]:
    return Response(svg, media_type=SVG, headers={"content-security-policy": PICTURE_POLICY})


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (drawing, link)
