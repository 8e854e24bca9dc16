"""The commit-and-reveal round of a fair deal, as a part of the table.

The round takes place before the first deal or decision, as soon as every seat is taken:

1. The server commits to a secret.
2. Each person's client pledges a contribution.
3. The table lists the contributors.
4. The contributors' clients open their pledges.

If a seat does not open its pledge in time, it is excluded and everyone sees its name. A new round then starts with a
new secret, so a client gains nothing by seeing the other contributions before it opens its own. Clients do all this
automatically. All chance of the match is drawn from the completed round (`faceup.core.fair_draw`).
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from faceup.core import Event, Generator, Malformed, Seat
from faceup.core.fair_draw import FairDraw, commitment, draw_key, from_hex, pledge, random_bytes
from faceup.core.record import FairEntry, LeftOut, Listed, Pledged, PledgeOpened, SecretCommitted
from faceup.table.errors import StaleCommandError, raise_error, require_player
from faceup.table.events import (
    CommitmentPublished,
    ContributionRevealed,
    PledgeMade,
    PledgesListed,
    SeatExcluded,
    SecretRevealed,
)
from faceup.table.table import FairRound, Table, with_item

FAIR_ROUND_TIMEOUT: Final = 10_000
"""Milliseconds that clients have to pledge, and then again to open their pledges. Clients do both automatically."""


def due_entries(table: Table, at: int) -> tuple[FairEntry, ...]:
    """Return the entries with which an open round continues without late seats; none if its deadline is not over."""
    now = table.round
    if now is None or not _late(table, at):
        return ()
    if now.listed is None:
        return (_listed(now, at),)
    return tuple(LeftOut(at, seat) for seat in now.listed if now.contributions[seat] is None)


def next_entry(table: Table, at: int, rng: Generator) -> FairEntry | None:
    """Return the next automatic entry of an open round; None while the round waits for clients."""
    now = table.round
    if now is None or now.void:
        number, secret = 0 if now is None else now.number + 1, random_bytes(rng)
        return SecretCommitted(at, commitment(number, secret).hex(), secret.hex())
    if now.listed is None and not pledging(table):
        return _listed(now, at)
    return None


def awaited_seats(table: Table) -> tuple[Seat, ...]:
    """Return the seats that have to pledge, or to open their pledges, now."""
    now = table.round
    if now is None or now.void or not table.committing:
        return ()
    if now.listed is None:
        return pledging(table)
    return tuple(seat for seat in now.listed if now.contributions[seat] is None)


def pledging(table: Table) -> tuple[Seat, ...]:
    """Return the seats that have to pledge now.

    These are the seats of people who are present, are not excluded, and did not miss the pledging of an earlier round.
    """
    now = table.round
    if now is None or now.listed is not None:
        return ()
    return tuple(
        seat
        for seat, player in enumerate(table.players)
        if player and player.contributes and player.here and now.pledges[seat] is None
        if seat not in now.left_out and seat not in now.silent
    )


def fair_generator(table: Table) -> FairDraw:
    """Return the generator from which to draw the next outcome of chance. The round must be complete."""
    now = table.round
    assert now is not None  # noqa: S101 -- called for complete rounds only
    opened = contributions_of(now)
    return FairDraw(draw_key(now.number, bytes.fromhex(now.secret), opened), now.drawn)


def contributions_of(round_: FairRound) -> Mapping[Seat, bytes]:
    """Return the contributions that have been opened so far, by seat."""
    return {seat: bytes.fromhex(text) for seat, text in enumerate(round_.contributions) if text is not None}


def advance(table: Table, entry: FairEntry) -> tuple[FairRound, tuple[Event, ...]]:
    """Return the round after the entry, and its events. Raises as `evolve` does."""
    if table.status != "active" or not table.committing:
        raise Malformed("no round of a fair deal is open", what=entry, where="entry")
    if isinstance(entry, SecretCommitted):
        return _committed(table, entry)
    now = table.round
    if now is None or (now.void and not isinstance(entry, LeftOut)):
        raise Malformed("the server has to commit to a secret first", what=entry, where="entry")
    match entry:
        case Pledged():
            return _pledged(table, now, entry)
        case Listed():
            return _list(table, now, entry)
        case PledgeOpened():
            return _opened(table, now, entry)
        case LeftOut():
            return _left_out(table, now, entry)


def _listed(now: FairRound, at: int) -> Listed:
    return Listed(at, tuple(seat for seat, made in enumerate(now.pledges) if made is not None))


def _committed(table: Table, entry: SecretCommitted) -> tuple[FairRound, tuple[Event, ...]]:
    before = table.round
    if before is not None and not before.void:
        raise Malformed("the server can commit to a new secret only if the round is void, and it is not", where="entry")
    if before is not None and any(
        before.contributions[seat] is None for seat in {*(before.listed or ())} - {*before.left_out}
    ):
        raise Malformed("all seats that did not open their pledges must be excluded first", where="entry")
    number = 0 if before is None else before.number + 1
    if commitment(number, from_hex(entry.secret, "secret")).hex() != entry.commitment:
        raise Malformed("the commitment must be the hash of the secret", what=entry.commitment, where="commitment")
    empty = (None,) * table.rules.seats
    left_out, silent = ((), ()) if before is None else (before.left_out, before.silent)
    after = FairRound(
        number=number,
        commitment=entry.commitment,
        secret=entry.secret,
        pledges=empty,
        contributions=empty,
        left_out=left_out,
        silent=silent,
        due=entry.at + FAIR_ROUND_TIMEOUT,
    )
    return after, (CommitmentPublished(number, entry.commitment),)


def _pledged(table: Table, now: FairRound, entry: Pledged) -> tuple[FairRound, tuple[Event, ...]]:
    seat = entry.seat
    if not require_player(table, seat).contributes:
        raise_error(table, seat, f"seat {seat} is a bot, and bots do not contribute to a fair deal")
    if seat in now.left_out:
        raise_error(table, seat, f"seat {seat} is excluded from this match's fair deal", StaleCommandError)
    if now.listed is not None or _late(table, entry.at):
        raise_error(table, seat, f"pledging for round {now.number} is closed", StaleCommandError)
    if now.pledges[seat] is not None:
        raise_error(table, seat, f"seat {seat} has already pledged", StaleCommandError)
    from_hex(entry.pledge, "a pledge")
    silent = tuple(other for other in now.silent if other != seat)
    return _put(now, pledges=with_item(now.pledges, seat, entry.pledge), silent=silent), (
        PledgeMade(seat, entry.pledge),
    )


def _list(table: Table, now: FairRound, entry: Listed) -> tuple[FairRound, tuple[Event, ...]]:
    if now.listed is not None:
        raise Malformed(f"the contributors to round {now.number} have already been listed", where="entry")
    if pledging(table) and not _late(table, entry.at):
        raise Malformed("contributors can be listed only when all seats have pledged or the time is up", where="entry")
    if entry.seats != _listed(now, entry.at).seats:
        raise Malformed("the contributors must be exactly the seats that pledged", what=entry.seats, where="seats")
    silent = (*now.silent, *pledging(table))
    return _put(now, listed=entry.seats, silent=silent, due=entry.at + FAIR_ROUND_TIMEOUT), (
        PledgesListed(entry.seats),
    )


def _opened(table: Table, now: FairRound, entry: PledgeOpened) -> tuple[FairRound, tuple[Event, ...]]:
    seat = entry.seat
    require_player(table, seat)
    if now.listed is None:
        raise_error(table, seat, "pledges can be opened only after the contributors are listed")
    if seat not in now.listed:
        raise_error(table, seat, f"seat {seat} does not contribute to round {now.number}")
    if now.contributions[seat] is not None or _late(table, entry.at):
        raise_error(table, seat, f"seat {seat} has already opened its pledge, or its time is up", StaleCommandError)
    if pledge(now.number, seat, from_hex(entry.contribution, "a contribution")).hex() != now.pledges[seat]:
        raise Malformed(
            f"the contribution does not match the pledge of seat {seat}", what=entry.contribution, where="contribution"
        )
    after = _put(now, contributions=with_item(now.contributions, seat, entry.contribution))
    return after, (ContributionRevealed(seat, entry.contribution),)


def _left_out(table: Table, now: FairRound, entry: LeftOut) -> tuple[FairRound, tuple[Event, ...]]:
    seat = entry.seat
    if now.listed is None or seat not in now.listed or now.contributions[seat] is not None or seat in now.left_out:
        raise_error(table, seat, f"seat {seat} has no pledge to open in round {now.number}")
    if not now.void and not _late(table, entry.at):
        raise_error(table, seat, f"the time to open pledges in round {now.number} is not up yet")
    revealed = (
        () if now.void else (SecretRevealed(now.number, now.secret),)
    )  # the secret of a void round is already revealed
    return _put(now, void=True, left_out=(*now.left_out, seat)), (SeatExcluded(seat), *revealed)


def _late(table: Table, at: int) -> bool:
    return table.round is not None and table.paused is None and at >= table.round.due


def _put(now: FairRound, **changes: object) -> FairRound:
    return msgspec.structs.replace(now, **changes)
