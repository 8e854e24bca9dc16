"""Two servers that change the same rows at the same time lose nothing, store nothing twice, and both answer.

The first transaction is paused before its commit while the second one starts. The second must wait for the first if it
reads what the first one changes.
"""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from sqlalchemy import Connection
from tests.server.postgresql import PostgreSQL

from faceup.server import player_data
from faceup.server.accounts import login, players, second_factor, server_state, sessions, tokens
from faceup.server.accounts.errors import AlreadyTakenError, LimitReachedError, NotFoundError, TooManyTablesError
from faceup.server.accounts.schema import totp
from faceup.server.friends import invitations
from faceup.server.friends import queries as friends
from faceup.server.friends.schema import friendships
from faceup.server.moderation import bans
from faceup.server.parties import queries as parties
from faceup.server.parties import tables as party_tables
from faceup.server.parties.schema import parties as party_rows
from faceup.server.parties.schema import party_members
from faceup.server.process.settings import Settings
from faceup.server.puzzles import queries as puzzles
from faceup.server.results import history
from faceup.server.results import ingest as results_ingest
from faceup.server.results.game_result import GameResult, SeatResult
from faceup.server.results.ratings import Rating
from faceup.server.results.schema import ratings
from faceup.server.rooms import TableConfig
from faceup.server.store import TableOrigin, TableRow, new_id
from faceup.server.store.database import Database
from faceup.server.store.migrations import prepare
from faceup.server.store.schema import rooms
from faceup.server.tables.limits import require_admitted
from faceup.server.tables.schema import player_tables
from faceup.server.tournaments import queries as tournaments
from faceup.server.tournaments.schema import tournament_players
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import open_tournament
from faceup.server.tournaments.tables import SeatedPlayer
from faceup.server.turns import mail_addresses, push_subscriptions

Work = Callable[[Connection], Any]
TIMEOUT = 60


@pytest.fixture(scope="module")
def database(postgresql: PostgreSQL) -> Iterator[Database]:
    with postgresql.shared_database() as url:
        opened = Database(url)
        prepare(opened)
        sa.event.listen(opened.engine, "connect", _without_idle_timeout)
        yield opened
        opened.close()


def _without_idle_timeout(driver: Any, _record: object) -> None:
    driver.execute("SET idle_in_transaction_session_timeout = 0")  # of a busy machine
    driver.commit()


def write(database: Database, work: Work) -> Any:
    with database.engine.begin() as connection:
        return work(connection)


def both(database: Database, first: Work, second: Work) -> tuple[Any, Any]:
    """Run two transactions, of which the second one starts while the first one has not committed.

    Return their results. The result of the second one may be an exception.
    """
    started = threading.Event()
    results: list[Any] = []
    backend: list[int] = []

    def run() -> None:
        try:
            with database.engine.begin() as connection:
                backend.append(database.backend(connection.connection.driver_connection) or 0)
                started.set()
                results.append(second(connection))
        except Exception as error:  # noqa: BLE001 -- a result
            results.append(error)

    with database.engine.begin() as connection:
        done = first(connection)
        thread = threading.Thread(target=run)
        thread.start()
        assert started.wait(TIMEOUT)
        while thread.is_alive() and not _waits(database, backend[0]):
            thread.join(0.01)
    thread.join(TIMEOUT)
    assert not thread.is_alive()
    return done, results[0]


def _waits(database: Database, backend: int) -> bool:
    query = sa.text("SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = :pid")
    with database.readers.connect() as connection:
        return bool(connection.execute(query, {"pid": backend}).scalar())


def guests(database: Database, *names: str) -> list[str]:
    return [write(database, partial(players.create_guest, now=0, name=name)).id for name in names]


def rows_of(database: Database, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in write(database, lambda connection: connection.execute(query).all())]


def rating(database: Database, who: str, mean: float = 25.0) -> None:
    row = {"game": "nimmt", "variant": "a", "who": who, "mean": mean, "deviation": 5.0, "games": 10, "wins": 5.0}
    write(database, lambda connection: connection.execute(ratings.insert().values(row)))


def rated(table: str, who: list[str]) -> Work:
    """Ingest the result of a rated game of two people."""
    sides = tuple(SeatResult(who=player, score=0, place=place) for place, player in enumerate(who, 1))
    result = GameResult(game="nimmt", variant="a", options={}, sides=sides, rated_table=True)
    return partial(
        results_ingest._ingest, ended=[results_ingest.EndedRoom(table, 0, 0, 0, result)], rate_programs=False
    )


