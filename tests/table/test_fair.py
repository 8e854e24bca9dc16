"""Fair deals: server and players make them together, and nobody who sends last, or nothing, can choose."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.fair_play import FAIR, agreed, answered, finished, sat, seed_of
from tests.table.play import do, entries, kinds

from faceup.bots import policy
from faceup.core import Malformed, NotYours, RulesError, Seeded, draw
from faceup.core.fair import SIZE, FairDraw, commitment, key, pledge
from faceup.core.laws.likelihood import chi_square_survival
from faceup.core.record import Applied, Listed, Pledged, PledgeOpened, Sealed, Terms, dumps, loads, replay
from faceup.table import (
    Choose,
    Leave,
    OpenPledge,
    Pledge,
    Resume,
    Stale,
    Table,
    Tick,
    awaited,
    contribution_for,
    events_for,
    evolve,
    fair_step,
    history_for,
    table_from,
    to_choose,
    view_for,
)
from faceup.table.fair import PATIENCE

LOWEST = policy("nimmt", "lowest")


def step(table: Table, seat: int) -> Pledge | OpenPledge:
    """What the client in this seat owes."""
    found = fair_step(view_for(table, seat).fair, seat, seed_of(seat))
    assert found is not None
    return found


def pledged(table: Table, *seats: int) -> Table:
    for seat in seats:
        table = do(table, step(table, seat), 50)
    return table


def names(table: Table) -> list[str]:
    return [type(entry).__name__ for entry in table.entries]


def test_when_all_sit_a_secret_is_sealed_and_nothing_is_dealt() -> None:
    table = sat()
    assert names(table) == ["Joined"] * 3 + ["Sealed"]
    assert table.sealing
    assert table.status == "active"
    assert to_choose(table) == ()


def test_pledges_list_openings_and_the_deal_follow_without_a_click() -> None:
    table = agreed()
    assert names(table)[3:] == ["Sealed", "Pledged", "Pledged", "Listed", "PledgeOpened", "PledgeOpened", "Applied"]
    assert to_choose(table) == (0, 1, 2)
    assert table.due == 100 + 30_000
    assert kinds(pledged(sat(), 0), step(pledged(sat(), 0), 1)) == ["Pledged", "Listed"]


def test_a_table_of_bots_waits_for_nobody() -> None:
    table = sat(people=0)
    assert names(table)[3:] == ["Sealed", "Listed", "Applied"]


def test_a_game_that_begins_with_a_decision_opens_it_when_the_round_is_complete() -> None:
    table = sat("niuniu throws=2", people=2, terms=Terms(clock=30_000, fair=True))
    assert table.deciders == ()
    table = answered(table, (0, 1), 700)
    assert (table.deciders, table.due) == ((0, 1), 30_700)


def test_the_deal_is_drawn_from_secret_and_contributions_and_not_from_the_tables_generator() -> None:
    table = agreed()
    assert table.round is not None
    opened = {seat: contribution_for(seed_of(seat), 0, seat) for seat in (0, 1)}
    rng = FairDraw(key(0, bytes.fromhex(table.round.secret), opened), 0)
    start = table.rules.start()
    [deal] = [entry.outcome for entry in table.entries if isinstance(entry, Applied)]
    assert deal == table.rules.describe(draw(table.rules, start, rng))
    others = [answered(sat(), (0, 1), rng=Seeded(seed)).entries[-1] for seed in range(5)]
    assert len(set(others)) == 1
    assert answered(sat(), (0, 1), salt=1).entries[-1] != table.entries[-1]
    assert agreed(seed=2).entries[-1] != table.entries[-1]


def test_each_outcome_of_the_match_has_its_number() -> None:
    table = finished("nimmt seats=2 hand=2 deals=3")
    assert table.round is not None
    assert table.round.drawn == 3
    deals = [entry.outcome for entry in table.entries if isinstance(entry, Applied) and entry.outcome]
    assert len(set(deals)) == 3


def test_nothing_is_opened_before_the_contributors_are_listed() -> None:
    table = pledged(sat(), 0)
    early = OpenPledge(0, 0, contribution_for(seed_of(0), 0, 0).hex())
    with pytest.raises(NotYours, match="not settled yet who contributes"):
        entries(table, early)


def test_no_other_bytes_can_be_opened_than_were_pledged() -> None:
    table = pledged(sat(), 0, 1)
    with pytest.raises(Malformed, match="this is not what seat 0 pledged"):
        entries(table, OpenPledge(0, 0, "00" * SIZE))
    with pytest.raises(Malformed, match="64 hexadecimal digits"):
        entries(table, OpenPledge(0, 0, "0"))
    copied = contribution_for(seed_of(1), 0, 1)
    table = do(sat(), Pledge(1, 0, pledge(0, 1, copied).hex()), 50)
    table = do(table, Pledge(0, 0, pledge(0, 1, copied).hex()), 50)  # what another seat pledged is no pledge of mine
    with pytest.raises(Malformed, match="not what seat 0 pledged"):
        entries(table, OpenPledge(0, 0, copied.hex()))


def test_who_does_not_pledge_in_time_does_not_contribute() -> None:
    table = do(pledged(sat(), 0), Tick(), PATIENCE)
    assert table.round is not None
    assert table.round.listed == (0,)
    table = answered(table, (0, 1), PATIENCE + 10)
    assert not table.sealing
    table = do(sat(), Tick(), PATIENCE)
    assert names(table)[3:] == ["Sealed", "Listed", "Applied"]


def test_who_does_not_open_in_time_is_left_out_by_name_of_a_new_round_with_a_new_secret() -> None:
    table = pledged(sat(people=3), 0, 1, 2)
    first = table.round
    table = do(do(table, step(table, 1)), Tick(), 2 * PATIENCE, Seeded(2))
    assert names(table)[-3:] == ["LeftOut", "LeftOut", "Sealed"]
    assert first is not None
    assert table.round is not None
    assert table.round.left_out == (0, 2)
    assert table.round.number == 1
    assert table.round.secret != first.secret
    said = [told.event.words(table.names) for told in history_for(table, None)]
    assert "Ada does not open its contribution, and is left out of a new round." in said
    assert f"The server shows its secret: {first.secret}." in said
    with pytest.raises(Stale, match="was left out"):
        entries(table, Pledge(0, 1, "00" * SIZE))
    table = answered(table, (0, 1, 2), 2 * PATIENCE + 10)
    assert table.round is not None
    assert table.round.listed == (1,)
    assert not table.sealing


def test_who_was_waited_for_in_vain_is_not_waited_for_in_the_next_round_and_may_pledge_all_the_same() -> None:
    """Seat 2 pledges to none of three rounds but the second, and each time somebody else does not open."""
    table = do(pledged(sat(people=3), 0, 1), Tick(), PATIENCE)
    table = do(do(table, step(table, 1), PATIENCE), Tick(), 2 * PATIENCE)  # seat 0 does not open
    assert table.round is not None
    assert (table.round.number, table.round.silent, awaited(table)) == (1, (2,), (1,))
    late = do(table, step(table, 2), 2 * PATIENCE)
    assert late.round is not None
    assert late.round.silent == ()
    late = do(late, step(late, 1), 2 * PATIENCE)
    assert late.round is not None
    assert late.round.listed == (1, 2)
    table = do(table, step(table, 1), 2 * PATIENCE)
    assert table.round is not None
    assert table.round.listed == (1,)
    table = do(table, Tick(), 3 * PATIENCE)  # nor does seat 1, and so nobody is left to wait for
    assert to_choose(table)
    assert table_from(loads(dumps(table.record)), LOWEST) == table


def test_nobody_waits_for_a_pledge_of_somebody_who_left() -> None:
    table = do(pledged(sat(), 0), Leave(1), 60)
    assert names(table)[-2:] == ["Left", "Listed"]


def test_a_clock_that_was_interrupted_gives_a_round_its_whole_time_again() -> None:
    table = do(sat(), Resume(), 4_000)
    assert table.due == 4_000 + PATIENCE
    assert do(table, Tick(), 4_000 + PATIENCE - 1) == table


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (Pledge(2, 0, "00" * SIZE), "bots contribute nothing"),
        (Pledge(0, 1, "00" * SIZE), "yet to come"),
        (Pledge(0, 0, "AA" * SIZE), "in small letters"),
        (Pledge(0, 0, "00" * 31), "64 hexadecimal digits"),
        (Pledge(9, 0, "00" * SIZE), "no seat 9"),
        (OpenPledge(2, 0, "00" * SIZE), "not settled"),
        (Choose(0, 3), "cannot decide now"),
    ],
)
def test_what_is_wrong_with_a_command_is_said_and_nothing_changes(command: Pledge | Choose, why: str) -> None:
    table = sat()
    with pytest.raises(RulesError, match=why):
        entries(table, command)
    assert table == sat()


def test_pledges_come_once_and_in_time_and_to_tables_that_ask_for_them() -> None:
    table = pledged(sat(), 0)
    for late, command in ((60, Pledge(0, 0, "00" * SIZE)), (PATIENCE, Pledge(1, 0, "00" * SIZE))):
        with pytest.raises(Stale):
            entries(table, command, late)
    with pytest.raises(Stale, match="is not open here"):
        entries(agreed(), Pledge(0, 0, "00" * SIZE))


@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**32))
@settings(max_examples=20)
def test_whoever_opens_last_has_no_choice_but_to_open_or_to_be_left_out(other: bytes, seed: int) -> None:
    """After the list, one opening is taken from the last seat, and none at all leads to a secret nobody had seen."""
    table = pledged(sat(seed=seed), 0, 1)
    table = do(table, step(table, 0), 60)
    true = step(table, 1)
    assert isinstance(true, OpenPledge)
    if other.hex() != true.contribution:
        with pytest.raises(Malformed):
            entries(table, OpenPledge(1, 0, other.hex()))
    silent = answered(do(table, Tick(), 2 * PATIENCE, Seeded(seed, 1)), (0, 1), 2 * PATIENCE + 10)
    assert silent.round is not None
    assert table.round is not None
    assert silent.round.secret != table.round.secret
    assert silent.round.left_out == (1,)


@pytest.mark.parametrize("unfair", ["server", 0, 1])
def test_one_honest_contribution_makes_the_deal_uniform(unfair: object) -> None:
    """With all but one party's bytes fixed, the first card dealt is each card equally often."""
    rules = sat("nimmt seats=2 hand=1 rows=1 cards=8").rules
    counts: Counter[int] = Counter()
    rng = Seeded(77)
    for _ in range(1600):
        fresh = bytes(rng.below(256) for _ in range(SIZE))
        fixed = b"x" * SIZE
        secret = fixed if unfair != "server" else fresh
        opened = {seat: fresh if unfair == seat else fixed for seat in (0, 1)}
        outcome = draw(rules, rules.start(), FairDraw(key(0, secret, opened), 0))
        counts[rules.choices(rules.start(), outcome)[0]] += 1
    assert chi_square_survival(sum((counts[card] - 200) ** 2 / 200 for card in range(8)), 7) > 1e-6


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_secret_leaves_the_table_when_nothing_is_hidden_any_more_and_not_before(viewer: int | None) -> None:
    table = finished()
    assert table.round is not None
    secret = table.round.secret
    past = msgspec.structs.replace(table.record, entries=(), result=None)
    now = table_from(past, LOWEST)
    for entry in table.entries:
        now = evolve(now, entry)
        sent = msgspec.json.encode([view_for(now, viewer), events_for(now, viewer)]).decode()
        assert (secret in sent) == (now.status == "finished")
    assert view_for(table, viewer).fair is not None


