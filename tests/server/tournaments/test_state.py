"""When the next thing happens in a tournament: outages do not count, and a pause loses no scheduled start."""

import msgspec
import pytest

from faceup.core.record import Terms
from faceup.server.rooms import TableConfig
from faceup.server.tournaments.settings import TournamentSettings
from faceup.server.tournaments.state import (
    IDLE,
    PauseTournament,
    ResumeTournament,
    TournamentState,
    advance,
    after_outage,
    apply_host_command,
    enter,
    open_tournament,
)
from faceup.tournament import next_number

MINUTE = 60_000
NOW = 1_700_000_000_000


def opened(starts_at: int | None = None) -> TournamentState:
    table = TableConfig(game="nimmt", options={"seats": 3}, terms=Terms(clock=30_000))
    settings = TournamentSettings(name="Club night", table=table, break_time=2 * MINUTE, starts_at=starts_at)
    state = open_tournament(settings, 1, NOW)
    for _ in range(3):
        state = enter(state, next_number(state.tournament), NOW, host=False, new=True)
    return state


def playing() -> TournamentState:
    return advance(msgspec.structs.replace(opened(), next_at=NOW), NOW)


def test_the_time_of_a_round_moves_by_the_length_of_an_outage_once() -> None:
    before = playing()
    assert before.round_ends_at is not None
    moved = after_outage(before, NOW + MINUTE, NOW + 61 * MINUTE)
    assert moved.round_ends_at == before.round_ends_at + 60 * MINUTE
    assert after_outage(moved, NOW + MINUTE, NOW + 61 * MINUTE) is moved
    again = after_outage(moved, NOW + 70 * MINUTE, NOW + 80 * MINUTE)
    assert again.round_ends_at == before.round_ends_at + 70 * MINUTE


def test_only_the_part_of_an_outage_after_the_last_change_counts() -> None:
    before = playing()
    assert before.round_ends_at is not None
    assert after_outage(before, NOW - MINUTE, NOW) is before
    assert after_outage(before, NOW - MINUTE, NOW + MINUTE).round_ends_at == before.round_ends_at + MINUTE


def test_a_break_moves_with_an_outage() -> None:
    at_break = msgspec.structs.replace(playing(), next_at=NOW + 2 * MINUTE, round_ends_at=None)
    assert after_outage(at_break, NOW + MINUTE, NOW + 9 * MINUTE).next_at == NOW + 10 * MINUTE


@pytest.mark.parametrize(("starts_in", "expected"), [(20, 20), (8, 9 + 2), (10, 10)])
def test_an_announced_start_moves_only_if_it_has_passed(starts_in: int, expected: int) -> None:
    before = opened(NOW + starts_in * MINUTE)
    assert after_outage(before, NOW + MINUTE, NOW + 9 * MINUTE).next_at == NOW + expected * MINUTE


def test_a_tournament_that_waits_for_its_host_is_not_ended_by_an_outage() -> None:
    moved = after_outage(opened(), NOW + MINUTE, NOW + MINUTE + IDLE)
    assert advance(moved, NOW + MINUTE + IDLE) is moved
    assert advance(moved, NOW + 2 * IDLE).over


def test_pause_and_resume_keep_a_scheduled_start() -> None:
    scheduled = opened(NOW + 60 * MINUTE)
    paused = apply_host_command(scheduled, PauseTournament(), NOW + MINUTE)
    assert paused.next_at is None
    assert apply_host_command(paused, ResumeTournament(), NOW + 2 * MINUTE).next_at == NOW + 60 * MINUTE
    late = apply_host_command(paused, ResumeTournament(), NOW + 59 * MINUTE)
    assert late.next_at == NOW + 61 * MINUTE, "there is a break before the first round"
    unscheduled = apply_host_command(opened(), PauseTournament(), NOW)
    assert apply_host_command(unscheduled, ResumeTournament(), NOW).next_at is None