def merge(source: str, target: str) -> Work:
    def work(connection: Connection) -> None:
        player_data.merge(connection, source, target)

    return work


@pytest.mark.parametrize("login_first", [False, True])
def test_a_rated_game_and_a_login_both_count(database: Database, login_first: bool) -> None:
    guest, account, other = guests(database, "Gus", "Gustav", "Ann")
    for who in (guest, account, other):
        rating(database, who)
    table = f"a{guest}"[:22]
    write(database, lambda c: c.execute(rooms.insert().values(room_values(table))))
    works = [merge(guest, account), rated(table, [guest, other])]
    both(database, *(works if login_first else reversed(works)))
    query = sa.select(ratings.c.who, ratings.c.games).where(ratings.c.who.in_((guest, account, other)))
    assert sorted(rows_of(database, query)) == sorted([(account, 21), (other, 11)])


def test_a_login_during_a_recount_is_not_undone(database: Database) -> None:
    guest, account = guests(database, "Gus", "Gustav")
    rating(database, guest)
    computed = results_ingest._Recomputed(0, {guest: Rating()}, {}, frozenset({guest}))
    replace = partial(results_ingest._replace, game="nimmt", variant="a", computed=computed)
    assert both(database, merge(guest, account), replace)[1] is False
    assert rows_of(database, sa.select(ratings.c.who).where(ratings.c.who.in_((guest, account)))) == [(account,)]


def test_two_logins_of_one_guest_merge_it_once(database: Database) -> None:
    guest, first, second = guests(database, "Gus", "Ann", "Bo")
    rating(database, guest)
    session = write(database, partial(sessions.create_session, now=0, player=guest, device=""))
    for account in (first, second):
        write(database, partial(login.mark_account, now=0, player=account))
    identity = write(database, lambda c: sessions.resolve_session(c, 1, login_digest(session.key)))
    device = partial(login.log_in_as, now=1, device="", before=identity, merge=player_data.merge)
    log_in = [partial(device, player=account) for account in (first, second)]
    both(database, *log_in)
    current = write(database, partial(players.find_player, identifier=guest)).id
    assert current == first
    assert rows_of(database, sa.select(ratings.c.who).where(ratings.c.who.in_((guest, first, second)))) == [(first,)]


def login_digest(key: str) -> str:
    from faceup.server.accounts.credentials import digest

    return digest(key)


def test_a_chain_of_merges_at_the_same_time_ends_at_one_player(database: Database) -> None:
    first, second, third = guests(database, "Ann", "Bo", "Cy")
    both(database, merge(second, third), merge(first, second))
    assert {write(database, partial(players.find_player, identifier=player)).id for player in (first, second)} == {
        third
    }


@pytest.mark.sample(3)
@pytest.mark.parametrize("what", ["join", "create", "tournament", "ask", "invite", "answer", "token", "address"])
def test_what_a_guest_does_during_the_login_belongs_to_the_account(database: Database, what: str) -> None:
    guest, account, ann = guests(database, "Gus", "Gustav", "Ann")
    party = write(database, partial(parties.create_party, now=0, player=ann, name="", party=f"p{guest}"[:22]))
    key = write(database, partial(parties.party_of, party=party, player=ann)).key
    write(database, lambda c: parties.join_party(c, 0, key, account))
    tournament = new_tournament(database, ann)
    works: dict[str, Work] = {
        "join": lambda c: parties.join_party(c, 0, key, guest),
        "create": lambda c: parties.create_party(c, 0, guest, "", f"q{guest}"[:22]),
        "tournament": lambda c: tournaments.join_tournament(c, 0, tournament, SeatedPlayer(guest, "Gus", "")),
        "ask": lambda c: friends.ask_friend(c, 0, (ann,), guest),
        "invite": lambda c: invitations.invite(c, 0, (ann,), guest, table=f"t{guest}"[:22]),
        "answer": lambda c: puzzles.store_answer(c, 0, guest, "p", "play 1", solved=True, first=1500),
        "token": lambda c: tokens.create_token(c, 0, guest, "", ("play",)),
        "address": lambda c: mail_addresses.set_address(c, 0, guest, "gus@example.org", "en"),
    }
    # They know each other.
    table = f"t{guest}"[:22]
    write(database, lambda c: c.execute(rooms.insert().values(room_values(table))))
    write(database, lambda c: history.record_seats(c, 0, table, [ann, guest]))
    _, result = both(database, merge(guest, account), works[what])
    assert not isinstance(result, Exception), result
    left = write(database, lambda c: _tables_with(c, guest))
    assert left == {"player_tables"}  # readers follow it


