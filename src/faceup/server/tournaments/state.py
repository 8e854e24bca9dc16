"""A tournament on a server: its settings, its rounds, and when the next thing happens.

All functions are pure: they return a new state, and `now` is the time in milliseconds since 1970.
"""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from faceup.core import Malformed
from faceup.server.rooms.errors import TableClosedError
from faceup.server.tournaments.settings import TournamentSettings
from faceup.table.errors import StaleCommandError
from faceup.tournament import (
    TableResult,
    Tournament,
    add_entrant,
    admit_entrant,
    record_result,
    set_status,
    start_round,
    table_sizes,
)
from faceup.tournament.draw import MIN_PLAYERS
from faceup.tournament.tournament import EntrantStatus

IDLE: Final = 7 * 86_400_000
"""Milliseconds after which a tournament that waits for its host is ended."""

TournamentStatus: TypeAlias = Literal["open", "playing", "break", "paused", "finished", "cancelled"]
"""Whether a tournament has not started, a round is played, the next one starts by itself or waits for the host, or the
tournament is over. It is cancelled if no round was played."""


class TournamentCommand(msgspec.Struct, frozen=True, tag_field="command", forbid_unknown_fields=True):
    """The base class of the commands to a tournament. A repeated command changes nothing."""


class JoinTournament(TournamentCommand, frozen=True, tag="join"):
    """Join the tournament, ask to join it, or return to it. `name` is the name to show; by default, the player's."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None


class LeaveTournament(TournamentCommand, frozen=True, tag="leave"):
    """Leave the tournament: the player is not drawn any more, and keeps the points."""


class AdmitEntrant(TournamentCommand, frozen=True, tag="admit"):
    """Admit an entrant who waits for the approval of the host. Only the host may do this."""

    number: int


class RemoveEntrant(TournamentCommand, frozen=True, tag="remove"):
    """Remove an entrant, or refuse one who waits, who cannot return. Only the host may do this."""

    number: int


class StartRound(TournamentCommand, frozen=True, tag="start_round"):
    """Start this round now; the first round starts the tournament. Only the host may do this."""

    round: int


class PauseTournament(TournamentCommand, frozen=True, tag="pause"):
    """Start no further round until the host does. Only the host may do this. Tables play on."""


class ResumeTournament(TournamentCommand, frozen=True, tag="resume"):
    """Let rounds start by themselves again. Only the host may do this."""


class EndTournament(TournamentCommand, frozen=True, tag="end"):
    """End the tournament. Only the host may do this.

    Tables that are playing are closed, and their places count. Rated tables play on until the round is over.
    """


HostCommand: TypeAlias = AdmitEntrant | RemoveEntrant | StartRound | PauseTournament | ResumeTournament | EndTournament
"""The commands that only the host may give."""

AnyTournamentCommand: TypeAlias = JoinTournament | LeaveTournament | HostCommand
"""All commands to a tournament."""


class TournamentState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament with its times.

    Attributes:
        settings: what the host chose.
        tournament: the rounds and the entrants.
        changed_at: when a command or a round changed it last.
        next_at: when the next round starts; None while a round is played, and if the host has to start it.
        round_ends_at: when the tables of the current round are closed; None if no round is played.
        paused: whether rounds start only by the host.
        last_outage: the end of the last outage that has moved these times.
    """

    settings: TournamentSettings
    tournament: Tournament
    changed_at: int
    next_at: int | None = None
    round_ends_at: int | None = None
    paused: bool = False
    last_outage: int = 0

    @property
    def status(self) -> TournamentStatus:
        """The status of the tournament."""
        if self.tournament.over:
            return "finished" if self.tournament.rounds else "cancelled"
        if self.tournament.running:
            return "playing"
        if not self.tournament.rounds:
            return "open"
        return "break" if self.next_at is not None else "paused"

    @property
    def over(self) -> bool:
        """Whether the tournament is finished or cancelled."""
        return self.tournament.over

    @property
    def wake(self) -> int | None:
        """When the tournament changes without a command or a result; None if it is over."""
        if self.over:
            return None
        times = (self.next_at, self.round_ends_at)
        return min((time for time in times if time is not None), default=self.changed_at + IDLE)


def open_tournament(settings: TournamentSettings, seed: int, now: int) -> TournamentState:
    """Return a new tournament. Raises `Malformed` if it has no name, or would start so late that it ends before."""
    if not settings.name:
        raise Malformed("a new tournament must have a name of 1 to 40 characters", what="", where="name")
    if settings.starts_at is not None and settings.starts_at > now + IDLE:
        raise Malformed(
            f"a tournament must start within {IDLE // 86_400_000} days", what=settings.starts_at, where="starts_at"
        )
    tournament = Tournament(rules=settings.rules(), seed=seed)
    return TournamentState(settings=settings, tournament=tournament, changed_at=now, next_at=settings.starts_at)


def enter(state: TournamentState, number: int, now: int, *, host: bool, new: bool = False) -> TournamentState:
    """Return the tournament after a player joins as a new entrant, asks for the approval of the host, or returns.

    Args:
        state: the tournament.
        number: the number of the player, for a new one from `next_number`.
        now: milliseconds since 1970.
        host: whether the player is the host, who needs no approval.
        new: whether the player joins for the first time.

    Raises:
        TableClosedError: the tournament is over, or the host removed the player.
        StaleCommandError: no more player can join.
    """
    if state.over:
        raise TableClosedError("this tournament is over")
    tournament = state.tournament
    waits = state.settings.admission == "approval" and not host
    try:
        if new:
            return _changed(state, add_entrant(tournament, number=number, waiting=waits), now)
        before = tournament.entrants[number - 1].status
        if before == "removed":
            raise TableClosedError("the host removed you from this tournament")
        if before == "waiting":
            return state
        waits = waits and before == "left" and number not in tournament.drawn
        return with_status(state, number, "waiting" if waits else "active", now)
    except Malformed as error:
        raise StaleCommandError(error.message) from None


