"""Whatever is asked of a table, in whatever order: the promises that always hold."""

from collections.abc import Callable

import msgspec
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.table.helpers import opened, seated

from faceup.core import RulesError, generator
from faceup.core.record import AnyEntry, Applied, Terms, dumps, loads
from faceup.table import (
    Choose,
    ExpireDeadline,
    Join,
    Table,
    decide,
    fold,
    next_fair_command,
    open_table,
    view_for,
    visible_events,
)
from faceup.table.commands import (
    Autoplay,
    Command,
    Forfeit,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    Pledge,
    RestartClock,
    Resume,
    Return,
    Unchoose,
)
from faceup.table.evolve import table_from

SPECS = (
    "nimmt seats=2 hand=2",
    "nimmt seats=3 hand=1 deals=2",
    "nimmt:arena hand=1 deals=2",
    "niuniu throws=2",
    "war per_suit=2 suits=2 cap=6",
)
TERMS = (Terms(), Terms(clock=30_000), Terms(clock=30_000, reveal="at_deadline"), Terms(clock=30_000, fair=True))
seats = st.integers(-2, 5)
actions = st.integers(-2, 109) | st.just(0)
decisions = st.none() | st.integers(0, 4)
hashes = st.sampled_from(["00" * 32, "", "no hash"])
commands: st.SearchStrategy[Command] = st.one_of(
    st.builds(Join, st.none() | seats, st.sampled_from(["Ada", "Bo", "", "a\nb"])),
    st.builds(Mark, seats, st.none() | actions, decisions),
    st.builds(Choose, seats, actions, decisions),
    st.builds(Unchoose, seats, decisions),
    st.builds(Forfeit, seats, decisions),
    st.builds(Leave, seats),
    st.builds(Return, seats),
    st.builds(Pledge, seats, st.integers(-1, 2), hashes),
    st.builds(OpenPledge, seats, st.integers(-1, 2), hashes),
    st.builds(Autoplay, seats, st.none() | actions, decisions),
    st.builds(Pause),
    st.builds(Resume),
    st.builds(Pace, seats, st.sampled_from([1, 2, None])),
    st.builds(ExpireDeadline),
    st.builds(RestartClock),
)
RANK = {"pending": 0, "active": 1, "finished": 2}


class AnyCommands(RuleBasedStateMachine):
    table: Table
    now = 0

    @initialize(
        start=st.sampled_from([opened, seated, seated]),
        spec=st.sampled_from(SPECS),
        terms=st.sampled_from(TERMS),
        seed=st.integers(0, 9),
    )
    def open(self, start: Callable[[str, Terms], Table], spec: str, terms: Terms, seed: int) -> None:
        self.table = start(spec, terms)
        self.rng = generator(seed)

    def send(self, command: Command) -> tuple[AnyEntry, ...]:
        before = self.table
        copy = msgspec.structs.replace(before)
        try:
            entries = decide(before, command, self.now, self.rng)
        except RulesError:
            assert before == copy
            return ()
        assert before == copy
        self.table = fold(before, entries)
        assert RANK[before.status] <= RANK[self.table.status]
        if not any(isinstance(entry, Applied) for entry in entries):
            assert self.table.state == before.state
        return entries

    @rule(command=commands)
    def any_command(self, command: Command) -> None:
        self.send(command)

    @rule(by=st.integers(-50, 40_000))
    def time_passes(self, by: int) -> None:
        self.now += by

    @rule()
    def tick(self) -> None:
        self.send(ExpireDeadline())
        assert self.table.due is None or self.now < self.table.due or self.table.at > self.now

    @rule()
    def join(self) -> None:
        pending = self.table.status == "pending"
        assert bool(self.send(Join(None, "Cy"))) == pending

    @rule(data=st.data(), kind=st.sampled_from([Choose, Choose, Mark]))
    def a_legal_choice(self, data: st.DataObject, kind: type[Choose] | type[Mark]) -> None:
        if not self.table.deciders:
            return
        seat = data.draw(st.sampled_from(self.table.deciders))
        action = data.draw(st.sampled_from(self.table.rules.legal(self.table.state, seat)))
        self.send(kind(seat, action, self.table.decision))

    @rule(seats=st.sets(st.integers(0, 3)))
    def clients_contribute_to_a_fair_deal(self, seats: set[int]) -> None:
        for seat in seats & set(range(self.table.rules.seats)):
            step = next_fair_command(view_for(self.table, seat).fair, seat, bytes([seat]) * 32)
            if step is not None:
                self.send(step)

    @rule(data=st.data())
    def all_remaining_seats_choose(self, data: st.DataObject) -> None:
        for seat in self.table.waiting:
            legal = self.table.rules.legal(self.table.state, seat)
            self.send(Choose(seat, data.draw(st.sampled_from(legal)), self.table.decision))
        event(self.table.status)

    @invariant()
    def the_table_equals_the_fold_of_its_entries_and_its_record(self) -> None:
        table = self.table
        assert fold(open_table(table.rules, table.autoplay, table.terms), table.entries) == table
        assert table_from(loads(dumps(table.record)), table.autoplay) == table

    @invariant()
    def entry_times_never_decrease(self) -> None:
        times = [entry.at for entry in self.table.entries]
        assert times == sorted(times)

    @invariant()
    def the_game_never_stalls(self) -> None:
        """Check that an active table waits for a choice or for the clock."""
        if self.table.status == "active":
            table = self.table
            clocked = table.terms.reveal == "at_deadline" or (table.committing and table.due is not None)
            assert table.waiting or clocked or table.paused is not None

    @invariant()
    def the_clock_runs_only_while_a_decision_is_open(self) -> None:
        table = self.table
        if table.status == "active" and table.committing:
            assert (table.due is not None) == (table.paused is None)
            return
        assert (table.deadline is not None) == bool(table.deciders and table.terms.clock)
        assert table.due is None or table.deadline is not None
        if set(table.paces) == {1} and table.paused is None:
            assert table.due == table.deadline

    @invariant()
    def a_viewer_sees_no_choice_or_mark_but_its_own(self) -> None:
        bare = msgspec.structs.replace(
            self.table,
            marks=(None,) * self.table.rules.seats,
            choices=tuple(
                None if choice is None else self.table.rules.legal(self.table.state, seat)[0]
                for seat, choice in enumerate(self.table.choices)
            ),
        )
        assert view_for(self.table, None) == view_for(bare, None)
        assert visible_events(self.table, None) == visible_events(bare, None)


TestAnyCommands = AnyCommands.TestCase
TestAnyCommands.settings = settings(stateful_step_count=40)