def _tables_with(connection: Connection, player: str) -> set[str]:
    """Return the tables in which rows belong to a player."""
    survivors = set()
    for table in player_tables.metadata.tables.values():
        for column in table.columns:
            refers = any(key.column.table.name == "players" for key in column.foreign_keys)
            if refers and table.name != "players":
                query = sa.select(sa.func.count()).select_from(table).where(column == player)
                if connection.execute(query).scalar():
                    survivors.add(table.name)
    return survivors


def room_values(table: str) -> dict[str, Any]:
    return {
        "id": table,
        "code": table[-5:],
        "opened_at": 0,
        "status": "active",
        "listed": False,
        "seq": 0,
        "changed_at": 0,
        "summary": '{"game":"nimmt","variant":"","clock":null,"seats":[null,null]}',
        "source": "",
        "creator": "",
        "cost": 1,
        "bot_only": False,
    }


def new_tournament(database: Database, host: str, identifier: str = "", limit: int = 0) -> str:
    identifier = identifier or f"u{host}"[:22]
    settings = TournamentSettings(name="Cup", table=TableConfig(game="nimmt", options={"seats": 2}))
    state = open_tournament(settings, 1, 0)
    limits = Settings(tournaments_per_player=limit, tournaments_per_address=0)
    write(database, create_tournament(identifier, host, state, limits))
    return identifier


def create_tournament(identifier: str, host: str, state: Any, limits: Settings) -> Work:
    return lambda c: tournaments.create_tournament(c, 0, identifier, host=host, source="", state=state, limits=limits)


def test_a_link_that_is_renewed_while_someone_joins_is_not_valid(database: Database) -> None:
    ann, bo = guests(database, "Ann", "Bo")
    party = write(database, partial(parties.create_party, now=0, player=ann, name="", party=f"r{ann}"[:22]))
    key = write(database, partial(parties.party_of, party=party, player=ann)).key
    _, joined = both(
        database, lambda c: parties.renew_link(c, 0, party, ann), lambda c: parties.join_party(c, 0, key, bo)
    )
    assert isinstance(joined, NotFoundError)
    assert rows_of(database, sa.select(party_members.c.player).where(party_members.c.party == party)) == [(ann,)]


def test_a_former_host_does_not_manage_a_party(database: Database) -> None:
    ann, bo = guests(database, "Ann", "Bo")
    party = write(database, partial(parties.create_party, now=0, player=ann, name="", party=f"s{ann}"[:22]))
    key = write(database, partial(parties.party_of, party=party, player=ann)).key
    write(database, lambda c: parties.join_party(c, 1, key, bo))
    handle = write(database, partial(players.find_player, identifier=ann)).handle
    _, renamed = both(
        database,
        lambda c: parties.remove_member(c, 0, party, ann, handle),
        lambda c: parties.rename_party(c, 0, party, ann, "mine"),
    )
    assert isinstance(renamed, NotFoundError)


def test_a_rematch_does_not_replace_the_table_that_a_party_starts_at_the_same_time(database: Database) -> None:
    (ann,) = guests(database, "Ann")
    party = write(database, partial(parties.create_party, now=0, player=ann, name="", party=f"v{ann}"[:22]))
    old, new, rematch = (f"{letter}{ann}"[:22] for letter in "onr")
    config = TableConfig(game="nimmt")

    def start(connection: Connection, table: str, before: str | None) -> None:
        connection.execute(rooms.insert().values(room_values(table)))
        opened = msgspec.structs.replace(row(table), origin=TableOrigin(creator=ann))
        party_tables.add_first_table(connection, opened, party, before, config)

    write(database, partial(start, table=old, before=None))
    write(database, lambda c: c.execute(rooms.update().where(rooms.c.id == old).values(ended_at=1)))
    both(
        database,
        partial(start, table=new, before=old),
        lambda c: party_tables.add_rematch(c, row(rematch), old),
    )
    assert rows_of(database, sa.select(party_rows.c.room).where(party_rows.c.id == party)) == [(new,)]