def test_what_leaves_is_the_same_whatever_the_secret_but_for_its_hash() -> None:
    sent = []
    for seed in (1, 2):
        table = pledged(sat(seed=seed), 0, 1)
        assert table.round is not None
        text = msgspec.json.encode([view_for(table, 0), list(history_for(table, 0))]).decode()
        sent.append(text.replace(table.round.commitment, "HASH"))
    assert sent[0] == sent[1]


def test_a_record_keeps_the_round_and_is_replayed_without_it() -> None:
    table = finished()
    record = loads(dumps(table.record))
    assert table_from(record, LOWEST) == table
    bare = [entry for entry in record.entries if not isinstance(entry, Sealed | Pledged | Listed | PledgeOpened)]
    *_, last = replay(msgspec.structs.replace(record, entries=tuple(bare)))
    assert last.state == table.state


def test_a_client_answers_what_it_pledged_and_nothing_that_was_put_in_its_name() -> None:
    table = do(sat(), Pledge(0, 0, "00" * SIZE), 10)
    table = pledged(table, 1)
    assert fair_step(view_for(table, 0).fair, 0, seed_of(0)) is None
    assert fair_step(view_for(table, 2).fair, 2, seed_of(2)) is None
    assert fair_step(None, 0, seed_of(0)) is None


def test_a_secret_that_is_not_the_one_of_its_commitment_is_refused() -> None:
    table = sat()
    number = names(table).index("Sealed")
    false = Sealed(0, commitment(0, b"x" * SIZE).hex(), (b"y" * SIZE).hex())
    edited = (*table.entries[:number], false)
    with pytest.raises(Malformed, match="the commitment is not the hash of the secret"):
        table_from(msgspec.structs.replace(table.record, entries=edited), LOWEST)


def test_nothing_is_dealt_before_the_round_is_complete() -> None:
    table = sat(terms=FAIR)
    deal = agreed(terms=FAIR).entries[-1]
    with pytest.raises(NotYours, match="before the round of the fair deal is complete"):
        evolve(table, msgspec.structs.replace(deal, at=table.at))
