"""Start and stop the countdown to the next game of a party."""

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, update

from faceup.server.parties.countdown import Countdown
from faceup.server.parties.queries import announce_party, lock_party, party_of
from faceup.server.parties.schema import parties, party_members
from faceup.server.rooms import TableConfig
from faceup.server.rooms.names import handle_of


def start_countdown(
    connection: Connection,
    now: int,
    party: str,
    player: str,
    *,
    config: TableConfig,
    instead: str | None,
    program: bool = False,
) -> None:
    """Start the countdown to a game, and let the player take part in the one that is running.

    Nothing else changes if a countdown is running, or if the party has another table than `instead`, because another
    member was faster. Raises `NotFoundError`.
    """
    lock_party(connection, party)
    stored_party, own = party_of(connection, party, player), handle_of(player)
    if stored_party.room != instead:
        return
    countdown = stored_party.running_countdown(now)
    if countdown is None:
        countdown = Countdown(by=own, room=instead, config=config, started_at=now)
    _store_countdown(connection, now, party, replace(countdown, out=_without(countdown.out, own)))
    seen = (party_members.c.party == party, party_members.c.player == player)
    connection.execute(update(party_members).where(*seen).values(seen_at=now, program=program))


def leave_countdown(connection: Connection, now: int, party: str, player: str) -> None:
    """Let the player sit out the game of the running countdown; for who started it, end it. Raises `NotFoundError`."""
    lock_party(connection, party)
    countdown, own = party_of(connection, party, player).running_countdown(now), handle_of(player)
    if countdown is not None:
        out = replace(countdown, out=(*_without(countdown.out, own), own))
        _store_countdown(connection, now, party, None if countdown.by == own else out)


def _store_countdown(connection: Connection, now: int, party: str, countdown: Countdown | None) -> None:
    value = None if countdown is None else msgspec.json.encode(countdown).decode()
    connection.execute(update(parties).where(parties.c.id == party).values(countdown=value))
    announce_party(connection, now, party)


def _without(handles: tuple[str, ...], own: str) -> tuple[str, ...]:
    return tuple(handle for handle in handles if handle != own)
