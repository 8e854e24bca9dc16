"""The name of the site and its titles of games, for everything that the server writes.

Texts are written in many places, also by background tasks and worker processes. Each process of a server sets the site
of its context at its start, and each request that of its server.
"""

from contextvars import ContextVar
from typing import Final

import msgspec

from faceup.core import find_game
from faceup.server.process.openid_settings import OpenIdSettings
from faceup.server.process.site_settings import SiteSettings, contact_uri


class Site(msgspec.Struct, frozen=True, omit_defaults=True):
    """The name of a site, and the titles of games that its host has chosen, by the games' names."""

    name: str = "faceup"
    titles: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, settings: SiteSettings) -> "Site":
        """Return the site of a server with these settings."""
        return cls(settings.site_name, settings.titles)

    def title(self, game: str) -> str | None:
        """Return the title that the host has chosen for a game; None if there is none."""
        return dict(self.titles).get(game)

    def retitled(self, title: str) -> str | None:
        """Return the title that the host has chosen for the game with this usual title; None if there is none.

        >>> Site(titles=(("nimmt", "Ox Parade"),)).retitled("6 nimmt!")
        'Ox Parade'
        """
        return next((own for game, own in self.titles if find_game(game).title == title), None)


class PageSite(msgspec.Struct, frozen=True, omit_defaults=True):
    """What every page knows of the site. Addresses that the host has not set are empty.

    Attributes:
        name: the name of the site.
        titles: the titles of games that the host has chosen, by the games' names.
        imprint: address of the imprint.
        privacy: address of the privacy policy.
        terms: address of the terms, which new accounts must accept.
        age: the age that new accounts must confirm; 0 for none.
        contact: address of the operator, as a URI.
        openid: name of the OpenID provider at which people can log in; "" for none.
    """

    name: str = "faceup"
    titles: dict[str, str] = {}
    imprint: str = ""
    privacy: str = ""
    terms: str = ""
    age: int = 0
    contact: str = ""
    openid: str = ""

    @classmethod
    def of(cls, settings: OpenIdSettings) -> "PageSite":
        """Return what the pages of a server with these settings know of it."""
        return cls(
            name=settings.site_name,
            titles=dict(settings.titles),
            imprint=settings.imprint_url,
            privacy=settings.privacy_url,
            terms=settings.terms_url,
            age=settings.minimum_age,
            contact=settings.contact and contact_uri(settings.contact),
            openid=settings.openid_name if settings.openid_issuer else "",
        )


_DEFAULT: Final = Site()
SITE: Final[ContextVar[Site]] = ContextVar("site", default=_DEFAULT)
"""The site of this context."""
