"""The settings with which a host presents a public server: its name, its legal pages, and the names of games."""

import re
from typing import Annotated, Final

from msgspec import Struct

from faceup.core import Malformed, find_game
from faceup.server.process.setting import Setting

_LONGEST: Final = 60
"""Maximum number of characters of a name."""


class SiteSettings(Struct, frozen=True, kw_only=True):
    """The settings with which a host presents a public server."""

    site_name: Annotated[str, Setting("name of the site on pages and in mails (default {default})", "NAME")] = "faceup"
    """Name of the site, which pages, previews, pictures, notices and mails show."""
    game_titles: Annotated[str, Setting('other titles of games: "nimmt=Ox Parade, war=Battle"', "GAME=TITLE,...")] = ""
    """Titles of games in place of the usual ones, such as `nimmt=Ox Parade, war=Battle`, in all languages.

    Some names of games are trade marks. The titles apply to everything that the server writes: pages, previews,
    pictures, notices, mails and the API.
    """
    imprint_url: Annotated[str, Setting("address of the imprint", "URL")] = ""
    """Address of the imprint: the page that names the operator of the server, which some countries require."""
    privacy_url: Annotated[str, Setting("address of the privacy policy (default: a page of the server)", "URL")] = ""
    """Address of the privacy policy. If empty, the page `/privacy` lists what the server stores, why and how long.

    `faceup admin privacy` prints this text, so that you can adapt it.
    """
    terms_url: Annotated[str, Setting("address of the terms, which new accounts must accept", "URL")] = ""
    """Address of the terms of use. New accounts must accept them, and the server stores when they did."""
    minimum_age: Annotated[
        int,
        Setting(
            "age that new accounts must confirm (default {default}: none)",
            "YEARS",
            range(100),
            "an age must be from 1 to 99; 0 means none",
        ),
    ] = 0
    """Age in years that people must confirm when they create an account. With 0, there is no such question."""
    contact: Annotated[str, Setting("mail address or page on which people reach you", "ADDRESS|URL")] = ""
    """Mail address or URL on which people reach the operator, for the page `/about` and the privacy text."""
    security_contact: Annotated[str, Setting("the same for reports of vulnerabilities", "ADDRESS|URL")] = ""
    """Mail address or URL for reports of vulnerabilities. If set, there is `/.well-known/security.txt` (RFC 9116)."""
    rate_programs: Annotated[bool, Setting("let games with programs change the ratings of people")] = False
    """Whether rated games change ratings although a program plays in them. Otherwise, they do so only among programs.

    A program is a player that uses an API token.
    """

    research_export: Annotated[
        bool, Setting("let people give their games for research, which `faceup admin research-export` exports")
    ] = False
    """Whether people can choose on the page of their account to give their games for research, without their names.

    `faceup admin research-export` writes these games. Without this setting, it writes none, and no one is asked.
    """

    def _check_site(self) -> None:
        """Raise `Malformed` for an invalid value."""
        for name in ("imprint_url", "privacy_url", "terms_url"):
            if (value := getattr(self, name)) and not _URL.fullmatch(value):
                raise wrong_value(name, value, "use an address such as https://example.org/terms")
        for name in ("contact", "security_contact"):
            if (value := getattr(self, name)) and not (_URL.fullmatch(value) or _MAIL.fullmatch(value)):
                raise wrong_value(name, value, "use a mail address, or an address such as https://example.org/contact")
        if not _is_name(self.site_name):
            raise wrong_value("site_name", self.site_name, f"use 1 to {_LONGEST} printable characters")
        self.titles  # noqa: B018 -- raises

    @property
    def titles(self) -> tuple[tuple[str, str], ...]:
        """The titles of games by name.

        >>> SiteSettings(game_titles="nimmt=Ox Parade, war=Battle").titles
        (('nimmt', 'Ox Parade'), ('war', 'Battle'))

        Raises:
            Malformed: an entry has no title, or names no game.
        """
        titles = dict[str, str]()
        for part in filter(None, map(str.strip, self.game_titles.split(","))):
            game, _, title = (text.strip() for text in part.partition("="))
            if not _is_name(title):
                raise wrong_value("game_titles", part, 'use the form "nimmt=Ox Parade, war=Battle"')
            try:
                titles[find_game(game).name] = title
            except Malformed as error:
                raise wrong_value("game_titles", part, error.message) from None
        return tuple(titles.items())

    @property
    def terms(self) -> str:
        """What new accounts must accept, as the server stores it; "" for nothing.

        >>> SiteSettings(minimum_age=16, terms_url="https://example.org/terms").terms
        'age 16, terms https://example.org/terms'
        """
        age = [f"age {self.minimum_age}"] if self.minimum_age else []
        return ", ".join([*age, *([f"terms {self.terms_url}"] if self.terms_url else [])])


_URL: Final = re.compile(r"https?://[^\s/?#<>\"']+[^\s<>\"']*")
_MAIL: Final = re.compile(r"[^\s@<>\"']+@[^\s@<>\"']+\.[^\s@<>\"']+")


def contact_uri(contact: str) -> str:
    """Return the URI of a contact.

    >>> contact_uri("ann@example.org"), contact_uri("https://example.org/contact")
    ('mailto:ann@example.org', 'https://example.org/contact')
    """
    return contact if _URL.fullmatch(contact) else f"mailto:{contact}"


def _is_name(text: str) -> bool:
    return bool(text.strip()) and text.isprintable() and len(text) <= _LONGEST


def wrong_value(name: str, value: object, right: str, *, secret: bool = False) -> Malformed:
    """Return the error for a value of a setting; `right` says what to use instead.

    >>> str(wrong_value("port", 70_000, "use a port up to 65535"))
    'port cannot be 70000: use a port up to 65535'
    """
    shown = "(hidden)" if secret else repr(value)
    return Malformed(f"{name} cannot be {shown}: {right}", what=shown, where=name)
