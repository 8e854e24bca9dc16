"""Routes that say who runs the server: the page `/about`, the privacy text, and `security.txt`."""

from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.metadata import metadata, version
from importlib.resources import files
from typing import Annotated, Final

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency as Given
from litestar.params import QueryParameter

from faceup.server.accounts.errors import NotFoundError
from faceup.server.http.services import AnyRequest, Services, caller_of
from faceup.server.privacy import privacy_text
from faceup.server.process.site_settings import SiteSettings, contact_uri
from faceup.server.retention_periods import retention_periods
from faceup.translations import Language

_SOURCE: Final = "https://github.com/faceup-games/faceup"
_EXPIRES: Final = timedelta(days=180)
"""How long `security.txt` is valid. RFC 9116 recommends less than a year."""


class Licence(msgspec.Struct, frozen=True, kw_only=True):
    """The licence of a part of the program that the server passes on to browsers."""

    part: str
    licence: str
    text: str


class About(msgspec.Struct, frozen=True, kw_only=True):
    """Who runs the server, and with which program.

    Attributes:
        name: the name of the site.
        version: the version of faceup.
        source: the address of its source code.
        licence: the licence of faceup.
        licences: the licences of the parts by others.
        contact: the mail address or page of the operator; "" if there is none.
        imprint: the address of the imprint; "" if there is none.
        privacy: the address of the privacy policy; "" if it is the page `/privacy`.
        terms: the address of the terms; "" if there are none.
        minimum_age: the age that new accounts must confirm; 0 for none.
    """

    name: str
    version: str
    source: str
    licence: str
    licences: tuple[Licence, ...]
    contact: str
    imprint: str
    privacy: str
    terms: str
    minimum_age: int


@get("/api/about", tags=["server"])
async def about(services: Given[Services]) -> About:
    """Get who runs the server, and with which program."""
    return about_site(services.settings)


def about_site(settings: SiteSettings) -> About:
    """Return who runs a server with these settings, and with which program."""
    return About(
        name=settings.site_name,
        version=version("faceup"),
        source=_SOURCE,
        licence=metadata("faceup")["License-Expression"] or "MIT",
        licences=_licences(),
        contact=settings.contact,
        imprint=settings.imprint_url,
        privacy=settings.privacy_url,
        terms=settings.terms_url,
        minimum_age=settings.minimum_age,
    )


@cache
def _licences() -> tuple[Licence, ...]:
    """Return the licences of the vendored libraries and fonts."""
    vendor = files("faceup.web") / "vendor"
    packages = msgspec.json.decode((vendor / "vendor.json").read_bytes())["packages"]
    fonts = files("faceup.server.pictures") / "fonts" / "OFL.txt"
    return (
        *(
            Licence(
                part=f"{name} {package['version']}",
                licence=package["licence"],
                text=(vendor / name / "LICENSE").read_text("utf-8"),
            )
            for name, package in packages.items()
        ),
        Licence(part="Nunito, Noto Sans SC", licence="OFL-1.1", text=fonts.read_text("utf-8")),
    )


PrivacyLanguage = Annotated[Language, QueryParameter(name="lang", description="The language of the text")]


@get("/api/privacy", tags=["server"], media_type="text/markdown")
async def privacy(services: Given[Services], language: PrivacyLanguage = "en") -> str:
    """Get what the server stores about people, why, and how long (Markdown)."""
    return privacy_text(language, services.settings, await services.query(retention_periods))


@get("/.well-known/security.txt", include_in_schema=False, media_type=MediaType.TEXT)
async def security_txt(request: AnyRequest, services: Given[Services]) -> Response[str]:
    """Return how to report vulnerabilities (RFC 9116), if the host has set it."""
    settings = services.settings
    if not settings.security_contact:
        raise NotFoundError("there is nothing at this address")
    now = datetime.fromtimestamp(services.store.now() / 1000, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    origin = settings.public_url or caller_of(request).origin
    lines = (
        f"Contact: {contact_uri(settings.security_contact)}",
        f"Expires: {(now + _EXPIRES).isoformat().replace('+00:00', 'Z')}",
        f"Canonical: {origin}{settings.base_path}/.well-known/security.txt",
    )
    return Response("".join(f"{line}\n" for line in lines), media_type=MediaType.TEXT)
