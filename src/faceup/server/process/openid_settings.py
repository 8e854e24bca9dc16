"""The settings with which people log in at an OpenID provider that the host has chosen."""

import re
from typing import Annotated, Final
from urllib.parse import urlsplit

from faceup.server.process.setting import Setting
from faceup.server.process.site_settings import SiteSettings, wrong_value


class OpenIdSettings(SiteSettings, frozen=True, kw_only=True):
    """The settings of the OpenID provider, and those of the site."""

    openid_issuer: Annotated[str, Setting("OpenID provider at which people can log in (default none)", "URL")] = ""
    """Issuer URL of an OpenID Connect provider at which people can log in, such as `https://login.example.org`.

    It must be exactly the `issuer` in the provider's discovery document. It also needs `openid_client_id`.
    """
    openid_client_id: Annotated[str, Setting("client id of this server there", "ID")] = ""
    """Client id under which this server is registered at the OpenID provider."""
    openid_client_secret: Annotated[str, Setting(secret=True)] = ""
    """Client secret at the OpenID provider. If empty, this server is a public client, which PKCE alone protects."""
    openid_name: Annotated[str, Setting("name of the provider on the page (default {default})", "NAME")] = "OpenID"
    """Name of the OpenID provider, which the button on the page shows."""
    openid_domains: Annotated[
        tuple[str, ...], Setting("domains of the mail addresses that may log in there (default: any)", "DOMAINS")
    ] = ()
    """Domains such as `example.org`. If there are any, a login needs a verified mail address of one of them.

    The server does not store the address. Without domains, it does not ask for it.
    """
    openid_existing_only: Annotated[
        bool, Setting("do not create accounts for people who log in there for the first time")
    ] = False
    """Whether only people who have linked an account can log in. Otherwise, their first login creates an account.

    If `registration` is "code", they need no code. If it is "closed", they get no account.
    """

    def _check_openid(self) -> None:
        """Raise `Malformed` for an invalid value."""
        if self.openid_issuer and not is_secure_url(self.openid_issuer):
            raise wrong_value("openid_issuer", self.openid_issuer, "use an address such as https://login.example.org")
        if bool(self.openid_issuer) != bool(self.openid_client_id):
            missing = "openid_client_id" if self.openid_issuer else "openid_issuer"
            raise wrong_value(missing, "", "logins with OpenID need both openid_issuer and openid_client_id")
        if not (self.openid_name.strip() and self.openid_name.isprintable() and len(self.openid_name) <= _LONGEST):
            raise wrong_value("openid_name", self.openid_name, f"use 1 to {_LONGEST} printable characters")
        for domain in self.openid_domains:
            if not _DOMAIN.fullmatch(domain):
                raise wrong_value("openid_domains", domain, "use domains such as example.org")


_LONGEST: Final = 40
_LOOPBACK: Final = re.compile(r"localhost|127(\.\d+){3}|::1")
_DOMAIN: Final = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


def is_secure_url(url: str) -> bool:
    """Return whether a URL has https, or names this machine, and has no query, fragment or password.

    >>> is_secure_url("https://login.example.org/realms/club"), is_secure_url("http://localhost:9400")
    (True, True)
    >>> is_secure_url("http://login.example.org"), is_secure_url("https://a.org/?b")
    (False, False)
    """
    if not url.isascii() or not url.isprintable() or " " in url:  # `urlsplit` ignores tabs
        return False
    try:
        parts = urlsplit(url)
        is_plain = bool(parts.hostname) and parts.port != 0 and parts.username is None
    except ValueError:
        return False
    secure = parts.scheme == "https" or (parts.scheme == "http" and _LOOPBACK.fullmatch(parts.hostname or ""))
    return bool(is_plain and secure) and not (parts.query or parts.fragment)