def row(table: str) -> TableRow:
    return TableRow(
        id=table,
        code="",
        opened_at=0,
        status="active",
        listed=False,
        seq=0,
        wake=None,
        changed_at=0,
        ended_at=None,
        summary=b"{}",
    )


def same(database: Database, work: Work) -> list[Any]:
    """Return the results of the same change by two servers; none may fail."""
    results = list(both(database, work, work))
    assert not [result for result in results if isinstance(result, Exception)], results
    return results


def test_the_same_request_to_two_servers_is_answered_by_both(database: Database) -> None:
    ann, bo = guests(database, "Ann", "Bo")
    table = f"w{ann}"[:22]
    write(database, lambda c: c.execute(rooms.insert().values(room_values(table))))
    same(database, lambda c: history.record_seats(c, 0, table, [ann, bo]))
    same(database, lambda c: parties.create_party(c, 0, ann, "", f"x{ann}"[:22]))
    party = f"x{ann}"[:22]
    same(database, lambda c: party_tables.add_rematch(c, row(table), table))
    same(database, lambda c: party_tables._add(c, row(table), party))
    settings = TournamentSettings(name="Cup", table=TableConfig(game="nimmt", options={"seats": 2}))
    same(database, create_tournament(f"y{ann}"[:22], ann, open_tournament(settings, 1, 0), Settings().without_limits()))
    same(database, lambda c: friends.ask_friend(c, 0, (ann,), bo))
    same(database, lambda c: friends.show_online(c, 0, ann, shown=True))
    same(database, lambda c: invitations.invite(c, 0, (ann,), bo, table=table))
    same(database, lambda c: server_state.set_value(c, f"key {ann}", "value"))
    same(database, lambda c: bans.ban_player(c, 0, bo))
    same(database, lambda c: mail_addresses.set_address(c, 0, ann, "ann@example.org", "en"))
    same(database, lambda c: second_factor.start_totp(c, ann, "ann"))
    assert len(rows_of(database, sa.select(player_tables.c.player).where(player_tables.c.room == table))) == 2
    session = write(database, partial(sessions.create_session, now=0, player=ann, device="")).id
    browser = push_subscriptions.PushSubscription(endpoint=f"https://push/{ann}", p256dh="", auth="")
    same(database, lambda c: push_subscriptions.subscribe(c, 0, session, (ann,), browser))


def test_recovery_codes_are_replaced_once(database: Database) -> None:
    (ann,) = guests(database, "Ann")
    both(database, *[partial(second_factor.replace_recovery_codes, player=ann)] * 2)
    state = write(database, partial(second_factor.second_factor_state, player=ann))
    assert state.recovery_codes == second_factor.CODES


def test_a_secret_is_not_confirmed_by_a_password_of_another_secret(database: Database) -> None:
    from pyotp import TOTP

    (ann,) = guests(database, "Ann")
    started = write(database, lambda c: second_factor.start_totp(c, ann, "ann"))
    password = TOTP(started.secret).at(1_000_000)
    _, confirmed = both(
        database,
        lambda c: second_factor.start_totp(c, ann, "ann"),
        lambda c: second_factor.confirm_totp(c, 1_000_000_000, ann, password),
    )
    assert isinstance(confirmed, Exception)
    assert rows_of(database, sa.select(totp.c.confirmed).where(totp.c.player == ann)) == [(False,)]


def test_a_player_gets_one_of_two_logins(database: Database) -> None:
    (ann,) = guests(database, "Ann")
    names = [f"{letter}{ann[:8].strip('-_')}x" for letter in "ab"]
    _, second = both(
        database, *[partial(login.create_account, now=0, player=ann, login=name, password="") for name in names]
    )
    assert isinstance(second, AlreadyTakenError)
    assert write(database, partial(players.find_player, identifier=ann)).login == names[0].casefold()


def test_a_name_and_a_face_from_two_devices_are_both_stored(database: Database) -> None:
    (ann,) = guests(database, "Ann")
    both(
        database,
        partial(players.update_profile, identifier=ann, name="Anna"),
        partial(players.update_profile, identifier=ann, face="fox-3"),
    )
    player = write(database, partial(players.find_player, identifier=ann))
    assert (player.name, player.face) == ("Anna", "fox-3")