def with_status(state: TournamentState, number: int, status: EntrantStatus, now: int) -> TournamentState:
    """Return the tournament after an entrant left, returned or was removed. Raises `Malformed`."""
    after = set_status(state.tournament, number, status)
    removed = 1 <= number <= len(after.entrants) and state.tournament.entrants[number - 1].status == "removed"
    return state if after is state.tournament or state.over or removed else _changed(state, after, now)


def apply_host_command(state: TournamentState, command: HostCommand, now: int) -> TournamentState:
    """Return the tournament after a command of its host. A repeated command returns the same state.

    Raises:
        Malformed: there is no such entrant, or there are too few players for a round.
        StaleCommandError: the round cannot start now.
        TableClosedError: the tournament is over.
    """
    if isinstance(command, EndTournament):
        return end(state, now)
    if isinstance(command, StartRound) and command.round <= len(state.tournament.rounds):
        return state
    if state.over:
        raise TableClosedError("this tournament is over")
    match command:
        case AdmitEntrant(number=number):
            admitted = admit_entrant(state.tournament, number)
            return state if admitted is state.tournament else _changed(state, admitted, now)
        case RemoveEntrant(number=number):
            return with_status(state, number, "removed", now)
        case StartRound(round=wanted):
            return _start_now(state, wanted, now)
        case PauseTournament() if not state.paused:
            return msgspec.structs.replace(state, paused=True, next_at=None, changed_at=now)
        case ResumeTournament() if state.paused:
            return msgspec.structs.replace(state, paused=False, next_at=_next_at(state, now), changed_at=now)
        case _:
            return state


def _next_at(state: TournamentState, now: int) -> int | None:
    """Return when the next round starts by itself after a pause: after a break, and the first one not too early."""
    if state.tournament.running or (not state.tournament.rounds and state.settings.starts_at is None):
        return None
    return max(now + state.settings.break_time, 0 if state.tournament.rounds else state.settings.starts_at or 0)


def after_outage(state: TournamentState, start: int, end: int) -> TournamentState:
    """Return the tournament after an outage, which moves its times once. A later change of it sees no outage before it.

    The host has announced the start of the first round, so it stays, unless the time has passed: then players have a
    break to return before it.
    """
    if state.over or end <= max(state.changed_at, state.last_outage):
        return state
    lost = end - max(start, state.changed_at)
    next_at, round_ends_at = state.next_at, state.round_ends_at
    if next_at is not None and state.tournament.rounds:
        next_at += lost
    elif next_at is not None and start < next_at <= end:
        next_at = end + state.settings.break_time
    return msgspec.structs.replace(
        state,
        next_at=next_at,
        round_ends_at=None if round_ends_at is None else round_ends_at + lost,
        changed_at=state.changed_at + lost,
        last_outage=end,
    )


def _start_now(state: TournamentState, round_number: int, now: int) -> TournamentState:
    if state.tournament.running or round_number != len(state.tournament.rounds) + 1:
        raise StaleCommandError("the next round can start only when the round before it is over")
    if not can_start(state.tournament):
        raise Malformed("there are too few players for a table", where="entrants")
    return msgspec.structs.replace(state, next_at=now, paused=False, changed_at=now)


def end(state: TournamentState, now: int) -> TournamentState:
    """Return the tournament after its end: at once, or when the tables that are playing have been closed.

    Rated tables play on until the time of the round is over, because closing them would avoid a defeat.
    """
    if state.over or state.tournament.ended:
        return state
    ended = _changed(state, msgspec.structs.replace(state.tournament, ended=True), now)
    closes_at = state.round_ends_at if state.settings.table.rated else now
    return msgspec.structs.replace(ended, next_at=None, round_ends_at=closes_at if state.tournament.running else None)


def can_start(tournament: Tournament) -> bool:
    """Return whether there are enough active players for a table."""
    active = len(tournament.active)
    return active >= MIN_PLAYERS and bool(table_sizes(active, tournament.rules).people)


def with_results(state: TournamentState, results: dict[int, TableResult], now: int) -> TournamentState:
    """Return the tournament with results of tables of the current round. After the last one, the break starts."""
    tournament = state.tournament
    for table, result in results.items():
        tournament = record_result(tournament, table, result)
    if tournament is state.tournament:
        return state
    after = msgspec.structs.replace(state, tournament=tournament)
    if tournament.running:
        return after
    waits = not (tournament.over or state.paused)
    next_at = now + state.settings.break_time if waits else None
    return msgspec.structs.replace(after, round_ends_at=None, next_at=next_at, changed_at=now)


def advance(state: TournamentState, now: int) -> TournamentState:
    """Return the tournament after what is due now, except for closing tables.

    That is the next round, or the end if there are too few players for one. A tournament that should start with too few
    players waits for its host. The draw of a large round takes up to a second.
    """
    if state.over or state.tournament.running:
        return state
    if state.next_at is None:
        return end(state, now) if now >= state.changed_at + IDLE else state
    if now < state.next_at:
        return state
    if can_start(state.tournament):
        return msgspec.structs.replace(
            state,
            tournament=start_round(state.tournament),
            next_at=None,
            round_ends_at=now + state.settings.round_time,
            changed_at=now,
        )
    return end(state, now) if state.tournament.rounds else msgspec.structs.replace(state, next_at=None, changed_at=now)


def _changed(state: TournamentState, tournament: Tournament, now: int) -> TournamentState:
    return msgspec.structs.replace(state, tournament=tournament, changed_at=now)
