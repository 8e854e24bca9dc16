"""A game session at one terminal, with the table, its bots, the clock and the saved file."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from faceup.bots import is_pure_chance, policy
from faceup.core import Action, AnyRules, Event, Generator, Malformed, Seat, plural
from faceup.core.record import PERSON, Record, Terms, TimedOut
from faceup.paths import data_folder
from faceup.table import Choose, ExpireDeadline, Join, Table, decide, evolve, open_table
from faceup.table.commands import Command, RestartClock
from faceup.table.errors import StaleCommandError
from faceup.table.evolve import table_from
from faceup.table.table import default_terms
from faceup.terminal.saved_games import default_path, file_version, save_new, save_record
from faceup.terminal.words import message

_AUTOSAVE: Final = 2000
"""Milliseconds between autosaves."""


def wall_clock() -> int:
    """Return a monotonic time in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class TimedEvent(NamedTuple):
    """An event, and the table after the log entry that caused the event."""

    event: Event
    table: Table


class TerminalSession:
    """A table at one terminal; the session sends commands to it, plays for its bots and saves its game.

    Attributes:
        table: the current, immutable state of the table.
        path: the file of the saved game or of the finished record; None if the game is not saved.
        diverged: whether the game was saved to a new file because another process changed the original one.
    """

    def __init__(
        self, table: Table, rng: Generator, *, path: Path | None = None, clock: Callable[[], int] = wall_clock
    ) -> None:
        self.table = table
        self.path = path
        self.diverged = False
        self._mark = file_version(path)
        self._rng = rng
        self._clock = clock
        self._zero = clock() - table.at
        self._saved_at = clock()

    @classmethod
    def start(
        cls,
        rules: AnyRules,
        players: Sequence[tuple[str, str]],
        rng: Generator,
        *,
        terms: Terms | None = None,
        keep: bool = True,
        clock: Callable[[], int] = wall_clock,
    ) -> tuple["TerminalSession", list[TimedEvent]]:
        """Open a table, seat everyone and deal.

        Args:
            rules: the rules.
            players: (name, kind) for each seat; kind is "person" or a policy's name.
            rng: the random generator of the deals and the bots.
            terms: the terms of the game; default is the variant's, without a clock for one person.
            keep: whether to save the game.
            clock: returns the time in milliseconds since a fixed moment.

        Returns:
            The session, and the events before the first decision.

        Raises:
            Malformed: a policy is unknown, a name has invalid characters, or the game cannot be saved.
        """
        for _, kind in players:
            if kind != PERSON:
                policy(rules.game, kind)
        terms = terms or default_terms(rules, [kind for _, kind in players].count(PERSON))
        table = open_table(rules, policy(rules.game, terms.autoplay), terms)
        session = cls(table, rng, clock=clock)
        events = [entry for seat, (name, kind) in enumerate(players) for entry in session.send(Join(seat, name, kind))]
        if keep:
            record = session.table.record
            session.path = save_new(record, default_path(record))  # after this, a crash loses two seconds at most
            session._mark = file_version(session.path)
        return session, events

    @classmethod
    def resume(
        cls, record: Record, rng: Generator, *, path: Path | None, clock: Callable[[], int] = wall_clock
    ) -> tuple["TerminalSession", list[TimedEvent]]:
        """Resume a saved game; the open decision gets its full time again.

        Raises:
            Malformed: the record is invalid, names an unknown bot, or its game is over.
        """
        if record.result is not None:
            raise Malformed("this game is over; use `faceup replay` to see it", where="result")
        table = table_from(record, policy(record.game, record.terms.autoplay))
        if table.status == "pending":
            raise Malformed("this table was left before all seats were taken", where="entries")
        for player in table.players:
            if player is not None and player.kind != PERSON:
                policy(record.game, player.kind)
        session = cls(table, rng, path=path, clock=clock)
        return session, session.send(RestartClock())

    @property
    def people(self) -> tuple[Seat, ...]:
        """Return the seats of the humans at this terminal."""
        return self.table.people

    def set_clock(self, clock: Callable[[], int]) -> None:
        """Replace the clock, for example by one that can be paused."""
        now = self.now
        self._clock = clock
        self._zero = clock() - now
        self._saved_at = clock()

    @property
    def over(self) -> bool:
        """Return whether the game is over."""
        return self.table.status == "finished"

    @property
    def now(self) -> int:
        """Return the milliseconds since the table was opened, without the time between save and resume."""
        return self._clock() - self._zero

    @property
    def time_left(self) -> int | None:
        """Return the milliseconds until the deadline, or None if there is no deadline."""
        return None if self.table.due is None else max(0, self.table.due - self.now)

    def send(self, command: Command) -> list[TimedEvent]:
        """Apply a command and return the events that everyone at this terminal may see.

        Raises:
            Malformed, IllegalActionError, WrongSeatError: the command is invalid; the table is unchanged.
        """
        events = []
        for entry in decide(self.table, command, self.now, self._rng):
            self.table = evolve(self.table, entry)
            events += [TimedEvent(event, self.table) for event in self.table.events]
        if self._clock() - self._saved_at >= _AUTOSAVE:
            with suppress(Malformed):  # a full disk must not stop the game; it is saved again at its end
                self.save()
        return events

    def expire_deadline(self) -> list[TimedEvent]:
        """Apply the timeouts that are due, and return their events."""
        return self.send(ExpireDeadline())

    def expire_seat(self, seat: Seat) -> list[TimedEvent]:
        """Apply the timeout of only one seat if other humans here still wait for their turn at the keyboard.

        These humans have not seen the screen yet, so each of them gets the full time. If no one waits,
        call `expire_deadline`.
        """
        waiting = self.table.waiting
        if not any(other in self.people for other in waiting if other != seat):
            return self.expire_deadline()
        events = []
        for entry in decide(self.table, ExpireDeadline(), self.now, self._rng):
            if isinstance(entry, TimedOut) and entry.seat == seat:
                self.table = evolve(self.table, entry)
                events = [TimedEvent(event, self.table) for event in self.table.events]
        return events + self.send(RestartClock())

    def play_bots(self) -> Iterator[list[TimedEvent]]:
        """Let every bot that must decide choose, and yield the events of each choice."""
        for seat in self.table.waiting:
            player = self.table.players[seat]
            if player is not None and player.kind != PERSON and seat in self.table.waiting:
                try:
                    events = self.send(Choose(seat, self.bot_action(seat)))
                except StaleCommandError:  # the bot's time ran out, so apply the timeout
                    events = self.expire_deadline()
                yield events

    def bot_action(self, seat: Seat) -> Action:
        """Return the bot's choice without sending it, so that it can be computed in a thread."""
        player, rules = self.table.players[seat], self.table.rules
        assert player is not None  # noqa: S101 -- the caller has checked that the seat is taken
        return policy(rules.game, player.kind)(rules, rules.view(self.table.state, seat), self._rng)

    def save(self) -> Path | None:
        """Save an unfinished game so that it can be resumed, or a finished game as a record. Return the file.

        If the game was resumed from a file outside the data folder, the record replaces that file. If another process
        has changed the file, this game is saved to a new file in the same folder.

        Raises:
            Malformed: the file cannot be written; the previous version is still there.
        """
        if self.path is None:
            return None
        self._saved_at = self._clock()
        record, saved = self.table.record, self.path
        unchanged = file_version(saved) in {self._mark, None}  # a removed file is written again
        self.diverged = self.diverged or not unchanged
        if self.over and saved.parent == data_folder("saved"):
            self.path = save_new(record, data_folder("records") / saved.name)
            if unchanged:
                saved.unlink(missing_ok=True)
        elif unchanged:
            save_record(record, saved)
        else:
            self.path = save_new(record, saved)
        self._mark = file_version(self.path)
        return self.path