def test_two_answers_to_puzzles_at_the_same_time_count_one_after_the_other(database: Database) -> None:
    ann, bo = guests(database, "Ann", "Bo")
    answer = [
        lambda c, puzzle=puzzle: puzzles.store_answer(c, 0, ann, f"{puzzle}{ann}", "play 1", solved=True, first=1500)
        for puzzle in "ab"
    ]
    first, second = both(database, *answer)
    assert second.points < first.points  # the first one has raised the rating of the player
    assert second.at > first.at
    share = f"c{ann}"
    same(database, lambda c: puzzles.store_answer(c, 0, new_guest(c), share, "play 1", solved=True, first=1500))
    assert write(database, puzzles.totals_of_puzzles)[share].tries == 2
    del bo


def new_guest(connection: Connection) -> str:
    return players.create_guest(connection, 0).id


def test_limits_hold_with_requests_to_two_servers(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bo, cy = guests(database, "Ann", "Bo", "Cy")
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    _, second = both(database, *[lambda c: tokens.create_token(c, 0, ann, "", ("play",))] * 2)
    assert isinstance(second, Exception)
    monkeypatch.setattr(parties, "MAX_PARTIES", 1)
    create = [lambda c, party=party: parties.create_party(c, 0, ann, "", f"{party}{ann}"[:22]) for party in "gh"]
    _, second = both(database, *create)
    assert isinstance(second, LimitReachedError)
    settings = TournamentSettings(name="Cup", table=TableConfig(game="nimmt", options={"seats": 2}))
    state, limits = open_tournament(settings, 1, 0), Settings(tournaments_per_player=1, tournaments_per_address=0)
    _, second = both(database, *[create_tournament(f"{name}{ann}"[:22], ann, state, limits) for name in "ij"])
    assert isinstance(second, LimitReachedError)
    for create_by in (partial(create_table, creator=ann, source="here"), partial(create_table, source="there")):
        _, second = both(database, create_by, create_by)
        assert isinstance(second, LimitReachedError | TooManyTablesError)
    monkeypatch.setattr(friends, "MAX_PEOPLE", 1)
    table = f"k{ann}"[:22]
    write(database, lambda c: c.execute(rooms.insert().values(room_values(table))))
    write(database, lambda c: history.record_seats(c, 0, table, [ann, bo, cy]))
    _, second = both(database, *[lambda c, other=other: friends.ask_friend(c, 0, (ann,), other) for other in (bo, cy)])
    assert isinstance(second, LimitReachedError)


def create_table(connection: Connection, *, creator: str = "", source: str) -> None:
    creator, table = creator or new_guest(connection), new_id()
    origin = TableOrigin(source=source, creator=creator)
    limits = Settings(tables_per_player=1, tables_per_address=1)
    require_admitted(connection, msgspec.structs.replace(row(table), origin=origin), limits)
    connection.execute(rooms.insert().values(room_values(table) | {"creator": creator, "source": source}))


def test_ending_a_friendship_does_not_end_a_block_of_the_same_moment(database: Database) -> None:
    ann, bo = guests(database, "Ann", "Bo")
    table = f"l{ann}"[:22]
    write(database, lambda c: c.execute(rooms.insert().values(room_values(table))))
    write(database, lambda c: history.record_seats(c, 0, table, [ann, bo]))
    for pair in ((ann, bo), (bo, ann)):
        write(database, partial(friends.ask_friend, now=0, ids=pair[:1], other=pair[1]))
    both(
        database,
        lambda c: friends.block(c, 0, (bo,), ann),
        lambda c: friends.end_friendship(c, 0, ann, bo),
    )
    rows = sa.select(friendships.c.player, friendships.c.state).where(friendships.c.player.in_((ann, bo)))
    assert rows_of(database, rows) == [(bo, "blocked")]


def test_entrants_of_a_tournament_who_are_merged_while_they_join_play_once(database: Database) -> None:
    guest, account, ann = guests(database, "Gus", "Gustav", "Ann")
    tournament = new_tournament(database, ann)
    write(database, lambda c: tournaments.join_tournament(c, 0, tournament, SeatedPlayer(guest, "Gus", "")))
    _, joined = both(
        database,
        lambda c: tournaments.join_tournament(c, 0, tournament, SeatedPlayer(account, "Gustav", "")),
        merge(guest, account),
    )
    assert joined is None
    query = sa.select(tournament_players.c.player).where(tournament_players.c.tournament == tournament)
    assert rows_of(database, query) == [(account,)]
