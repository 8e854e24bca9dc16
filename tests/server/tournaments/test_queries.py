"""Tournaments in the database: players who log in, are erased, or want their data."""

from collections.abc import Callable

import msgspec
import pytest
from sqlalchemy import Connection, delete, select
from tests.server.player_export import export

from faceup.core.record import Terms
from faceup.server.accounts.errors import NotFoundError
from faceup.server.accounts.players import create_guest, find_player, update_profile
from faceup.server.accounts.schema import players
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings
from faceup.server.rooms import TableConfig
from faceup.server.tournaments.player_data import name_entrants
from faceup.server.tournaments.queries import (
    StoredTournament,
    create_tournament,
    delete_tournaments,
    due_tournaments,
    find_tournament,
    hand_over_tournament,
    join_tournament,
)
from faceup.server.tournaments.schema import tournaments
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import IDLE, open_tournament
from faceup.server.tournaments.tables import SeatedPlayer
from faceup.server.tournaments.views import public_view

SETTINGS = TournamentSettings(name="Cup", table=TableConfig(game="nimmt", terms=Terms(clock=30_000)))


def created(people: Connection, host: str) -> None:
    """Store the tournament "cup"."""
    state = open_tournament(SETTINGS, 1, 0)
    create_tournament(people, 0, "cup", host=host, source="", state=state, limits=Settings())


def join(people: Connection, player: str, name: str) -> StoredTournament:
    """Let a player join the tournament "cup"."""
    return join_tournament(people, 0, "cup", SeatedPlayer(player, name, ""))


@pytest.fixture
def guests(people: Connection) -> Callable[[], str]:
    return lambda: create_guest(people, 0).id


def test_a_guest_who_logs_in_keeps_the_tournament(people: Connection, guests: Callable[[], str]) -> None:
    guest, account = guests(), guests()
    created(people, guest)
    join(people, guest, "Ann")
    merge(people, guest, account)
    stored = find_tournament(people, "cup")
    assert (stored.host, stored.number_of(account), stored.number_of(guest)) == (account, 1, None)


def test_a_player_who_is_merged_with_another_entrant_plays_once(people: Connection, guests: Callable[[], str]) -> None:
    guest, account, other = guests(), guests(), guests()
    created(people, other)
    for player, name in ((guest, "Ann"), (account, "Ann Lee"), (other, "Bo")):
        join(people, player, name)
    merge(people, guest, account)
    stored = find_tournament(people, "cup")
    assert stored.number_of(account) == 2
    assert [player.status for player in public_view(stored).players] == ["left", "active", "active"]


def test_a_guest_without_a_name_gets_that_of_the_account(people: Connection, guests: Callable[[], str]) -> None:
    guest, other = guests(), guests()
    account = create_guest(people, 0, "Ann").id
    created(people, other)
    for player, name in ((guest, "Guest"), (other, "Ann")):
        version = join(people, player, name).version
    merge(people, guest, account)
    stored = find_tournament(people, "cup")
    assert [player.name for player in public_view(stored).players] == ["Ann 2", "Ann"]
    assert stored.version > version
    name_entrants(people, msgspec.structs.replace(find_player(people, account), name="Zoe"))
    assert find_tournament(people, "cup") == stored


def test_an_entrant_is_not_named_like_another_in_other_letters(people: Connection, guests: Callable[[], str]) -> None:
    guest, other = guests(), guests()
    created(people, other)
    for player, name in ((guest, "Guest"), (other, "Ann")):
        join(people, player, name)
    name_entrants(people, update_profile(people, guest, name="\u0410nn"))  # Cyrillic
    assert [player.name for player in public_view(find_tournament(people, "cup")).players] == ["Guest", "Ann"]
    name_entrants(people, update_profile(people, guest, name="Zoe"))
    assert [player.name for player in public_view(find_tournament(people, "cup")).players] == ["Zoe", "Ann"]


def test_nothing_of_an_erased_player_is_left(people: Connection, guests: Callable[[], str]) -> None:
    ann, bo = guests(), guests()
    created(people, ann)
    for player, name in ((ann, "Zipporah"), (bo, "Bo")):
        join(people, player, name)
    people.execute(delete(players).where(players.c.id == ann))
    stored = find_tournament(people, "cup")
    assert stored.host is None
    assert [player.name for player in public_view(stored).players] == ["Deleted player", "Bo"]
    assert "Zipporah" not in str(people.execute(select(tournaments)).all())


def test_the_export_of_a_player_has_the_tournaments(people: Connection, guests: Callable[[], str]) -> None:
    ann = guests()
    created(people, ann)
    entry = {"id": "cup", "tournament": "Cup", "name": None, "host": True, "named": True}
    assert export(people, ann)["tournaments"] == [entry]
    join(people, ann, "Ann")
    assert export(people, ann)["tournaments"] == [{**entry, "name": "Ann"}]


def test_the_export_of_a_player_has_the_name_that_the_player_gave_before_another_became_host(
    people: Connection, guests: Callable[[], str]
) -> None:
    ann, bo = guests(), guests()
    created(people, ann)
    hand_over_tournament(people, 0, "cup", bo)
    entry = {"id": "cup", "tournament": "Cup", "name": None}
    assert export(people, ann)["tournaments"] == [{**entry, "host": False, "named": True}]
    assert export(people, bo)["tournaments"] == [{**entry, "host": True, "named": False}]


def test_the_same_name_gets_a_number(people: Connection, guests: Callable[[], str]) -> None:
    created(people, guests())
    names = [join(people, guests(), "Ann").players[number].name for number in (1, 2)]
    assert names == ["Ann", "Ann 2"]


def test_a_tournament_is_due_at_its_time_and_deleted_after_its_retention_period(
    people: Connection, guests: Callable[[], str]
) -> None:
    created(people, guests())
    assert due_tournaments(people, IDLE - 1) == []
    assert due_tournaments(people, IDLE) == ["cup"]
    people.execute(tournaments.update().values(ended_at=5))
    delete_tournaments(people, 5)
    find_tournament(people, "cup")
    delete_tournaments(people, 6)
    with pytest.raises(NotFoundError):
        find_tournament(people, "cup")