def seat_kinds(rules: AnyRules, people: Sequence[str], bots: Sequence[str]) -> list[tuple[str, str]]:
    """Return the name and kind for each seat: first the humans, then the bots, the last of which fills all other seats.

    Raises:
        Malformed: there are more humans and bots than seats, or a policy is unknown.

    >>> from faceup.core import make
    >>> seat_kinds(make("nimmt", seats=3), ["Ann"], ["greedy"])
    [('Ann', 'person'), ('Greedy 1', 'greedy'), ('Greedy 2', 'greedy')]
    """
    free = rules.seats - len(people)
    if free < 0 or len(bots) > free:
        raise Malformed(
            f"{plural(len(people), 'person', 'people')} and {plural(len(bots), 'bot')} "
            f"do not fit {plural(rules.seats, 'seat')}",
            what=people,
            where="seats",
        )
    for kind in bots:
        policy(rules.game, kind)  # raises for an unknown policy
    kinds = [*bots, *[bots[-1] if bots else "random"] * (free - len(bots))]
    chance = is_pure_chance(rules.game)  # in games of pure chance, bots have no skill, so their names do not show it
    names = []
    for index, kind in enumerate(kinds):
        name = message("bots.computer") if chance else kind.capitalize()
        names.append(f"{name} {kinds[: index + 1].count(kind)}" if kinds.count(kind) > 1 else name)
    return [*((name, PERSON) for name in people), *zip(names, kinds, strict=True)]
