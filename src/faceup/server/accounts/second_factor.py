"""Recovery codes, and one-time passwords of authenticator apps (TOTP, RFC 6238) as a second factor of password logins.

A recovery code works once. It replaces a forgotten password, the only passkey, or the one-time password of a lost
device. If an account has a second factor, a forgotten password needs both: a recovery code, and a one-time password or
another recovery code. Passkeys need no second factor, because they have one.
"""

from hmac import compare_digest
from typing import Final, NamedTuple

import msgspec
from pyotp import TOTP, random_base32
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from faceup.server.accounts.credentials import digest, new_code
from faceup.server.accounts.errors import (
    AlreadyTakenError,
    NotFoundError,
    SecondFactorRequiredError,
    WrongSecondFactorError,
)
from faceup.server.accounts.one_time_codes import normalize_code
from faceup.server.accounts.player_ids import lock_players
from faceup.server.accounts.schema import players, recovery_codes, totp

CODES: Final = 10
"""The number of recovery codes of an account."""

_LENGTH: Final = 16
"""The length of a recovery code. There are 30**16 codes, so that no one finds one by its hash."""

STEP: Final = 30_000
"""Milliseconds for which a one-time password is valid."""

_TOLERANCE: Final = 1
"""The number of steps by which the clock of a device may be slow or fast."""


class SecondFactorState(msgspec.Struct, frozen=True, kw_only=True):
    """The second factor of the player, and how many recovery codes are left.

    Attributes:
        totp: whether a password login needs a one-time password.
        recovery_codes: the number of recovery codes that have not been used.
    """

    totp: bool
    recovery_codes: int


class NewTotp(NamedTuple):
    """The secret of a new authenticator, and its URI for a QR code."""

    secret: str
    uri: str


# Recovery codes.


def replace_recovery_codes(connection: Connection, player: str) -> tuple[str, ...]:
    """Create new recovery codes, which replace the player's earlier ones. Only their hashes are stored."""
    lock_players(connection, player)
    codes = tuple(new_code(_LENGTH) for _ in range(CODES))
    connection.execute(delete(recovery_codes).where(recovery_codes.c.player == player))
    connection.execute(insert(recovery_codes), [{"player": player, "digest": digest(code)} for code in codes])
    return tuple("-".join(code[start : start + 4] for start in range(0, _LENGTH, 4)) for code in codes)


def redeem_recovery_code(connection: Connection, player: str, code: str) -> bool:
    """Redeem a recovery code of the player, which can then not be used again. Return whether it was valid."""
    return bool(connection.execute(delete(recovery_codes).where(*_this_code(player, code))).rowcount)


def has_recovery_code(connection: Connection, player: str, code: str) -> bool:
    """Return whether `redeem_recovery_code` would accept a code."""
    return connection.execute(select(recovery_codes.c.player).where(*_this_code(player, code))).first() is not None


def _this_code(player: str, code: str) -> tuple[ColumnElement[bool], ...]:
    return recovery_codes.c.player == player, recovery_codes.c.digest == digest(normalize_code(code))


def find_by_recovery_code(connection: Connection, code: str) -> str | None:
    """Return the player with this recovery code, no login, and only passkeys; None if there is none.

    Such an account has no other name by which its player could ask for it.
    """
    query = select(players.c.id).join(recovery_codes, recovery_codes.c.player == players.c.id)
    same = recovery_codes.c.digest == digest(normalize_code(code))
    owner: str | None = connection.execute(query.where(same, players.c.login.is_(None))).scalar()
    return owner


# One-time passwords.


def start_totp(connection: Connection, player: str, login: str, site: str = "faceup") -> NewTotp:
    """Create the secret of an authenticator, which `confirm_totp` makes the player's second factor.

    Authenticator apps show the site's name next to the login.

    Raises:
        AlreadyTakenError: the player has a second factor.
    """
    lock_players(connection, player)
    if _is_enabled(connection, player):
        raise AlreadyTakenError("you already have a second factor: remove it first")
    secret = random_base32()
    connection.execute(delete(totp).where(totp.c.player == player))
    connection.execute(insert(totp).values(player=player, secret=secret, last_step=0, confirmed=False))
    return NewTotp(secret, TOTP(secret).provisioning_uri(name=login, issuer_name=site))


def confirm_totp(connection: Connection, now: int, player: str, password: str) -> None:
    """Make a started authenticator the player's second factor, given one of its one-time passwords.

    Raises:
        NotFoundError: none was started.
        WrongSecondFactorError: the one-time password is wrong.
    """
    lock_players(connection, player)
    pending = totp.c.player == player, totp.c.confirmed.is_(False)
    secret = connection.execute(select(totp.c.secret).where(*pending)).scalar_one_or_none()
    if secret is None:
        raise NotFoundError("there is no authenticator to confirm: start with POST /api/account/totp")
    step = matching_step(secret, password, now)
    if step is None:
        raise WrongSecondFactorError
    connection.execute(update(totp).where(*pending).values(confirmed=True, last_step=step))


def remove_second_factor(connection: Connection, player: str) -> bool:
    """Remove the player's authenticator. Return whether it was a second factor."""
    was_enabled = _is_enabled(connection, player)
    connection.execute(delete(totp).where(totp.c.player == player))
    return was_enabled


def use_second_factor(connection: Connection, now: int, player: str, code: str | None) -> None:
    """Check the second factor of a login, and let the one-time password or recovery code not be used again.

    Players without a second factor need none.

    Raises:
        SecondFactorRequiredError: the player has a second factor, but there is no code.
        WrongSecondFactorError: the code is neither a current one-time password nor a recovery code, or was used.
    """
    enabled = totp.c.player == player, totp.c.confirmed.is_(True)
    secret = connection.execute(select(totp.c.secret).where(*enabled)).scalar_one_or_none()
    if secret is None:
        return
    if not code:
        raise SecondFactorRequiredError
    step = matching_step(secret, code, now)
    if step is not None:
        # Of two simultaneous logins with the same one-time password, the second finds its step used.
        used = update(totp).where(*enabled, totp.c.last_step < step).values(last_step=step)
        if connection.execute(used).rowcount:
            return
    elif redeem_recovery_code(connection, player, code):
        return
    raise WrongSecondFactorError


def matching_step(secret: str, password: str, now: int) -> int | None:
    """Return the time step with this one-time password, out of those around a time; None if none has it.

    >>> matching_step("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "287 082", 59_000)  # a test vector of RFC 6238
    1
    """
    typed = "".join(password.split()).encode("utf-8", "surrogatepass")
    generator, current = TOTP(secret), now // STEP
    steps = range(max(0, current - _TOLERANCE), current + _TOLERANCE + 1)
    return next((step for step in steps if compare_digest(generator.generate_otp(step).encode(), typed)), None)


def second_factor_state(connection: Connection, player: str) -> SecondFactorState:
    """Return whether the player has a second factor, and how many recovery codes are left."""
    count = select(func.count()).select_from(recovery_codes).where(recovery_codes.c.player == player)
    return SecondFactorState(
        totp=_is_enabled(connection, player), recovery_codes=connection.execute(count).scalar_one()
    )


def _is_enabled(connection: Connection, player: str) -> bool:
    enabled = select(totp.c.player).where(totp.c.player == player, totp.c.confirmed.is_(True))
    return connection.execute(enabled).first() is not None
