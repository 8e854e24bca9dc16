"""Passkeys: a person's device proves who it is by a key pair (WebAuthn); we keep the public half.

Only pages that a browser counts as secure have them: https, or localhost. The challenge is a key that may be used
once, so nothing has to be remembered between the two steps but that.

The library is imported where it is used: it takes a part of the time in which a server starts, and many never use it.
"""

import json
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from faceup.core import Malformed
from faceup.server.people import once
from faceup.server.people.accounts import become_account, no_account_any_more
from faceup.server.people.players import Player
from faceup.server.people.refusals import Missing, Taken, Unknown
from faceup.server.people.schema import passkeys


class Passkey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey in the list of a player's own."""

    id: str
    label: str
    since: int


class Site(NamedTuple):
    """Where the page is, as the browser says it: "https://example.org" is the origin, "example.org" the host."""

    origin: str
    host: str


def to_register(connection: Connection, now: int, player: Player, site: Site) -> dict[str, Any]:  # Any: JSON
    """What the page hands to `navigator.credentials.create`."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
    )

    known = connection.execute(select(passkeys.c.credential).where(passkeys.c.player == player.id)).scalars()
    options = generate_registration_options(
        rp_id=site.host,
        rp_name="faceup",
        user_id=player.id.encode(),
        user_name=player.login or player.name,
        user_display_name=player.name,
        challenge=once.issue(connection, now, "passkey", player.id).encode(),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in known],
    )
    return _as_json(options_to_json(options))


def register(
    connection: Connection, now: int, player: str, site: Site, *, credential: dict[str, Any], label: str
) -> Passkey:
    """Keep the passkey that the device has made; a guest becomes an account.

    Raises:
        Unknown: the challenge is not ours, was used, or is over; or it is for another page.
        Malformed: it is no credential.
        Taken: it is known already.
    """
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    challenge = _challenge(credential)
    if once.use(connection, now, "passkey", challenge) != player:
        raise Unknown("this passkey was begun by somebody else: begin again")
    try:
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge.encode(),
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except Exception as error:
        raise Unknown("this passkey does not prove what it says") from error
    identifier = bytes_to_base64url(verified.credential_id)
    if connection.execute(select(passkeys.c.player).where(passkeys.c.credential == identifier)).first() is not None:
        raise Taken("this passkey is known here already")
    connection.execute(
        insert(passkeys).values(
            credential=identifier,
            player=player,
            key=verified.credential_public_key,
            uses=verified.sign_count,
            label=label,
            made_at=now,
        )
    )
    become_account(connection, now, player)
    return Passkey(id=identifier, label=label, since=now)


def to_log_in(connection: Connection, now: int, site: Site) -> dict[str, Any]:  # Any: JSON
    """What the page hands to `navigator.credentials.get`; the device knows by itself which of its passkeys are ours."""
    from webauthn import generate_authentication_options, options_to_json

    challenge = once.issue(connection, now, "passkey", None).encode()
    return _as_json(options_to_json(generate_authentication_options(rp_id=site.host, challenge=challenge)))


def log_in(connection: Connection, now: int, site: Site, *, credential: dict[str, Any]) -> str:
    """The player whose passkey this is. Raises `Unknown`, `Malformed`."""
    from webauthn import verify_authentication_response

    challenge = _challenge(credential)
    once.use(connection, now, "passkey", challenge)
    row = connection.execute(select(passkeys).where(passkeys.c.credential == str(credential.get("id")))).one_or_none()
    if row is None:
        raise Unknown("this passkey is not known here")
    try:
        verified = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge.encode(),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=row.key,
            credential_current_sign_count=row.uses,
        )
    except Exception as error:
        raise Unknown("this passkey does not prove what it says") from error
    connection.execute(
        update(passkeys).where(passkeys.c.credential == row.credential).values(uses=verified.new_sign_count)
    )
    player: str = row.player
    return player


def list_passkeys(connection: Connection, player: str) -> list[Passkey]:
    """The player's passkeys, the newest first."""
    rows = connection.execute(select(passkeys).where(passkeys.c.player == player).order_by(passkeys.c.made_at.desc()))
    return [Passkey(id=row.credential, label=row.label, since=row.made_at) for row in rows]


def drop_passkey(connection: Connection, player: str, identifier: str) -> None:
    """Forget a passkey. Raises `Missing`."""
    gone = connection.execute(delete(passkeys).where(passkeys.c.player == player, passkeys.c.credential == identifier))
    if not gone.rowcount:
        raise Missing("there is no such passkey of yours")
    no_account_any_more(connection, player)


def _challenge(credential: dict[str, Any]) -> str:
    """The challenge that the device has signed. Raises `Malformed` if this is no credential."""
    from webauthn import base64url_to_bytes
    from webauthn.helpers import parse_client_data_json

    try:
        data = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return data.challenge.decode()
    except Exception as error:
        raise Malformed("this is not what a browser's `navigator.credentials` answers", where="credential") from error


def _as_json(text: str) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(text)
    return options
