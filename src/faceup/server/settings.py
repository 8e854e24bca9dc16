"""What whoever runs a server may set."""

from ipaddress import ip_network
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlsplit

from msgspec import Struct

from faceup.core import Malformed
from faceup.terminal.saves import folder

SECRET: Final = frozenset({"registration_code", "metrics_token"})
"""The settings that are never shown."""


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One server's settings; each field is a flag, a variable `FACEUP_...` and a key of the file.

    >>> Settings(lan=True).listens_on
    '0.0.0.0'
    >>> Settings(public_url="https://example.org", base_path="/cards").address(8000)
    'https://example.org/cards'

    Raises:
        Malformed: a value that means nothing, named with what would be right.
    """

    host: str = "127.0.0.1"
    """The address of this machine to listen on."""
    port: int = 8000
    """0: any that is free."""
    lan: bool = False
    """Listen on the network, and show the address and a QR code."""
    database: str = ""
    """A file (SQLite) or `postgresql://...`; if empty, a file in the user's data folder."""
    public_url: str = ""
    """The address that people use, such as `https://example.org`, where a proxy or a tunnel leads here."""
    base_path: str = ""
    """Where below that address everything is, such as `/cards`."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses and networks of proxies that are believed about who asks, and whether by https."""
    registration: Literal["open", "code", "closed"] = "open"
    """Who may become a player; `faceup admin registration` changes it while the server runs."""
    registration_code: str = ""
    """The word that people give where registration is by code."""
    log: Literal["text", "json"] = "text"
    """Lines for people, or for machines."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """What is too small to be said."""
    metrics_token: str = ""
    """What a monitor shows to read `/metrics`; if empty, this machine alone may, if no proxy or tunnel leads to it."""
    stop_within: int = 10
    """Seconds that a stop may take: commands are answered, clients told to come back."""

    def __post_init__(self) -> None:
        """Refuse what means nothing."""
        if not 0 <= self.port <= 65535:
            raise _wrong("port", self.port, "a port is 0 to 65535, and 0 takes any that is free")
        if not 0 <= self.stop_within <= 3600:
            raise _wrong("stop_within", self.stop_within, "a stop takes 0 to 3600 seconds")
        if self.public_url:
            self._check_public_url()
        if self.base_path and (not self.base_path.startswith("/") or self.base_path.endswith("/")):
            raise _wrong("base_path", self.base_path, "it begins with a slash and ends without one, such as /cards")
        if self.base_path and not set(self.base_path) <= _OF_A_PATH:
            raise _wrong("base_path", self.base_path, "it is made of letters, digits, - . _ ~ and slashes")
        for proxy in self.trusted_proxies:
            try:
                ip_network(proxy)
            except ValueError as error:
                raise _wrong("trusted_proxies", proxy, f"{error}; such as 127.0.0.1 or 10.0.0.0/8") from None
        if self.registration == "code" and not self.registration_code:
            raise _wrong("registration_code", "", "registration by code needs one")

    def _check_public_url(self) -> None:
        try:
            parts = urlsplit(self.public_url)
            known = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError:
            known = None
        if not known or parts.query or parts.fragment or parts.username is not None:
            raise _wrong("public_url", self.public_url, "it is an address such as https://example.org")
        if parts.path:
            raise _wrong("public_url", self.public_url, f"what follows the host goes into base_path, {parts.path!r}")

    @property
    def listens_on(self) -> str:
        """The address to bind: with `lan`, all of this machine's, unless one was given."""
        return "0.0.0.0" if self.lan and self.host == "127.0.0.1" else self.host  # noqa: S104 -- asked for by --lan

    @property
    def database_url(self) -> str:
        """The database as SQLAlchemy names it.

        >>> Settings(database="/tmp/tables.sqlite").database_url
        'sqlite:////tmp/tables.sqlite'

        Raises:
            Malformed: there is no data folder, because the user has no home.
        """
        if "://" in self.database:
            return self.database
        path = Path(self.database).expanduser().absolute() if self.database else folder("online") / "tables.sqlite"
        return f"sqlite:///{path}"

    def address(self, port: int) -> str:
        """The address that people use, without a slash at its end; `port` is the one that was taken."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.public_url or f'http://{host}:{port}'}{self.base_path}"


_OF_A_PATH: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


def _wrong(name: str, value: object, right: str) -> Malformed:
    shown = "(hidden)" if name in SECRET else repr(value)
    return Malformed(f"{name} cannot be {shown}: {right}", what=shown, where=name)
