"""One game at one terminal: a table, the people here, the bots, the clock, and the file it is saved in."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from faceup.bots import is_pure_chance, policy
from faceup.core import Action, AnyRules, Event, Generator, Malformed, Seat
from faceup.core.record import Record, Terms, TimedOut
from faceup.table import (
    Choose,
    Command,
    Join,
    Resume,
    Stale,
    Table,
    Tick,
    decide,
    evolve,
    open_table,
    table_from,
    to_choose,
    usual_terms,
)
from faceup.terminal.saves import folder, mark_of, save_new, save_record, usual_path

PERSON: Final = "person"
_AUTOSAVE: Final = 2000
"""Milliseconds between saves while a game goes on."""


def wall_clock() -> int:
    """Milliseconds that only ever grow."""
    return time.monotonic_ns() // 1_000_000


class Told(NamedTuple):
    """An event, and the table right after the entry that it followed from."""

    event: Event
    table: Table


class Session:
    """Drives a table: sends commands, plays for the bots, tells each person here what that person may know.

    Attributes:
        table: as it stands; replaced, never changed.
        path: the file that the game is saved in, another one once it is over; None if it is not to be kept.
        apart: whether the game is kept in another file than it came from, because somebody went on with that one too.
    """

    def __init__(
        self, table: Table, rng: Generator, *, path: Path | None = None, clock: Callable[[], int] = wall_clock
    ) -> None:
        self.table = table
        self.path = path
        self.apart = False
        self._mark = mark_of(path)
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
    ) -> tuple["Session", list[Told]]:
        """Open a table, seat everybody and deal.

        Args:
            rules: what is played.
            players: (name, kind) for each seat; kind is "person" or a policy's name.
            rng: deals, and plays for bots and stand-ins.
            terms: clock and reveal; the variant's usual ones if not given.
            keep: whether the game is saved while it goes on.
            clock: milliseconds from anywhere.

        Returns:
            The session, and what happened on the way to the first decision.

        Raises:
            Malformed: a policy that there is not, a name that cannot be shown, or no place to save the game in.
        """
        for _, kind in players:
            if kind != PERSON:
                policy(rules.game, kind)
        terms = terms or usual_terms(rules)
        table = open_table(rules, policy(rules.game, terms.stand_in), terms)
        session = cls(table, rng, clock=clock)
        told = [each for seat, (name, kind) in enumerate(players) for each in session.send(Join(seat, name, kind))]
        if keep:
            record = session.table.record
            session.path = save_new(record, usual_path(record))  # from now on a crash loses two seconds at the most
            session._mark = mark_of(session.path)
        return session, told

    @classmethod
    def resume(
        cls, record: Record, rng: Generator, *, path: Path | None, clock: Callable[[], int] = wall_clock
    ) -> tuple["Session", list[Told]]:
        """Go on with a saved game; the open decision has its whole time again.

        Raises:
            Malformed: the record breaks a rule, has a bot that there is not, or its game is over.
        """
        if record.result is not None:
            raise Malformed("this game is over: `faceup replay` shows it", where="result")
        table = table_from(record, policy(record.game, record.terms.stand_in))
        if table.status == "pending":
            raise Malformed("this table was left before everybody sat down", where="entries")
        for player in table.players:
            if player is not None and player.kind != PERSON:
                policy(record.game, player.kind)
        session = cls(table, rng, path=path, clock=clock)
        return session, session.send(Resume())

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of the people at this terminal."""
        players = enumerate(self.table.players)
        return tuple(seat for seat, player in players if player is not None and player.kind == PERSON)

    def go_by(self, clock: Callable[[], int]) -> None:
        """Count the time by another clock from now on: one that can be stopped, say."""
        now = self.now
        self._clock = clock
        self._zero = clock() - now
        self._saved_at = clock()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.status == "finished"

    @property
    def now(self) -> int:
        """Milliseconds since the table was opened, times between save and resume not counted."""
        return self._clock() - self._zero

    @property
    def time_left(self) -> int | None:
        """Milliseconds to the deadline of the open decision; None without a clock."""
        return None if self.table.due is None else max(0, self.table.due - self.now)

    def send(self, command: Command) -> list[Told]:
        """Do as the command says, and tell what everybody at this terminal together may know of it.

        Raises:
            Malformed, NotLegal, NotYours: refused, and the table is as it was.
        """
        told = []
        for entry in decide(self.table, command, self.now, self._rng):
            self.table = evolve(self.table, entry)
            told += [Told(event, self.table) for event in self.table.events]
        if self._clock() - self._saved_at >= _AUTOSAVE:
            with suppress(Malformed):  # a full disk does not stop the game, and may be less full at its end
                self.save()
        return told

    def tick(self) -> list[Told]:
        """Do what the clock is due to do."""
        return self.send(Tick())

    def time_up(self, seat: Seat) -> list[Told]:
        """As `tick`, but for one person where others here have yet to have their turn at the keyboard.

        They have not run out of time: the clock chooses for this seat alone, and they have the whole of it.
        """
        waiting = to_choose(self.table)
        if not any(other in self.people for other in waiting if other != seat):
            return self.tick()
        told = []
        for entry in decide(self.table, Tick(), self.now, self._rng):
            if isinstance(entry, TimedOut) and entry.seat == seat:
                self.table = evolve(self.table, entry)
                told = [Told(event, self.table) for event in self.table.events]
        return told + self.send(Resume())

    def play_bots(self) -> Iterator[list[Told]]:
        """Let every bot that is to decide choose; what follows from each choice."""
        for seat in to_choose(self.table):
            player = self.table.players[seat]
            if player is not None and player.kind != PERSON and seat in to_choose(self.table):
                try:
                    told = self.send(Choose(seat, self.bot_action(seat)))
                except Stale:  # it thought for too long: the clock chooses, as for anybody
                    told = self.tick()
                yield told

    def bot_action(self, seat: Seat) -> Action:
        """What the bot in the seat would choose now. Sends nothing, so that a thread may work it out."""
        player, rules = self.table.players[seat], self.table.rules
        assert player is not None  # noqa: S101 -- whoever asks for a bot's choice has seen it sit there
        return policy(rules.game, player.kind)(rules, rules.view(self.table.state, seat), self._rng)

    def save(self) -> Path | None:
        """Keep the game as it stands: where it can be resumed, or among the records if it is over.

        A file that the player keeps elsewhere stays where it is and becomes the record. If another process has gone on
        with the same game meanwhile, its file stays as it is, and this game is kept in one beside it.

        Raises:
            Malformed: it cannot be written; what was saved before is still there.
        """
        if self.path is None:
            return None
        self._saved_at = self._clock()
        record, saved = self.table.record, self.path
        ours = mark_of(saved) in {self._mark, None}  # a file that somebody removed is written anew
        self.apart = self.apart or not ours
        if self.over and saved.parent == folder("saved"):
            self.path = save_new(record, folder("records") / saved.name)
            if ours:
                saved.unlink(missing_ok=True)
        elif ours:
            save_record(record, saved)
        else:
            self.path = save_new(record, saved)
        self._mark = mark_of(self.path)
        return self.path


