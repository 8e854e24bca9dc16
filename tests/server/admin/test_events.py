"""`faceup admin tournaments` and `parties` on a database without a running server."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection
from tests.cli.in_process import Done, InProcessCli
from tests.server.admin.deletion_worlds import a_guest

from faceup.core.record import Terms
from faceup.server.parties.queries import create_party, join_party, party_of
from faceup.server.process.settings import Settings
from faceup.server.rooms import TableConfig
from faceup.server.store import Store
from faceup.server.tournaments.queries import create_tournament, find_tournament
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import open_tournament

TABLE = TableConfig(game="nimmt", terms=Terms(clock=30_000))


def fill(connection: Connection, ann: str, bo: str) -> None:
    """Create three tournaments of Ann, of which two have the same name, and two parties of Ann and Bo."""
    for number, name in enumerate(("Cup", "League", "League")):
        state = open_tournament(TournamentSettings(name=name, table=TABLE), 1, number)
        create_tournament(
            connection,
            number,
            f"t{number}",
            host=ann,
            source="",
            state=state,
            limits=Settings(tournaments_per_player=9),
        )
    for number, name in enumerate(("Friday", "")):
        create_party(connection, 10 + number, ann, name, f"p{number}")
        join_party(connection, 20, party_of(connection, f"p{number}", ann).key, bo)


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setenv("FACEUP_DATABASE", str(tmp_path / "tables.sqlite"))

    async def run() -> tuple[str, ...]:
        store = await Store.attach(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        ids = [await a_guest(store, name) for name in ("Ann", "Bo", "Cy")]
        await store.write(partial(fill, ann=ids[0], bo=ids[1]))
        await store.close()
        return tuple(ids)

    return asyncio.run(run())


@pytest.fixture
def admin(
    people: tuple[str, ...],  # noqa: ARG001 -- it creates the database
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Done]:
    run = InProcessCli(monkeypatch, capsys)
    return lambda *arguments: run("admin", *arguments)


def listed(admin: Callable[..., Done], kind: str, *options: str) -> dict[str, tuple[str, str]]:
    """Return the statuses and hosts by ids."""
    return {row["id"]: (row["status"], row["host"]) for row in json.loads(admin(kind, "list", "--json", *options).out)}


def test_tournaments_are_listed_by_status_and_name(admin: Callable[..., Done]) -> None:
    assert list(listed(admin, "tournaments")) == ["t2", "t1", "t0"]
    assert set(listed(admin, "tournaments", "--find", "LEAG")) == {"t1", "t2"}
    assert admin("tournaments", "end", "Cup").out == "The tournament Cup was ended.\n"
    assert listed(admin, "tournaments", "--status", "cancelled") == {"t0": ("cancelled", "Ann")}
    assert set(listed(admin, "tournaments", "--status", "running")) == {"t1", "t2"}
    assert set(listed(admin, "tournaments", "--status", "open", "--find", "t2")) == {"t2"}
    heads, first, *_ = admin("tournaments", "list").out.splitlines()
    assert heads.split() == ["ID", "NAME", "STATUS", "HOST", "PLAYERS", "ROUND", "CREATED", "ENDED"]
    assert first.split()[:6] == ["t2", "League", "open", "Ann", "0", "0/5"]
    limited = admin("tournaments", "list", "--limit", "1")
    assert len(limited.out.splitlines()) == 2
    assert "narrow the list with --status or --find" in limited.err


def test_an_ambiguous_or_unknown_name_and_a_tournament_that_is_over_are_refused(admin: Callable[..., Done]) -> None:
    for words, expected in (
        (("tournaments", "end", "League"), "2 tournaments match 'League': use the ID of one, such as t1"),
        (("tournaments", "end", "None"), "no tournaments match 'None'"),
        (("parties", "end", "None"), "no parties match 'None'"),
        (("parties", "end", ""), "no parties match ''"),
        (("parties", "hand-over", "Friday", "Cy"), "only a member of the party can become its host"),
        (("parties", "hand-over", "Friday", "Di"), "there is no player 'Di'"),
    ):
        refused = admin(*words)
        assert (refused.status, expected in refused.err) == (2, True), refused
    admin("tournaments", "end", "t0")
    for over in (("end", "t0"), ("hand-over", "t0", "Bo")):
        assert "is over already" in admin("tournaments", *over).err
    assert listed(admin, "parties") == {"p0": ("idle", "Ann"), "p1": ("idle", "Ann")}


def test_a_tournament_gets_another_host_who_is_not_banned(
    admin: Callable[..., Done], people: tuple[str, ...], tmp_path: Path
) -> None:
    done = admin("tournaments", "hand-over", "Cup", "Cy").out
    assert done == "Cy is the host of the tournament Cup now.\n"
    assert listed(admin, "tournaments", "--find", "cup") == {"t0": ("open", "Cy")}

    async def host() -> tuple[str | None, int]:
        store = await Store.attach(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        stored = await store.query(partial(find_tournament, identifier="t0"))
        await store.close()
        return stored.host, stored.version

    assert asyncio.run(host()) == (people[2], 2)  # clients that wait for a change learn of it
    admin("bans", "add", "Bo")
    refused = admin("tournaments", "hand-over", "Cup", "Bo")
    assert (refused.status, "banned" in refused.err) == (2, True)
    assert json.loads(admin("log", "--json").out)[-1]["act"] == "hand_over"


def test_a_party_is_handed_to_a_member_and_ended_and_its_link_is_never_shown(
    admin: Callable[..., Done], tmp_path: Path, people: tuple[str, ...]
) -> None:
    async def key() -> str:
        store = await Store.attach(f"sqlite:///{tmp_path / 'tables.sqlite'}")
        party = await store.query(partial(party_of, party="p0", player=people[0]))
        await store.close()
        return party.key

    secret = asyncio.run(key())
    assert admin("parties", "hand-over", "Friday", "Bo").out == "Bo is the host of the party Friday now.\n"
    assert listed(admin, "parties")["p0"] == ("idle", "Bo")
    assert listed(admin, "parties", "--find", "friday", "--status", "idle") == {"p0": ("idle", "Bo")}
    assert listed(admin, "parties", "--status", "playing") == {}
    for out in (admin("parties", "list").out, admin("parties", "list", "--json").out, admin("log").out):
        assert secret not in out
    assert json.loads(admin("parties", "end", "p1", "--json").out) == {"party": "p1", "done": "end"}
    assert list(listed(admin, "parties")) == ["p0"]
    assert [row["act"] for row in json.loads(admin("log", "--json").out)] == ["end_party", "hand_over"]
