"""Accounts: guests, logins, sessions, passkeys, second factors and tokens."""

from typing import Final

import msgspec
from sqlalchemy import Connection, delete

from faceup.server.accounts import (
    account_data_routes,
    openid_routes,
    passkey_routes,
    routes,
    second_factor_routes,
    session_routes,
)
from faceup.server.accounts.openid_links import list_links
from faceup.server.accounts.passkeys import list_passkeys
from faceup.server.accounts.player_ids import move_rows, rows_about
from faceup.server.accounts.players import find_player
from faceup.server.accounts.schema import (
    account_deletions,
    consents,
    idempotency_keys,
    one_time_codes,
    openid_links,
    passkeys,
    players,
    recovery_codes,
    revocations,
    server_state,
    sessions,
    shared_limits,
    tokens,
    totp,
    unlisted_players,
)
from faceup.server.accounts.second_factor import second_factor_state
from faceup.server.accounts.sessions import list_sessions
from faceup.server.accounts.tokens import list_tokens
from faceup.server.feature import Feature, PersonalTable, routes_in
from faceup.server.process.periodic import Cleanup

_TABLES: Final = (
    PersonalTable(
        players,
        ("id", "handle", "name", "face", "login", "password", "merged_into"),
        what="names, logins, faces, hashes of passwords",
        why="to recognize players and show them to others",
        until="the player",
        guest="the row says of which player the guest became part",
        exported="player",
    ),
    PersonalTable(
        sessions,
        ("digest", "id", "player", "device"),
        what="devices on which players are logged in, hashes of their keys",
        why="to keep players logged in",
        until="the player; when the session ends or expires",
        exported="sessions",
    ),
    PersonalTable(
        tokens,
        ("digest", "id", "player", "label"),
        what="hashes and labels of API tokens",
        why="for programs of players",
        until="the token; the player",
        exported="tokens",
    ),
    PersonalTable(
        passkeys,
        ("credential", "player", "key", "label"),
        what="public keys and labels of passkeys",
        why="to log in",
        until="the passkey; the player",
        exported="passkeys",
    ),
    PersonalTable(
        openid_links,
        ("subject", "player"),
        what="the provider's id of people who log in with OpenID",
        why="to log in",
        until="the link; the player",
        exported="openid",
    ),
    PersonalTable(
        totp,
        ("player", "secret"),
        what="the secret of the authenticator app",
        why="to check the second factor",
        until="the second factor; the player",
        exported="second_factor",
    ),
    PersonalTable(
        recovery_codes,
        ("player", "digest"),
        what="hashes of recovery codes",
        why="to log in without the second factor",
        until="the second factor; the player",
        exported="second_factor",
    ),
    PersonalTable(
        one_time_codes,
        ("digest", "player"),
        what="hashes of one-time codes",
        why="to log in another device, reset passwords and confirm addresses",
        until="when they are used or expire; the player",
        not_exported="a hash of a code that expires",
    ),
    PersonalTable(
        unlisted_players,
        ("player",),
        what="who is not in the list of people online",
        why="because the player chose so",
        until="the player",
        exported="player",
    ),
    PersonalTable(
        account_deletions,
        ("player",),
        what="who asked for the deletion of the account",
        why="to delete it a day later",
        until="the player, or earlier when they cancel or log in",
        exported="player",
    ),
    PersonalTable(
        consents,
        ("player",),
        what="which terms a player accepted, and when",
        why="to prove the consent",
        until="the player",
        exported="consents",
    ),
    PersonalTable(
        revocations,
        ("subject",),
        what="hashes of the ids of erased and banned players, banned addresses, and ids of changed and deleted tables",
        why="to end connections on all servers",
        until="a day",
        not_exported="a hash for a day",
    ),
    PersonalTable(
        server_state,
        ("value",),
        what="the key of these hashes, and the operator's settings and announcement",
        why="to run the server",
        until="never",
        not_exported="about no player",
    ),
    PersonalTable(
        shared_limits,
        ("key",),
        what="keyed hashes of addresses, logins, players, devices, parties and tournaments",
        why="for rate limits that all servers share",
        until="a week",
        not_exported="a keyed hash for a week",
    ),
    PersonalTable(
        idempotency_keys,
        ("key", "fingerprint", "answer"),
        what="answers to requests that may be repeated, encrypted with keys that only the clients have",
        why="so that a repeated request has no second effect",
        until="a day",
        not_exported="encrypted with the key of a client",
    ),
)


def _merge(connection: Connection, source: str, target: str) -> None:
    """Give the sessions, tokens, passkeys and links of a guest to an account, which is listed only if both were."""
    connection.execute(delete(account_deletions).where(account_deletions.c.player == source))
    for table in (sessions, tokens, passkeys, openid_links, unlisted_players, consents):
        move_rows(connection, table.c.player, source, target)
    # Someone who has a code of a guest has not proved access to the account.
    for table in (totp, recovery_codes):
        connection.execute(delete(table).where(table.c.player == source))
    confirms = one_time_codes.c.purpose == "mail"  # these belong to the address
    connection.execute(delete(one_time_codes).where(one_time_codes.c.player == source, ~confirms))


def _export(connection: Connection, player: str) -> dict[str, object]:
    return {
        "player": find_player(connection, player),
        "sessions": [  # no session asks, so that none is the current one
            {name: value for name, value in msgspec.structs.asdict(session).items() if name != "current"}
            for session in list_sessions(connection, player)
        ],
        "tokens": list_tokens(connection, player),
        "passkeys": list_passkeys(connection, player),
        "openid": list_links(connection, player),
        "second_factor": second_factor_state(connection, player),
        "consents": rows_about(connection, consents.c.player, player),
    }


FEATURE: Final = Feature(
    "accounts",
    routes=routes_in(session_routes, routes, second_factor_routes, passkey_routes, openid_routes, account_data_routes),
    tasks=lambda services: (services.auth_cache, Cleanup(services.openid.close)),
    tables=_TABLES,
    merge=_merge,
    export=_export,
)
