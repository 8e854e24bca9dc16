"""The table as a value: who sits where, the state of the game, and what is sealed."""

from typing import Literal, TypeAlias

import msgspec

from faceup.core import CHANCE, Action, AnyRules, Event, Policy, Seat, State, find_game
from faceup.core.record import Record, Terms, Times, record_of
from faceup.table.entries import Entries
from faceup.table.once import once

Status: TypeAlias = Literal["pending", "active", "finished"]
"""Seats are filling; the game is on; scores are known."""


class Player(msgspec.Struct, frozen=True):
    """Who has a seat. `kind` is "person" or the name of a bot's policy; `here` is false while it is away."""

    name: str
    kind: str
    here: bool = True

    @property
    def contributes(self) -> bool:
        """Whether a fair deal asks it for a contribution: a bot would add nothing to what the server does."""
        return self.kind == "person"


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a fair deal (`faceup.table.fair`): what was sealed, pledged and opened, in hexadecimal digits.

    Attributes:
        number: from 0; a new one begins when somebody was left out.
        commitment: the hash of the secret, known to all.
        secret: the server's; nobody may see it before `void`, or the end of the match.
        pledges: by seat.
        listed: the seats that contribute; None while pledges are taken.
        contributions: by seat, as they were opened.
        left_out: the seats that did not open in time, in this round and those before.
        silent: the seats that were waited for in vain to pledge, and have not pledged since.
        void: somebody was left out of this round; the next secret is due.
        drawn: how many outcomes were drawn from it.
        due: when the time to pledge is up, and once the contributors are listed, that to open; as in `Entry.at`.
    """

    number: int
    commitment: str
    secret: str
    pledges: tuple[str | None, ...]
    contributions: tuple[str | None, ...]
    due: int
    listed: tuple[Seat, ...] | None = None
    left_out: tuple[Seat, ...] = ()
    silent: tuple[Seat, ...] = ()
    void: bool = False
    drawn: int = 0

    @property
    def complete(self) -> bool:
        """Whether all has been opened that was listed, so that chance may be drawn."""
        opened = self.listed is not None and all(self.contributions[seat] is not None for seat in self.listed)
        return opened and not self.void


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One table, the whole truth: only `faceup.table.view_for` and `events_for` make of it what may leave.

    Made by `open_table` or `table_from`, moved on by `evolve` alone, so that it is always the fold of its entries.

    Attributes:
        rules: what is played.
        terms: what was agreed on beside the rules.
        stand_in: the policy that `terms.stand_in` names.
        entries: everything that happened, in order.
        events: what followed from the last entry, for those whom `Event.audience` names.
        players: by seat; None is an empty seat.
        state: the game's.
        choices: by seat, what it has sealed for the open decision.
        marks: by seat, what the clock shall play for it first.
        decision: how many joint decisions were played, which is the number of the one that is open.
        deadline: when the open decision's time is up for a seat of the usual pace, in milliseconds as in `Entry.at`;
            None without clock or decision. `due_of` says it for each seat.
        paces: by seat, how many times the clock it has; None is no limit.
        paused: since when the game is paused; None if it is not.
        round: what a fair deal is drawn from; None at other tables, and before everybody sits.
    """

    rules: AnyRules
    terms: Terms
    stand_in: Policy
    state: State
    players: tuple[Player | None, ...]
    choices: tuple[Action | None, ...]
    marks: tuple[Action | None, ...]
    entries: Entries = Entries()
    events: tuple[Event, ...] = ()
    decision: int = 0
    deadline: int | None = None
    paces: tuple[Times, ...] = ()
    paused: int | None = None
    round: Round | None = None

    # What is asked a dozen times of every table on its way through a server is worked out once.

    @once
    def status(self) -> Status:
        """Pending until every seat is taken, finished when nobody acts any more, else active."""
        if None in self.players:
            return "pending"
        return "active" if self.rules.to_act(self.state) else "finished"

    @once
    def sealing(self) -> bool:
        """Whether a fair deal's round has to be completed before anything is drawn or decided."""
        return self.terms.fair and not (self.round is not None and self.round.complete)

    @once
    def deciders(self) -> tuple[Seat, ...]:
        """The seats whose joint decision is open, whether or not they have chosen; empty if none is."""
        to_act = self.rules.to_act(self.state)
        return () if to_act == (CHANCE,) or None in self.players or self.sealing else to_act

    @once
    def waiting(self) -> tuple[Seat, ...]:
        """Those of the deciders who have sealed nothing yet: everyone is waiting for them."""
        choices = self.choices
        return tuple([seat for seat in self.deciders if choices[seat] is None])

    @once
    def due(self) -> int | None:
        """When somebody's time is up next, that of a reveal which waits for it, or of a round; None if never."""
        if self.paused is not None:
            return None
        if self.sealing:
            return None if self.round is None else self.round.due
        if self.deadline is None:
            return None
        dues = [due for seat in self.waiting if (due := due_of(self, seat)) is not None]
        if dues:
            return min(dues)
        return last_due(self) if not self.waiting else None

    @property
    def running(self) -> bool:
        """Whether a clock is running: of the open decision, or of a fair deal's round."""
        in_round = self.sealing and self.round is not None
        return self.paused is None and (in_round or self.deadline is not None)

    @once
    def at(self) -> int:
        """The time of the last entry, in milliseconds since the table was opened."""
        return self.entries[-1].at if self.entries else 0

    @property
    def names(self) -> tuple[str, ...]:
        """By seat, for `Event.words` and drawings."""
        return tuple([player.name if player else f"Seat {seat}" for seat, player in enumerate(self.players)])

    @property
    def record(self) -> Record:
        """The table as a document: `table_from` makes the same table of it again."""
        return record_of(self.rules, tuple(self.entries), self.state, self.terms)


