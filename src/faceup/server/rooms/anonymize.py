"""Replace the names and ids of erased players in a room's log, so that the game can still be replayed.

Nothing that a fair deal commits to contains a name or an id, so the deals can still be verified.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from faceup.core import Seat
from faceup.core.record import PERSON, Joined
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.entries import (
    AnyRoomEntry,
    EntryBatch,
    HostSet,
    PlayerBarred,
    ProgramDeclared,
    RoomCreated,
    Seated,
    SeatRenamed,
)
from faceup.server.rooms.names import ERASED_NAME, handle_of, unique_name
from faceup.server.rooms.series import Series


def anonymize(
    log: Iterable[tuple[EntryBatch, str | None]], pseudonyms: Mapping[str, str]
) -> Iterator[tuple[EntryBatch, str | None]]:
    """Yield the batches of a log, each with the id of its command, without the names and ids of erased players.

    Args:
        log: the batches in order, each with the id of its command or None.
        pseudonyms: for each id of an erased player, the id that replaces it.
    """
    handles = {handle_of(player): handle_of(pseudonym) for player, pseudonym in pseudonyms.items()}
    owners: dict[Seat, str] = {}
    names: dict[Seat, str] = {}

    def replaced(entry: AnyRoomEntry) -> AnyRoomEntry:
        replace = msgspec.structs.replace
        match entry:
            case RoomCreated():
                return replace(
                    entry,
                    config=without_reservations(entry.config, handles),
                    host=entry.host and pseudonyms.get(entry.host, entry.host),
                    series=_series(entry.series, handles),
                    barred=tuple(pseudonyms.get(player, player) for player in entry.barred),
                )
            case Seated():
                owners[entry.seat] = entry.player
                if entry.player in pseudonyms:
                    return replace(entry, player=pseudonyms[entry.player], face="")
            case Joined() | SeatRenamed():
                is_person = isinstance(entry, SeatRenamed) or entry.kind == PERSON
                if is_person and owners.get(entry.seat, "") in pseudonyms:
                    others = [name for seat, name in names.items() if seat != entry.seat]
                    entry = replace(entry, name=unique_name(ERASED_NAME, others))
                names[entry.seat] = entry.name
            case HostSet() | PlayerBarred() | ProgramDeclared():
                return replace(entry, player=entry.player and pseudonyms.get(entry.player, entry.player))
            case _:
                pass
        return entry

    for batch, command in log:
        player, colon, key = (command or "").partition(":")
        renamed = None if command is None else f"{pseudonyms.get(player, player)}{colon}{key}"
        yield tuple([replaced(entry) for entry in batch]), renamed


def people_of(log: Iterable[EntryBatch]) -> frozenset[str]:
    """Return the ids of all players who took a seat or were the host."""
    people = set[str | None]()
    for batch in log:
        for entry in batch:
            match entry:
                case RoomCreated():
                    people.add(entry.host)
                case Seated() | HostSet():
                    people.add(entry.player)
                case _:
                    pass
    return frozenset(player for player in people if player is not None)


def without_reservations(config: TableConfig, handles: Iterable[str]) -> TableConfig:
    """Return the configuration without the reservations for players. Their seats become open to everyone."""
    removed = frozenset(handles)
    if removed.isdisjoint(config.reserved):
        return config
    reserved = tuple("" if handle in removed else handle for handle in config.reserved)
    return msgspec.structs.replace(config, reserved=reserved if any(reserved) else ())


def _series(series: Series | None, handles: Mapping[str, str]) -> Series | None:
    if series is None:
        return None
    players = tuple(
        msgspec.structs.replace(player, name=ERASED_NAME, handle=handles[player.handle], face=None)
        if player.handle is not None and player.handle in handles
        else player
        for player in series.players
    )
    return msgspec.structs.replace(series, players=players)