def seat_kinds(rules: AnyRules, people: Sequence[str], bots: Sequence[str]) -> list[tuple[str, str]]:
    """Who sits where: the people first, then bots, the last one named in every seat that is left.

    Raises:
        Malformed: more people than seats, more bots than are left, or a policy that there is not.

    >>> from faceup.core import make
    >>> seat_kinds(make("nimmt", seats=3), ["Ann"], ["greedy"])
    [('Ann', 'person'), ('Greedy 1', 'greedy'), ('Greedy 2', 'greedy')]
    """
    free = rules.seats - len(people)
    if free < 0 or len(bots) > free:
        raise Malformed(
            f"{len(people)} people and {len(bots)} bots do not fit {rules.seats} seats", what=people, where="seats"
        )
    for kind in bots:
        policy(rules.game, kind)  # refuses what is none, a person among them
    kinds = [*bots, *[bots[-1] if bots else "random"] * (free - len(bots))]
    chance = is_pure_chance(rules.game)  # where a bot's skill would be a pretence
    names = []
    for index, kind in enumerate(kinds):
        name = "Computer" if chance else kind.capitalize()
        names.append(f"{name} {kinds[: index + 1].count(kind)}" if kinds.count(kind) > 1 else name)
    return [*((name, PERSON) for name in people), *zip(names, kinds, strict=True)]
