"""The keys with which the servers of a database identify themselves to push services (VAPID, RFC 8292)."""

import base64
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02
from sqlalchemy import Connection

from faceup.core import Malformed
from faceup.server.accounts.server_state import get_all, set_value

_KEY: Final = "push_keys"

_VALID: Final = 12 * 3600
"""Seconds for which a signature is valid; push services accept at most 24 hours."""


class PushKeys(msgspec.Struct, frozen=True):
    """The key pair, and how push services can reach the operator.

    Attributes:
        private: the private key in PEM.
        contact: a `mailto:` or `https:` address.
    """

    private: str
    contact: str

    @property
    def public(self) -> str:
        """The public key in base64url, with which browsers subscribe."""
        key = Vapid02.from_pem(self.private.encode()).public_key
        point = key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    def authorization(self, endpoint: str, now: int) -> str:
        """Return the header `Authorization` for a message to a push service.

        Args:
            endpoint: the URL of the subscription.
            now: seconds since 1970.
        """
        parts = urlsplit(endpoint)
        claims = {"sub": self.contact, "aud": f"{parts.scheme}://{parts.netloc}", "exp": now + _VALID}
        header: str = Vapid02.from_pem(self.private.encode()).sign(claims)["Authorization"]
        return header


def create_push_keys(connection: Connection, contact: str) -> PushKeys:
    """Create and store the keys, which turns Web Push on. Existing keys are kept, with the new contact.

    Raises:
        Malformed: the contact is not a `mailto:` or `https:` address.
    """
    if not contact.startswith(("mailto:", "https://")) or len(contact) > 200 or not contact.isprintable():
        raise Malformed(
            "the contact must be an address such as mailto:ann@example.org or https://example.org",
            what=contact,
            where="contact",
        )
    before = find_push_keys(connection)
    if before is None:
        secret = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        before = PushKeys(secret.decode(), contact)
    keys = PushKeys(before.private, contact)
    set_value(connection, _KEY, msgspec.json.encode(keys).decode())
    return keys


def find_push_keys(connection: Connection) -> PushKeys | None:
    """Return the keys; None if Web Push is off."""
    stored = get_all(connection).get(_KEY)
    return None if stored is None else msgspec.json.decode(stored, type=PushKeys)


def delete_push_keys(connection: Connection) -> None:
    """Delete the keys, which turns Web Push off. Browsers must subscribe again with later keys."""
    set_value(connection, _KEY, None)
