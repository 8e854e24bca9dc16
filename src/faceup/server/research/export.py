"""The export of games for research: a new folder with the games and a card that describes them."""

import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import Final

import msgspec
from sqlalchemy import Connection

from faceup.core import Malformed, RulesError
from faceup.core.record import PERSON, Chosen, Joined, Record, loads
from faceup.formatting import plural
from faceup.server.audit.log import record as record_act
from faceup.server.research.anonymous_record import AnonymousPlayer, anonymous_record
from faceup.server.research.card import GAMES, Summary, card
from faceup.server.research.queries import Consent, GivenGame, GivenSeat, given_games, list_consents
from faceup.server.results.standing_ids import bot_kind
from faceup.server.rooms import loads as load_batch
from faceup.server.rooms.names import unique_name
from faceup.server.store import Store

FEW: Final = 10
"""With fewer people, an export needs a flag, because they may be recognized."""

_BATCH: Final = 20
"""The number of games that are read in one transaction."""

_LOG: Final = logging.getLogger(__name__)


class Pseudonyms:
    """The names of people in one export, which no other export has. A program has another name than its player.

    Attributes:
        consents: the consent of each person when a game of this person was read first.
    """

    def __init__(self) -> None:
        self.consents: dict[str, Consent] = {}
        self._names: dict[tuple[str, bool], str] = {}

    def of_game(self, seats: Iterable[GivenSeat]) -> list[AnonymousPlayer]:
        """Return the players of a game. A bot is named by its kind."""
        players: list[AnonymousPlayer] = []
        for seat in seats:
            kind = bot_kind(seat.who)
            name = self._name(seat) if kind is None else unique_name(kind, [player.name for player in players])
            players.append(AnonymousPlayer(name, kind or PERSON))
        return players

    def _name(self, seat: GivenSeat) -> str:
        assert seat.consent is not None  # noqa: S101 -- as the query ensures
        self.consents.setdefault(seat.who, seat.consent)
        word = "program" if seat.program else "person"
        return self._names.setdefault((seat.who, seat.program), f"{word}-{token_hex(8)}")

    def owners(self) -> Mapping[str, str]:
        """Return the person of each name."""
        return {name: player for (player, _), name in self._names.items()}

    def remove(self, players: Iterable[str]) -> None:
        """Forget people who have withdrawn their games."""
        for player in players:
            del self.consents[player]


async def export_games(
    store: Store,
    folder: Path,
    *,
    licence: str,
    allow_few: bool,
    progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Write the games that people give for research, and their card, to a new folder. It appears when it is complete.

    Args:
        store: the store of the server.
        folder: the folder to create.
        licence: the licence of the games, as an SPDX identifier or an address.
        allow_few: whether to export games of fewer than `FEW` people.
        progress: gets the number of games that were read, each time it grows.

    Raises:
        Malformed: the folder exists or cannot be created, the licence is not one line, or there are no games, or games
            of too few people.
    """
    parent = _check(folder, licence)
    pseudonyms = Pseudonyms()
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=parent) as temporary:
        new = Path(temporary) / "new"
        new.mkdir(mode=0o700)
        games = new / GAMES
        with games.open("wb") as file:
            async for record in _records(store, pseudonyms, progress):
                file.write(msgspec.json.encode(record) + b"\n")
        while True:
            summary = _summary(games, pseudonyms.owners())
            _check_people(summary, allow_few=allow_few)
            (new / "README.md").write_text(card(summary, licence, store.now()), "utf-8", newline="\n")
            finish = partial(_finish, now=store.now(), used=pseudonyms.consents)
            if not (withdrawn := await store.write(finish)):
                break
            _remove_games(games, {name for name, player in pseudonyms.owners().items() if player in withdrawn})
            pseudonyms.remove(withdrawn)
        new.rename(folder)
    return summary


def _check(folder: Path, licence: str) -> Path:
    """Check the folder to create and the licence, and return the parent of the folder. Raises `Malformed`."""
    parent = folder.absolute().parent
    if folder.exists() or not parent.is_dir():
        reason = "exists already" if folder.exists() else f"cannot be created, because {parent} is not a folder"
        raise Malformed(f"{folder} {reason}: name a new folder", what=str(folder), where="folder")
    if not licence.strip() or not licence.isprintable():
        raise Malformed(
            "the licence must be an identifier such as CC-BY-4.0, or an address", what=licence, where="licence"
        )
    return parent


def _check_people(summary: Summary, *, allow_few: bool) -> None:
    if not summary.games:
        raise Malformed("no one gives games for research yet, or no game is given by all its people", where="games")
    if summary.people < FEW and not allow_few:
        raise Malformed(
            f"the games are of only {plural(summary.people, 'person', 'people')}, who may be recognized: wait until "
            f"{FEW} people give games, or use --allow-few-people",
            what=summary.people,
            where="people",
        )


async def _records(store: Store, pseudonyms: Pseudonyms, progress: Callable[[int], None]) -> AsyncIterator[Record]:
    """Yield the games without names, in the order in which they ended."""
    number = count = 0
    while batch := await store.query(partial(given_games, now=store.now(), after=number, limit=_BATCH)):
        for game in batch:
            if (record := _record(game, pseudonyms)) is not None:
                yield record
        number = batch[-1].number
        count += len(batch)
        progress(count)


def _record(game: GivenGame, pseudonyms: Pseudonyms) -> Record | None:
    try:
        return anonymous_record(map(load_batch, game.entries), pseudonyms.of_game(game.seats))
    except RulesError as error:  # the error's message is not logged, because it may contain hands
        _LOG.warning("a game for research cannot be read, so it is left out: %s", error.kind)
        return None


def _summary(games: Path, owners: Mapping[str, str]) -> Summary:
    """Count the games, people and choices in the file of the games."""
    people, by_game, choices = set[str](), Counter[str](), 0
    with games.open("rb") as file:
        for record in map(loads, file):
            names = _names(record)
            people |= {owners[name] for name in names.values()}
            by_game[f"{record.game}:{record.variant}"] += 1
            choices += sum(isinstance(entry, Chosen) and entry.seat in names for entry in record.entries)
    return Summary(games=by_game.total(), people=len(people), choices=choices, by_game=by_game)


def _names(record: Record) -> Mapping[int, str]:
    """Return the names of people and their programs, by seat."""
    return {entry.seat: entry.name for entry in record.entries if isinstance(entry, Joined) and entry.kind == PERSON}


def _remove_games(games: Path, names: Collection[str]) -> None:
    """Remove the games of people with these names from the file."""
    rest = games.with_suffix(".rest")
    with games.open("rb") as file, rest.open("wb") as kept:
        kept.writelines(line for line in file if not any(name in names for name in _names(loads(line)).values()))
    rest.replace(games)


def _finish(connection: Connection, *, now: int, used: Mapping[str, Consent]) -> frozenset[str]:
    """Record the export in the audit log, unless people have withdrawn or changed their consent; return those."""
    consents = list_consents(connection)
    withdrawn = frozenset(player for player, consent in used.items() if consents.get(player) != consent)
    if not withdrawn:
        record_act(connection, now, "research_export")
    return withdrawn