def open_table(rules: AnyRules, stand_in: Policy, terms: Terms | None = None) -> Table:
    """An empty table, pending, at time 0.

    Args:
        rules: what will be played.
        stand_in: plays for a seat whose time is up and that marked nothing.
        terms: clock, moment of the reveal and the stand-in's name; `usual_terms` if none are given.
    """
    nobody = (None,) * rules.seats
    usual: Times = 1
    return Table(
        rules=rules,
        terms=terms or usual_terms(rules),
        stand_in=stand_in,
        state=rules.start(),
        players=nobody,
        choices=nobody,
        marks=nobody,
        paces=(usual,) * rules.seats,
    )


def usual_terms(rules: AnyRules) -> Terms:
    """The terms of a table of people that agreed on nothing else: the variant's clock and the game's stand-in.

    >>> from faceup.core import make
    >>> usual_terms(make("nimmt:cowheadking")).clock
    30000
    """
    game = find_game(rules.game)
    clock = game.variant(rules.variant).clock
    return Terms(clock=None if clock is None else 1000 * clock, stand_in=game.stand_in)


def due_of(table: Table, seat: Seat) -> int | None:
    """When the seat's time for the open decision is up; None without a clock, without a limit, or without a decision.

    While the game is paused this is as it would be if it went on at once.
    """
    if table.deadline is None or table.terms.clock is None:
        return None
    times = table.paces[seat]
    return None if times is None else table.deadline + (times - 1) * table.terms.clock


def last_due(table: Table) -> int | None:
    """When the last seat's time is up, of those whose decision is open and who have a limit."""
    dues = [due for seat in table.deciders if (due := due_of(table, seat)) is not None]
    return max(dues, default=None)


def waits_for_clock(table: Table, at: int) -> bool:
    """Whether the reveal waits for the deadline, whoever has chosen by then: the last one that a seat has."""
    if table.terms.reveal != "at_deadline":
        return False
    due = last_due(table)
    return due is not None and at < due


def to_choose(table: Table) -> tuple[Seat, ...]:
    """The seats that everyone is waiting for: they are to decide, and have sealed nothing yet.

    This is what a caller asks that plays for bots; each of them is then given its view and answered with a `Choose`.
    """
    return table.waiting
