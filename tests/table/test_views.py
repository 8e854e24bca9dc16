"""What leaves a table: nothing that its viewer may not know."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.helpers import AT_DEADLINE, CLOCK, do, entries, highest, lowest, played_out, seated, with_state

from faceup.core import FORFEIT, RulesError, WrongSeatError, generator
from faceup.core.record import Terms, TimedOut
from faceup.table import Choose, ExpireDeadline, Table, decide, evolve, fold, view_for, visible_events
from faceup.table.commands import Forfeit, Leave, Mark, Unchoose
from faceup.table.evolve import table_from
from faceup.table.views import visible_history


def leaves(table: Table, viewer: int | None) -> bytes:
    """Return everything that can be sent to the viewer, as bytes."""
    return msgspec.json.encode(
        [view_for(table, viewer), visible_events(table, viewer), list(visible_history(table, viewer))]
    )


def sent(table: Table, viewer: int | None) -> bytes:
    """Return everything sent to the viewer after the last entry."""
    return msgspec.json.encode([view_for(table, viewer), visible_events(table, viewer)])


@given(
    st.sampled_from(["nimmt seats=3 hand=3", "war per_suit=5 suits=4", "niuniu throws=3"]),
    st.integers(0, 2**64 - 1),
    st.integers(0, 3),
    st.sampled_from([0, 1, None]),
    st.data(),
)
def test_views_do_not_depend_on_hidden_information(
    spec: str, seed: int, turns: int, viewer: int | None, data: st.DataObject
) -> None:
    """Compare two games with the same view and different hidden hands, choices and marks."""
    table = seated(spec, Terms(clock=30_000), seed)
    while table.decision < turns and table.status == "active":
        table = do(table, highest(table, table.waiting[0]), 10, generator(seed))
    guess = table.rules.guess(table.rules.view(table.state, viewer), generator(seed ^ 1))
    worlds = [table, with_state(table, guess)]
    others = [seat for seat in table.deciders if seat != viewer]
    for seat in data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []:
        for index, world in enumerate(worlds):
            legal = world.rules.legal(world.state, seat)
            action = data.draw(st.sampled_from(legal))
            command = Choose(seat, action) if len(world.waiting) > 1 else Mark(seat, action)
            worlds[index] = do(world, command, 20)
        assert sent(worlds[0], viewer) == sent(worlds[1], viewer)
    for command in (Choose(99 if viewer is None else viewer, FORFEIT - 1), Choose(-1, 0)):
        refusals = []
        for world in worlds:
            with pytest.raises(RulesError) as refused:
                decide(world, command, 30, generator(0))
            refusals.append((str(refused.value), msgspec.json.encode(vars(refused.value))))
        assert refusals[0] == refusals[1]


@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_choice_of_another_seat_is_visible_only_as_chosen(viewer: int | None) -> None:
    table = seated()
    low, high = do(table, lowest(table, 0)), do(table, highest(table, 0))
    assert leaves(low, viewer) == leaves(high, viewer) != leaves(table, viewer)
    shown = [seat.chosen for seat in view_for(low, viewer).seats if seat]
    assert shown == [True, False, False]
    assert [event.words(low.names) for event in visible_events(low, viewer)] == ["Ada has chosen."]


def test_a_seat_sees_its_own_choice_and_mark() -> None:
    table = seated(terms=CLOCK)
    table = do(do(table, lowest(table, 0)), Mark(0, highest(table, 0).action))
    assert view_for(table, 0).choice == lowest(table, 0).action
    assert view_for(table, 0).mark == highest(table, 0).action
    for viewer in (1, 2, None):
        assert view_for(table, viewer).choice is None
        assert view_for(table, viewer).mark is None


NOTHING_NEW: list[tuple[str, Callable[[Table], Table]]] = [
    ("a mark", lambda table: do(table, Mark(0, lowest(table, 0).action))),
    ("another choice in place of one", lambda table: do(table, highest(table, 0))),
]


@pytest.mark.parametrize(("what", "change"), NOTHING_NEW)
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_a_private_change_sends_nothing_to_other_viewers(
    what: str,  # noqa: ARG001 -- names the case
    change: Callable[[Table], Table],
    viewer: int | None,
) -> None:
    table = do(seated(terms=CLOCK), lowest(seated(terms=CLOCK), 0))
    after = change(table)
    assert after != table
    assert visible_events(after, viewer) == ()
    assert view_for(after, viewer) == view_for(table, viewer)
    assert view_for(after, 0) != view_for(table, 0)


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_timeout_does_not_reveal_whether_there_was_a_mark(viewer: int | None) -> None:
    table = seated(terms=CLOCK)
    same = lowest(table, 2).action  # also the choice of the autoplay policy
    sent = []
    for start in (table, do(table, Mark(2, same))):
        appended = entries(start, ExpireDeadline(), 30_000)
        assert any(isinstance(entry, TimedOut) and entry.seat == 2 for entry in appended)
        sent.append(msgspec.json.encode([visible_events(fold(start, appended[:n]), viewer) for n in range(1, 5)]))
    assert sent[0] == sent[1]


def test_only_the_seat_gets_the_event_of_its_hand() -> None:
    table = seated()
    dealt = [[e for e in visible_events(table, viewer) if "dealt" in e.words(table.names)] for viewer in (0, 1, None)]
    assert [len(events) for events in dealt] == [1, 1, 0]
    assert dealt[0] != dealt[1]


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_the_history_of_a_viewer_equals_its_events(viewer: int | None) -> None:
    table = seated()
    events = [event for n in range(len(table.entries)) for event in visible_events(prefix(table, n + 1), viewer)]
    for seat in (0, 1, 2):
        for entry in entries(table, lowest(table, seat), 40):
            table = evolve(table, entry)
            events += visible_events(table, viewer)
    assert [past.event for past in visible_history(table, viewer)] == events
    assert [past.at for past in visible_history(table, viewer)] == sorted(
        past.at for past in visible_history(table, viewer)
    )


def prefix(table: Table, length: int) -> Table:
    cut = msgspec.structs.replace(table.record, entries=table.entries[:length], result=None)
    return table_from(cut, table.autoplay)


def test_an_error_quotes_the_position_as_its_seat_sees_it() -> None:
    table = seated("nimmt:cowheadking seats=2 hand=4")
    other_cards = {str(card + 1) for card in table.rules.legal(table.state, 1)}
    for command in (Choose(0, 999), Unchoose(0), Leave(9), Choose(-1, 0)):
        with pytest.raises(RulesError) as refused:
            entries(table, command)
        assert refused.value.position
        assert not other_cards & set(refused.value.position.replace("/", " ").replace(",", " ").split())


def test_a_forfeit_is_not_shown_before_the_reveal() -> None:
    table = seated("nimmt:arena deals=1 hand=2")
    assert sent(do(table, Forfeit(2)), 0) == sent(do(table, lowest(table, 2)), 0)


def test_a_view_has_everything_to_ask_for_a_choice() -> None:
    table = seated(terms=AT_DEADLINE)
    sight = view_for(table, 1)
    assert (sight.seat, sight.status, sight.decision, sight.due) == (1, "active", 0, 30_000)
    assert sight.view.legal == table.rules.legal(table.state, 1)
    assert sight.terms == AT_DEADLINE
    assert view_for(table, None).view.legal == ()


def test_every_event_has_a_sentence() -> None:
    table = played_out(seated())
    words = [timed.event.words(table.names) for timed in visible_history(table, None)]
    assert words[:3] == ["Ada sits down.", "Bo sits down.", "Cy sits down."]
    table = do(do(seated(), lowest(seated(), 0)), Unchoose(0))
    assert visible_events(table, None)[0].words(table.names) == "Ada is thinking again."


@pytest.mark.parametrize("viewer", [-1, 3, 2**70])
def test_there_is_no_view_for_a_seat_that_does_not_exist(viewer: int) -> None:
    """-1 saw the choice and the hand of the last seat."""
    with pytest.raises(WrongSeatError, match=f"there is no seat {viewer}: the seats are 0 to 2"):
        view_for(do(seated(), lowest(seated(), 2)), viewer)
