"""Fair deals: neither the last sender nor a silent one can influence the result."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.fair_helpers import FAIR, agreed, answered, committed, finished, seed_of
from tests.table.helpers import do, entries, kinds

from faceup.bots import policy
from faceup.core import Malformed, RulesError, SeededGenerator, WrongSeatError, draw
from faceup.core.fair_draw import SIZE, FairDraw, commitment, draw_key, pledge
from faceup.core.laws.determinization import chi_square_survival
from faceup.core.record import Applied, Listed, Pledged, PledgeOpened, SecretCommitted, Terms, dumps, loads, replay
from faceup.table import Choose, ExpireDeadline, Table, evolve, next_fair_command, view_for, visible_events
from faceup.table.commands import Leave, OpenPledge, Pledge, RestartClock
from faceup.table.contribution import derive_contribution
from faceup.table.errors import StaleCommandError
from faceup.table.evolve import table_from
from faceup.table.fair_round import FAIR_ROUND_TIMEOUT, awaited_seats
from faceup.table.views import visible_history

LOWEST = policy("nimmt", "lowest")


def step(table: Table, seat: int) -> Pledge | OpenPledge:
    """Return the fair deal command that is due for the seat."""
    command = next_fair_command(view_for(table, seat).fair, seat, seed_of(seat))
    assert command is not None
    return command


def pledged(table: Table, *seats: int) -> Table:
    for seat in seats:
        table = do(table, step(table, seat), 50)
    return table


def names(table: Table) -> list[str]:
    return [type(entry).__name__ for entry in table.entries]


def test_the_last_seat_commits_the_secret_before_any_deal() -> None:
    table = committed()
    assert names(table) == ["Joined"] * 3 + ["SecretCommitted"]
    assert table.committing
    assert table.status == "active"
    assert table.waiting == ()


def test_the_deal_follows_automatically_from_pledges_and_openings() -> None:
    table = agreed()
    assert names(table)[3:] == [
        "SecretCommitted",
        "Pledged",
        "Pledged",
        "Listed",
        "PledgeOpened",
        "PledgeOpened",
        "Applied",
    ]
    assert table.waiting == (0, 1, 2)
    assert table.due == 100 + 30_000
    assert kinds(pledged(committed(), 0), step(pledged(committed(), 0), 1)) == ["Pledged", "Listed"]


def test_a_table_of_bots_completes_the_round_immediately() -> None:
    table = committed(people=0)
    assert names(table)[3:] == ["SecretCommitted", "Listed", "Applied"]


def test_a_game_without_a_deal_opens_its_decision_after_the_round() -> None:
    table = committed("niuniu throws=2", people=2, terms=Terms(clock=30_000, fair=True))
    assert table.deciders == ()
    table = answered(table, (0, 1), 700)
    assert (table.deciders, table.due) == ((0, 1), 30_700)


def test_a_fair_deal_does_not_use_the_tables_generator() -> None:
    table = agreed()
    assert table.round is not None
    opened = {seat: derive_contribution(seed_of(seat), 0, seat) for seat in (0, 1)}
    rng = FairDraw(draw_key(0, bytes.fromhex(table.round.secret), opened), 0)
    start = table.rules.start()
    [deal] = [entry.outcome for entry in table.entries if isinstance(entry, Applied)]
    assert deal == table.rules.describe(draw(table.rules, start, rng))
    others = [answered(committed(), (0, 1), rng=SeededGenerator(seed)).entries[-1] for seed in range(5)]
    assert len(set(others)) == 1
    assert answered(committed(), (0, 1), salt=1).entries[-1] != table.entries[-1]
    assert agreed(seed=2).entries[-1] != table.entries[-1]


def test_outcomes_of_a_match_are_numbered() -> None:
    table = finished("nimmt seats=2 hand=2 deals=3")
    assert table.round is not None
    assert table.round.drawn == 3
    deals = [entry.outcome for entry in table.entries if isinstance(entry, Applied) and entry.outcome]
    assert len(set(deals)) == 3


def test_pledges_cannot_be_opened_before_the_list() -> None:
    table = pledged(committed(), 0)
    early = OpenPledge(0, 0, derive_contribution(seed_of(0), 0, 0).hex())
    with pytest.raises(WrongSeatError, match="only after the contributors are listed"):
        entries(table, early)


def test_an_opening_must_match_its_pledge() -> None:
    table = pledged(committed(), 0, 1)
    with pytest.raises(Malformed, match="does not match the pledge of seat 0"):
        entries(table, OpenPledge(0, 0, "00" * SIZE))
    with pytest.raises(Malformed, match="64 lower-case hexadecimal digits"):
        entries(table, OpenPledge(0, 0, "0"))
    copied = derive_contribution(seed_of(1), 0, 1)
    table = do(committed(), Pledge(1, 0, pledge(0, 1, copied).hex()), 50)
    table = do(table, Pledge(0, 0, pledge(0, 1, copied).hex()), 50)  # what another seat pledged is no pledge of mine
    with pytest.raises(Malformed, match="does not match the pledge of seat 0"):
        entries(table, OpenPledge(0, 0, copied.hex()))


def test_a_seat_that_does_not_pledge_in_time_does_not_contribute() -> None:
    table = do(pledged(committed(), 0), ExpireDeadline(), FAIR_ROUND_TIMEOUT)
    assert table.round is not None
    assert table.round.listed == (0,)
    table = answered(table, (0, 1), FAIR_ROUND_TIMEOUT + 10)
    assert not table.committing
    table = do(committed(), ExpireDeadline(), FAIR_ROUND_TIMEOUT)
    assert names(table)[3:] == ["SecretCommitted", "Listed", "Applied"]


def test_a_seat_that_does_not_open_in_time_is_excluded_and_a_new_round_starts() -> None:
    table = pledged(committed(people=3), 0, 1, 2)
    first = table.round
    table = do(do(table, step(table, 1)), ExpireDeadline(), 2 * FAIR_ROUND_TIMEOUT, SeededGenerator(2))
    assert names(table)[-3:] == ["LeftOut", "LeftOut", "SecretCommitted"]
    assert first is not None
    assert table.round is not None
    assert table.round.left_out == (0, 2)
    assert table.round.number == 1
    assert table.round.secret != first.secret
    sentences = [timed.event.words(table.names) for timed in visible_history(table, None)]
    assert "Ada did not reveal its contribution in time and is excluded from the next round." in sentences
    assert f"The server reveals its secret: {first.secret}." in sentences
    with pytest.raises(StaleCommandError, match="is excluded"):
        entries(table, Pledge(0, 1, "00" * SIZE))
    table = answered(table, (0, 1, 2), 2 * FAIR_ROUND_TIMEOUT + 10)
    assert table.round is not None
    assert table.round.listed == (1,)
    assert not table.committing


def test_a_silent_seat_is_not_awaited_again_and_may_still_pledge() -> None:
    """In three rounds seat 2 pledges only to the second, and another seat never opens."""
    table = do(pledged(committed(people=3), 0, 1), ExpireDeadline(), FAIR_ROUND_TIMEOUT)
    table = do(
        do(table, step(table, 1), FAIR_ROUND_TIMEOUT), ExpireDeadline(), 2 * FAIR_ROUND_TIMEOUT
    )  # seat 0 does not open
    assert table.round is not None
    assert (table.round.number, table.round.silent, awaited_seats(table)) == (1, (2,), (1,))
    late = do(table, step(table, 2), 2 * FAIR_ROUND_TIMEOUT)
    assert late.round is not None
    assert late.round.silent == ()
    late = do(late, step(late, 1), 2 * FAIR_ROUND_TIMEOUT)
    assert late.round is not None
    assert late.round.listed == (1, 2)
    table = do(table, step(table, 1), 2 * FAIR_ROUND_TIMEOUT)
    assert table.round is not None
    assert table.round.listed == (1,)
    table = do(
        table, ExpireDeadline(), 3 * FAIR_ROUND_TIMEOUT
    )  # seat 1 does not either, so no seat is left to wait for
    assert table.waiting
    assert table_from(loads(dumps(table.record)), LOWEST) == table


def test_the_pledge_of_an_absent_player_is_not_awaited() -> None:
    table = do(pledged(committed(), 0), Leave(1), 60)
    assert names(table)[-2:] == ["Left", "Listed"]


def test_restarting_the_clock_gives_a_round_its_full_time() -> None:
    table = do(committed(), RestartClock(), 4_000)
    assert table.due == 4_000 + FAIR_ROUND_TIMEOUT
    assert do(table, ExpireDeadline(), 4_000 + FAIR_ROUND_TIMEOUT - 1) == table


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Pledge(2, 0, "00" * SIZE), "bots do not contribute"),
        (Pledge(0, 1, "00" * SIZE), "not open yet"),
        (Pledge(0, 0, "AA" * SIZE), "lower-case"),
        (Pledge(0, 0, "00" * 31), "64 lower-case hexadecimal digits"),
        (Pledge(9, 0, "00" * SIZE), "no seat 9"),
        (OpenPledge(2, 0, "00" * SIZE), "only after the contributors are listed"),
        (Choose(0, 3), "cannot decide now"),
    ],
)
def test_an_invalid_command_raises_and_changes_nothing(command: Pledge | Choose, why: str) -> None:
    table = committed()
    with pytest.raises(RulesError, match=why):
        entries(table, command)
    assert table == committed()


def test_unexpected_pledges_are_rejected() -> None:
    table = pledged(committed(), 0)
    for late, command in ((60, Pledge(0, 0, "00" * SIZE)), (FAIR_ROUND_TIMEOUT, Pledge(1, 0, "00" * SIZE))):
        with pytest.raises(StaleCommandError):
            entries(table, command, late)
    with pytest.raises(StaleCommandError, match="fair deal is not open"):
        entries(agreed(), Pledge(0, 0, "00" * SIZE))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**32))
def test_the_last_seat_to_open_cannot_influence_the_deal(other: bytes, seed: int) -> None:
    """After the list the last seat can only open one value; withholding it starts a round with a new secret."""
    table = pledged(committed(seed=seed), 0, 1)
    table = do(table, step(table, 0), 60)
    true = step(table, 1)
    assert isinstance(true, OpenPledge)
    if other.hex() != true.contribution:
        with pytest.raises(Malformed):
            entries(table, OpenPledge(1, 0, other.hex()))
    silent = answered(
        do(table, ExpireDeadline(), 2 * FAIR_ROUND_TIMEOUT, SeededGenerator(seed, 1)),
        (0, 1),
        2 * FAIR_ROUND_TIMEOUT + 10,
    )
    assert silent.round is not None
    assert table.round is not None
    assert silent.round.secret != table.round.secret
    assert silent.round.left_out == (1,)


@pytest.mark.parametrize("unfair", ["server", 0, 1])
def test_one_honest_contribution_makes_the_deal_uniform(unfair: object) -> None:
    """With the bytes of all others fixed, the first card is uniformly distributed."""
    rules = committed("nimmt seats=2 hand=1 rows=1 cards=8").rules
    counts: Counter[int] = Counter()
    rng = SeededGenerator(77)
    for _ in range(1600):
        fresh = bytes(rng.below(256) for _ in range(SIZE))
        fixed = b"x" * SIZE
        secret = fixed if unfair != "server" else fresh
        opened = {seat: fresh if unfair == seat else fixed for seat in (0, 1)}
        outcome = draw(rules, rules.start(), FairDraw(draw_key(0, secret, opened), 0))
        counts[rules.choices(rules.start(), outcome)[0]] += 1
    assert chi_square_survival(sum((counts[card] - 200) ** 2 / 200 for card in range(8)), 7) > 1e-6


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_secret_is_revealed_only_at_the_end(viewer: int | None) -> None:
    table = finished()
    assert table.round is not None
    secret = table.round.secret
    past = msgspec.structs.replace(table.record, entries=(), result=None)
    now = table_from(past, LOWEST)
    for entry in table.entries:
        now = evolve(now, entry)
        sent = msgspec.json.encode([view_for(now, viewer), visible_events(now, viewer)]).decode()
        assert (secret in sent) == (now.status == "finished")
    assert view_for(table, viewer).fair is not None


def test_views_depend_only_on_the_hash_of_the_secret() -> None:
    sent = []
    for seed in (1, 2):
        table = pledged(committed(seed=seed), 0, 1)
        assert table.round is not None
        text = msgspec.json.encode([view_for(table, 0), list(visible_history(table, 0))]).decode()
        sent.append(text.replace(table.round.commitment, "HASH"))
    assert sent[0] == sent[1]


def test_a_record_with_a_round_replays_with_the_rules_alone() -> None:
    table = finished()
    record = loads(dumps(table.record))
    assert table_from(record, LOWEST) == table
    bare = [
        entry for entry in record.entries if not isinstance(entry, SecretCommitted | Pledged | Listed | PledgeOpened)
    ]
    *_, last = replay(msgspec.structs.replace(record, entries=tuple(bare)))
    assert last.state == table.state


def test_a_client_opens_only_its_own_pledge() -> None:
    table = do(committed(), Pledge(0, 0, "00" * SIZE), 10)
    table = pledged(table, 1)
    assert next_fair_command(view_for(table, 0).fair, 0, seed_of(0)) is None
    assert next_fair_command(view_for(table, 2).fair, 2, seed_of(2)) is None
    assert next_fair_command(None, 0, seed_of(0)) is None


def test_a_secret_must_match_its_commitment() -> None:
    table = committed()
    number = names(table).index("SecretCommitted")
    false = SecretCommitted(0, commitment(0, b"x" * SIZE).hex(), (b"y" * SIZE).hex())
    edited = (*table.entries[:number], false)
    with pytest.raises(Malformed, match="the commitment must be the hash of the secret"):
        table_from(msgspec.structs.replace(table.record, entries=edited), LOWEST)


def test_nothing_is_dealt_before_the_round_is_complete() -> None:
    table = committed(terms=FAIR)
    deal = agreed(terms=FAIR).entries[-1]
    with pytest.raises(WrongSeatError, match="before the fair deal's round is complete"):
        evolve(table, msgspec.structs.replace(deal, at=table.at))


@pytest.mark.parametrize("seat", [-1, 3, 2**70])
def test_a_seat_that_does_not_exist_has_no_command(seat: int) -> None:
    fair = view_for(committed(), None).fair
    with pytest.raises(WrongSeatError, match=f"there is no seat {seat}: the seats are 0 to 2"):
        next_fair_command(fair, seat, bytes(32))


def test_a_contribution_has_a_seed_of_32_bytes_and_a_seat_and_round_of_four() -> None:
    with pytest.raises(Malformed, match="the seed must be 32 bytes; got 5"):
        derive_contribution(b"guess", 0, 0)
    for round_, seat in ((-1, 0), (0, -1), (2**32, 0), (0, 2**32)):
        with pytest.raises(Malformed, match="must be 0 to 4294967295"):
            derive_contribution(bytes(32), round_, seat)
