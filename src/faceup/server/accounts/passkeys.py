"""Registration of passkeys (WebAuthn) and login with them. The server stores only the public keys.

Browsers support passkeys only on pages with https or from localhost. Registration and login have two steps: the server
sends a challenge, and the device signs it. The challenge is stored as a one-time code, and the server keeps no other
state between the two steps. The library `webauthn` is imported only when it is needed, because its import is slow.
"""

import json
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, select, update

from faceup.core import Malformed
from faceup.server.accounts import one_time_codes
from faceup.server.accounts.errors import AlreadyTakenError, NotFoundError, UnauthenticatedError
from faceup.server.accounts.login import mark_account, unmark_account
from faceup.server.accounts.players import StoredPlayer
from faceup.server.accounts.schema import passkeys
from faceup.server.store.queries import insert_new


class Passkey(msgspec.Struct, frozen=True, kw_only=True):
    """A passkey in the list of a player's passkeys."""

    id: str
    label: str
    since: int


class RelyingParty(NamedTuple):
    """The site of a passkey, for example with the origin "https://example.org" and the host "example.org"."""

    origin: str
    host: str
    name: str = "faceup"


def registration_options(
    connection: Connection, now: int, player: StoredPlayer, site: RelyingParty
) -> dict[str, Any]:  # Any: JSON
    """Return the options for `navigator.credentials.create`."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
    )

    credentials = connection.execute(select(passkeys.c.credential).where(passkeys.c.player == player.id)).scalars()
    options = generate_registration_options(
        rp_id=site.host,
        rp_name=site.name,
        user_id=player.id.encode(),
        user_name=player.login or player.name,
        user_display_name=player.name,
        challenge=one_time_codes.issue(connection, now, "passkey", player.id).encode(),
        authenticator_selection=AuthenticatorSelectionCriteria(resident_key=ResidentKeyRequirement.REQUIRED),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(credential)) for credential in credentials
        ],
    )
    return _as_json(options_to_json(options))


def register(
    connection: Connection, now: int, player: str, site: RelyingParty, *, credential: dict[str, Any], label: str
) -> Passkey:
    """Verify and store a new passkey. If the player is a guest, the guest becomes an account.

    Raises:
        UnauthenticatedError: the challenge is unknown, used or expired, or the passkey is for another site or player.
        Malformed: `credential` is not a credential.
        AlreadyTakenError: the passkey is already registered.
    """
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    challenge = _challenge(credential)
    if one_time_codes.redeem(connection, now, "passkey", challenge) != player:
        raise UnauthenticatedError(
            "another player started the registration of this passkey: start the registration again"
        )
    try:
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge.encode(),
            expected_rp_id=site.host,
            expected_origin=site.origin,
        )
    except Exception as error:
        raise UnauthenticatedError("the passkey could not be verified: try again, or log in another way") from error
    identifier = bytes_to_base64url(verified.credential_id)
    if not insert_new(
        connection,
        passkeys,
        credential=identifier,
        player=player,
        key=verified.credential_public_key,
        uses=verified.sign_count,
        label=label,
        created_at=now,
    ):
        raise AlreadyTakenError("this passkey is already registered")
    mark_account(connection, now, player)
    return Passkey(id=identifier, label=label, since=now)


def login_options(connection: Connection, now: int, site: RelyingParty) -> dict[str, Any]:  # Any: JSON
    """Return the options for `navigator.credentials.get`, with which the device offers the passkeys of this site."""
    from webauthn import generate_authentication_options, options_to_json

    challenge = one_time_codes.issue(connection, now, "passkey", None).encode()
    return _as_json(options_to_json(generate_authentication_options(rp_id=site.host, challenge=challenge)))


def log_in(connection: Connection, now: int, site: RelyingParty, *, credential: dict[str, Any]) -> str:
    """Verify a passkey and return the id of its player. Raises `UnauthenticatedError`, `Malformed`."""
    from webauthn import verify_authentication_response

    challenge = _challenge(credential)
    one_time_codes.redeem(connection, now, "passkey", challenge)
    row = connection.execute(select(passkeys).where(passkeys.c.credential == str(credential.get("id")))).one_or_none()
    if row is None:
        raise UnauthenticatedError(
            "this passkey is not registered on this server: log in another way, and then register the passkey"
        )
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
        raise UnauthenticatedError("the passkey could not be verified: try again, or log in another way") from error
    connection.execute(
        update(passkeys).where(passkeys.c.credential == row.credential).values(uses=verified.new_sign_count)
    )
    player: str = row.player
    return player


def list_passkeys(connection: Connection, player: str) -> list[Passkey]:
    """Return the player's passkeys. The newest passkey comes first."""
    rows = connection.execute(
        select(passkeys).where(passkeys.c.player == player).order_by(passkeys.c.created_at.desc())
    )
    return [Passkey(id=row.credential, label=row.label, since=row.created_at) for row in rows]


def delete_passkey(connection: Connection, player: str, identifier: str) -> None:
    """Delete a passkey of the player. Raises `NotFoundError` if the player has no such passkey."""
    deletion = connection.execute(
        delete(passkeys).where(passkeys.c.player == player, passkeys.c.credential == identifier)
    )
    if not deletion.rowcount:
        raise NotFoundError("you have no passkey with this id")
    unmark_account(connection, player)


def _challenge(credential: dict[str, Any]) -> str:
    """Return the challenge that the device signed. Raises `Malformed` if `credential` is not a credential."""
    from webauthn import base64url_to_bytes
    from webauthn.helpers import parse_client_data_json

    try:
        data = parse_client_data_json(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return data.challenge.decode()
    except Exception as error:
        raise Malformed(
            "credential must be the JSON of a `navigator.credentials` result", where="credential"
        ) from error


def _as_json(text: str) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(text)
    return options
