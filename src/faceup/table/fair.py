"""The round in which server and players make the chance of a match together, as a part of the table.

It comes before the first deal or decision, when everybody sits: the server seals a secret, each person's client
pledges, the table lists who contributes, and these clients open what they pledged. Whoever does not open in time is
left out, by name, and a new round begins with a new secret: so nobody gains by seeing what the others opened first.
Nothing of it asks a person for a click. Once the round is complete, all chance of the match is drawn from it
(`faceup.core.fair`).
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from faceup.core import Event, Generator, Malformed, Seat
from faceup.core.fair import FairDraw, commitment, fresh, from_hex, key, pledge
from faceup.core.record import FairEntry, LeftOut, Listed, Pledged, PledgeOpened, Sealed
from faceup.table.events import PledgeMade, PledgeShown, PledgesListed, SeatLeftOut, SecretSealed, SecretShown
from faceup.table.refusals import Stale, refuse, require_player
from faceup.table.table import Round, Table

PATIENCE: Final = 10_000
"""Milliseconds that clients have to pledge, and again to open. They answer by themselves, in a round trip."""


def due_entries(table: Table, at: int) -> tuple[FairEntry, ...]:
    """What the clock does to an open round when its time is up: it goes on without those who did not answer."""
    now = table.round
    if now is None or not _late(table, at):
        return ()
    if now.listed is None:
        return (_listed(now, at),)
    return tuple(LeftOut(at, seat) for seat in now.listed if now.contributions[seat] is None)


def next_entry(table: Table, at: int, rng: Generator) -> FairEntry | None:
    """What an open round does next by itself; None while it waits for somebody."""
    now = table.round
    if now is None or now.void:
        number, secret = 0 if now is None else now.number + 1, fresh(rng)
        return Sealed(at, commitment(number, secret).hex(), secret.hex())
    if now.listed is None and not pledging(table):
        return _listed(now, at)
    return None


def awaited(table: Table) -> tuple[Seat, ...]:
    """The seats whose clients an open round waits for: to pledge, or to open."""
    now = table.round
    if now is None or now.void or not table.sealing:
        return ()
    if now.listed is None:
        return pledging(table)
    return tuple(seat for seat in now.listed if now.contributions[seat] is None)


def pledging(table: Table) -> tuple[Seat, ...]:
    """The seats whose pledge the table waits for: people who are here, were not left out, nor silent before."""
    now = table.round
    if now is None or now.listed is not None:
        return ()
    return tuple(
        seat
        for seat, player in enumerate(table.players)
        if player and player.contributes and player.here and now.pledges[seat] is None
        if seat not in now.left_out and seat not in now.silent
    )


def chance_of(table: Table) -> FairDraw:
    """The generator of the next outcome of a table whose round is complete."""
    now = table.round
    assert now is not None  # noqa: S101 -- asked for complete rounds alone
    opened = contributions_of(now)
    return FairDraw(key(now.number, bytes.fromhex(now.secret), opened), now.drawn)


def contributions_of(round_: Round) -> Mapping[Seat, bytes]:
    """What has been opened, by seat."""
    return {seat: bytes.fromhex(text) for seat, text in enumerate(round_.contributions) if text is not None}


def advance(table: Table, entry: FairEntry) -> tuple[Round, tuple[Event, ...]]:
    """The round after the entry, and what is told of it. Raises as `evolve` does."""
    if table.status != "active" or not table.sealing:
        raise Malformed("no round of a fair deal is open here", what=entry, where="entry")
    if isinstance(entry, Sealed):
        return _sealed(table, entry)
    now = table.round
    if now is None or (now.void and not isinstance(entry, LeftOut)):
        raise Malformed("the server has to seal a secret first", what=entry, where="entry")
    match entry:
        case Pledged():
            return _pledged(table, now, entry)
        case Listed():
            return _list(table, now, entry)
        case PledgeOpened():
            return _opened(table, now, entry)
        case LeftOut():
            return _left_out(table, now, entry)


def _listed(now: Round, at: int) -> Listed:
    return Listed(at, tuple(seat for seat, made in enumerate(now.pledges) if made is not None))


def _sealed(table: Table, entry: Sealed) -> tuple[Round, tuple[Event, ...]]:
    before = table.round
    if before is not None and not before.void:
        raise Malformed("a secret is sealed already, and this round is not void", where="entry")
    if before is not None and any(
        before.contributions[seat] is None for seat in {*(before.listed or ())} - {*before.left_out}
    ):
        raise Malformed("not all are left out who did not open", where="entry")
    number = 0 if before is None else before.number + 1
    if commitment(number, from_hex(entry.secret, "secret")).hex() != entry.commitment:
        raise Malformed("the commitment is not the hash of the secret", what=entry.commitment, where="commitment")
    nobody = (None,) * table.rules.seats
    left_out, silent = ((), ()) if before is None else (before.left_out, before.silent)
    after = Round(
        number=number,
        commitment=entry.commitment,
        secret=entry.secret,
        pledges=nobody,
        contributions=nobody,
        left_out=left_out,
        silent=silent,
        due=entry.at + PATIENCE,
    )
    return after, (SecretSealed(number, entry.commitment),)


def _pledged(table: Table, now: Round, entry: Pledged) -> tuple[Round, tuple[Event, ...]]:
    seat = entry.seat
    if not require_player(table, seat).contributes:
        refuse(table, seat, f"seat {seat} is a bot's, and bots contribute nothing to a fair deal")
    if seat in now.left_out:
        refuse(table, seat, f"seat {seat} was left out of this match's fair deal", Stale)
    if now.listed is not None or _late(table, entry.at):
        refuse(table, seat, f"pledges for round {now.number} are taken no more", Stale)
    if now.pledges[seat] is not None:
        refuse(table, seat, f"seat {seat} has pledged already", Stale)
    from_hex(entry.pledge, "a pledge")
    silent = tuple(other for other in now.silent if other != seat)
    return _put(now, pledges=_with(now.pledges, seat, entry.pledge), silent=silent), (PledgeMade(seat, entry.pledge),)


def _list(table: Table, now: Round, entry: Listed) -> tuple[Round, tuple[Event, ...]]:
    if now.listed is not None:
        raise Malformed(f"the contributors to round {now.number} are listed already", where="entry")
    if pledging(table) and not _late(table, entry.at):
        raise Malformed("not all have pledged, and time is not up", where="entry")
    if entry.seats != _listed(now, entry.at).seats:
        raise Malformed("the contributors are those who pledged, and nobody else", what=entry.seats, where="seats")
    silent = (*now.silent, *pledging(table))
    return _put(now, listed=entry.seats, silent=silent, due=entry.at + PATIENCE), (PledgesListed(entry.seats),)


def _opened(table: Table, now: Round, entry: PledgeOpened) -> tuple[Round, tuple[Event, ...]]:
    seat = entry.seat
    require_player(table, seat)
    if now.listed is None:
        refuse(table, seat, "it is not settled yet who contributes, and nothing can be opened before")
    if seat not in now.listed:
        refuse(table, seat, f"seat {seat} does not contribute to round {now.number}")
    if now.contributions[seat] is not None or _late(table, entry.at):
        refuse(table, seat, f"seat {seat} has opened already, or too late", Stale)
    if pledge(now.number, seat, from_hex(entry.contribution, "a contribution")).hex() != now.pledges[seat]:
        raise Malformed(f"this is not what seat {seat} pledged", what=entry.contribution, where="contribution")
    after = _put(now, contributions=_with(now.contributions, seat, entry.contribution))
    return after, (PledgeShown(seat, entry.contribution),)


def _left_out(table: Table, now: Round, entry: LeftOut) -> tuple[Round, tuple[Event, ...]]:
    seat = entry.seat
    if now.listed is None or seat not in now.listed or now.contributions[seat] is not None or seat in now.left_out:
        refuse(table, seat, f"seat {seat} owes nothing to round {now.number}")
    if not now.void and not _late(table, entry.at):
        refuse(table, seat, f"time is not up for round {now.number}")
    shown = () if now.void else (SecretShown(now.number, now.secret),)  # nothing will ever be drawn from it
    return _put(now, void=True, left_out=(*now.left_out, seat)), (SeatLeftOut(seat), *shown)


def _late(table: Table, at: int) -> bool:
    return table.round is not None and table.paused is None and at >= table.round.due


def _put(now: Round, **changes: object) -> Round:
    return msgspec.structs.replace(now, **changes)


def _with(by_seat: tuple[str | None, ...], seat: Seat, value: str) -> tuple[str | None, ...]:
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])
