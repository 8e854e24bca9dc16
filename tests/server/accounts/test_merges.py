"""All rows of a guest belong to the account after a login, and none is counted twice."""

import pytest
import sqlalchemy as sa
from sqlalchemy import Connection

from faceup.server.accounts.errors import UnauthenticatedError
from faceup.server.accounts.player_ids import current_ids, ids_of
from faceup.server.accounts.players import create_guest, find_by_name
from faceup.server.accounts.schema import players
from faceup.server.moderation.bans import ban_player
from faceup.server.moderation.bans_in_force import is_banned
from faceup.server.moderation.reports import add_report, list_reports
from faceup.server.player_data import merge
from faceup.server.puzzles.queries import store_answer, totals_of_puzzles
from faceup.server.store.schema import rooms
from faceup.server.turns.mail_addresses import confirm_address, find_address, set_address


@pytest.fixture
def ids(people: Connection) -> tuple[str, str, str]:
    guest, account, other = (create_guest(people, 0, name).id for name in ("Gus", "Gustav", "Ann"))
    return guest, account, other


def test_all_ids_of_a_person_are_found_from_any_of_them(people: Connection, ids: tuple[str, str, str]) -> None:
    guest, account, other = ids
    merge(people, guest, account)
    merge(people, account, other)
    for player in ids:
        assert ids_of(people, player) == (other, *sorted((guest, account)))
    assert current_ids(people, [guest, "bot random", other]) == [other, "bot random", other]
    assert find_by_name(people, "Gus") == []
    assert find_by_name(people, guest) == [other]


@pytest.mark.parametrize("guest_first", [False, True])
def test_a_second_answer_to_a_puzzle_leaves_no_trace_in_its_rating(
    people: Connection, ids: tuple[str, str, str], guest_first: bool
) -> None:
    guest, account, other = ids
    for number in range(35):
        answer(people, other, f"{number}", number)
    for now, player in enumerate((guest, account) if guest_first else (account, guest), 100):
        answer(people, player, "a", now)
        if now == 100:
            before = totals_of_puzzles(people)["a"]
    merge(people, guest, account)
    after = totals_of_puzzles(people)["a"]
    assert (after.tries, after.solved, round(after.points, 6)) == (1, before.solved, round(before.points, 6))


def answer(people: Connection, player: str, puzzle: str, now: int) -> None:
    store_answer(people, now, player, puzzle, "play 7", solved=now % 2 == 0, first=1500)


def test_a_ban_of_a_merged_player_counts_in_lists(people: Connection, ids: tuple[str, str, str]) -> None:
    guest, account, _ = ids
    ban_player(people, 0, guest)
    merge(people, guest, account)
    query = sa.select(players.c.id).where(is_banned(players), players.c.merged_into.is_(None))
    assert people.execute(query).scalars().all() == [account]


def test_reports_of_a_guest_and_the_account_count_as_those_of_one_person(
    people: Connection, ids: tuple[str, str, str]
) -> None:
    guest, account, other = ids
    table = {"id": "t", "code": "ABCDE", "opened_at": 0, "status": "active", "listed": False, "seq": 0} | {
        "source": "",
        "creator": "",
        "cost": 1,
        "bot_only": False,
    }
    people.execute(rooms.insert().values(**table, changed_at=0, summary="{}"))
    for reporter, reported in ((guest, other), (account, other), (other, guest), (other, account), (guest, account)):
        add_report(people, 0, place="t", reporter=reporter, reported=reported, name="", reason="name")
    merge(people, guest, account)
    reports = sorted((report.by, report.reporters) for report in list_reports(people))
    assert reports == [("Ann", 1), ("Gustav", 1)]


def test_the_code_for_an_address_follows_the_address(people: Connection, ids: tuple[str, str, str]) -> None:
    guest, account, other = ids
    code = set_address(people, 0, guest, "gus@example.org", "en")
    merge(people, guest, account)
    confirm_address(people, 1, account, code, (account, guest))
    address = find_address(people, guest)
    assert address is not None
    assert address.address == "gus@example.org"
    code = set_address(people, 2, other, "wrong@example.org", "en")
    set_address(people, 2, account, "right@example.org", "en")
    merge(people, other, account)
    with pytest.raises(UnauthenticatedError):  # it was sent to an address that the account does not have
        confirm_address(people, 3, account, code, (account,))
