"""The table as an immutable value: its players, the state of the game, secret choices and deadlines."""

from collections.abc import Callable
from typing import Any, Generic, Literal, TypeAlias, TypeVar, overload

import msgspec

from faceup.core import CHANCE, Action, AnyRules, Event, Policy, Seat, State, find_game
from faceup.core.record import PERSON, Joined, Record, Terms, Times, record_of
from faceup.core.registry import RevealTime
from faceup.table.entries import Entries

T = TypeVar("T")


class cached_value(Generic[T]):  # noqa: N801 -- a decorator, as `property` is
    """A `functools.cached_property` without a lock. Before Python 3.12, the standard one takes a lock, which is slow.

    The class that uses it needs a `__dict__` (`dict=True` in msgspec), and its objects must be immutable.

    >>> class Hand:
    ...     cards = (3, 5)
    ...     @cached_value
    ...     def total(self) -> int:
    ...         print("adding")
    ...         return sum(self.cards)
    >>> hand = Hand()
    >>> hand.total, hand.total
    adding
    (8, 8)
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:  # Any: the class that has the property
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, value: None, kind: type | None = None) -> "cached_value[T]": ...

    @overload
    def __get__(self, value: object, kind: type | None = None) -> T: ...

    def __get__(self, value: Any, kind: type | None = None) -> "cached_value[T] | T":  # Any: as above
        """Compute the value and store it in the object, so that later reads do not call this method."""
        if value is None:
            return self
        computed = value.__dict__[self._name] = self._compute(value)
        return computed


def with_item(by_seat: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return the tuple with the item of one seat replaced."""
    return (*by_seat[:seat], value, *by_seat[seat + 1 :])


Status: TypeAlias = Literal["pending", "active", "finished"]
"""The status of a table: "pending" while it waits for players, "active" during the game, then "finished"."""


class Player(msgspec.Struct, frozen=True):
    """A player in a seat. `kind` is "person" or the name of a bot's policy. `here` is false while a person is away."""

    name: str
    kind: str
    here: bool = True

    @property
    def contributes(self) -> bool:
        """Whether the player contributes to a fair deal. Bots do not contribute, because they run on the server."""
        return self.kind == "person"


class FairRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a fair deal (`faceup.table.fair_round`); hashes and bytes are in hexadecimal.

    Attributes:
        number: the number of the round, from 0; a new round starts when a seat is excluded.
        commitment: the public hash of the secret.
        secret: the server's secret, hidden until the round is void or the match ends.
        pledges: for each seat, its pledge; None if it has not pledged.
        listed: the seats that contribute; None while pledging is open.
        contributions: for each seat, its opened contribution; None if it has not opened its pledge.
        left_out: the seats that did not open their pledges in time, in this round and in earlier rounds.
        silent: the seats that did not pledge in time and have not pledged since then.
        void: whether a seat was excluded from this round, so that the server has to commit to a new secret.
        drawn: the number of outcomes of chance that were drawn from the round.
        due: the deadline for pledging, or for opening the pledges once the contributors are listed, in the unit of
            `Entry.at`.
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
        """Whether all listed seats have opened their pledges, so that outcomes of chance can be drawn."""
        opened = self.listed is not None and all(self.contributions[seat] is not None for seat in self.listed)
        return opened and not self.void


class Table(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The complete state of a table, including secrets. Send only what `view_for` and `visible_events` return.

    A table is created by `open_table` or `table_from` and changed only by `evolve`, so it always equals the fold of its
    entries.

    Attributes:
        rules: the rules of the game.
        terms: the settings besides the rules.
        autoplay: the policy that `terms.autoplay` names.
        reveal_time: how long the players watch the events of a move, by which the next deadline is later; None if they
            watch no animations.
        entries: the entries so far, in order.
        events: the events of the last entry. Only the seats in an event's `audience` may see it.
        players: for each seat, its player; None for an empty seat.
        state: the state of the game.
        choices: for each seat, its secret choice for the open decision; None if it has not chosen.
        marks: for each seat, the action to play if its time runs out; None if it has marked no action.
        decision: the number of the open decision, which equals the number of joint decisions played so far.
        deadline: the open decision's deadline for a seat with the normal time limit, in the unit of `Entry.at`; None if
            there is no clock or no open decision. `deadline_of` returns the deadline of each seat.
        shown_at: when everyone has watched the reveals so far, in the unit of `Entry.at`; the time of a decision starts
            then.
        paces: for each seat, its time limit as a multiple of the clock; None for no limit.
        paused: when the game was paused; None if it is not paused.
        round: the round of a fair deal; None at tables without fair deals, and until all seats are taken.
    """

    rules: AnyRules
    terms: Terms
    autoplay: Policy
    state: State
    players: tuple[Player | None, ...]
    choices: tuple[Action | None, ...]
    marks: tuple[Action | None, ...]
    entries: Entries = Entries()
    events: tuple[Event, ...] = ()
    decision: int = 0
    deadline: int | None = None
    shown_at: int = 0
    reveal_time: RevealTime | None = None
    paces: tuple[Times, ...] = ()
    paused: int | None = None
    round: FairRound | None = None

    # These properties are cached, because a server reads each of them a dozen times for each table value.

    @cached_value
    def status(self) -> Status:
        """The status: "pending" until every seat is taken, "finished" when the game is over, else "active"."""
        if None in self.players:
            return "pending"
        return "active" if self.rules.to_act(self.state) else "finished"

    @cached_value
    def committing(self) -> bool:
        """Whether a fair deal's round is open. Before it is complete, nothing can be drawn or decided."""
        return self.terms.fair and not (self.round is not None and self.round.complete)

    @cached_value
    def deciders(self) -> tuple[Seat, ...]:
        """The seats of the open joint decision, whether or not they have chosen; empty if no decision is open."""
        to_act = self.rules.to_act(self.state)
        return () if to_act == (CHANCE,) or None in self.players or self.committing else to_act

    @cached_value
    def waiting(self) -> tuple[Seat, ...]:
        """The deciders that have not chosen yet. To play for bots, send a `Choose` for each of their seats."""
        choices = self.choices
        return tuple([seat for seat in self.deciders if choices[seat] is None])

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of human players, present or away."""
        players = enumerate(self.players)
        return tuple([seat for seat, player in players if player is not None and player.kind == PERSON])

    @cached_value
    def due(self) -> int | None:
        """When to send the next `ExpireDeadline`: the next deadline of a seat, reveal or fair deal's round, or None."""
        if self.paused is not None:
            return None
        if self.committing:
            return None if self.round is None else self.round.due
        if self.deadline is None:
            return None
        dues = [due for seat in self.waiting if (due := deadline_of(self, seat)) is not None]
        if dues:
            return min(dues)
        return last_deadline(self) if not self.waiting else None

    @property
    def running(self) -> bool:
        """Whether a clock is running, for the open decision or a fair deal's round."""
        in_round = self.committing and self.round is not None
        return self.paused is None and (in_round or self.deadline is not None)

    @cached_value
    def at(self) -> int:
        """The time of the last entry, in milliseconds since the table was created."""
        return self.entries[-1].at if self.entries else 0

    @property
    def names(self) -> tuple[str, ...]:
        """For each seat, the name to show in `Event.words` and in drawings."""
        return tuple([player.name if player else f"Seat {seat + 1}" for seat, player in enumerate(self.players)])

    @property
    def record(self) -> Record:
        """The table as a record, from which `table_from` rebuilds it."""
        return record_of(self.rules, tuple(self.entries), self.state, self.terms)


def open_table(
    rules: AnyRules, autoplay: Policy, terms: Terms | None = None, reveal_time: RevealTime | None = None
) -> Table:
    """Create an empty table at time 0, which waits for players.

    Args:
        rules: the rules of the game.
        autoplay: the policy that plays for a seat that times out without a mark.
        terms: the settings besides the rules, by default those of `default_terms`.
        reveal_time: as in `Table`.
    """
    empty = (None,) * rules.seats
    normal: Times = 1
    return Table(
        rules=rules,
        terms=terms or default_terms(rules),
        autoplay=autoplay,
        reveal_time=reveal_time,
        state=rules.start(),
        players=empty,
        choices=empty,
        marks=empty,
        paces=(normal,) * rules.seats,
    )


def default_terms(rules: AnyRules, people: int | None = None) -> Terms:
    """Return the default terms of a table for people, with the variant's clock and the game's autoplay policy.

    Args:
        rules: the rules.
        people: the number of people, if it cannot change. One person against bots has no clock, because no one waits.

    >>> from faceup.core import make
    >>> default_terms(make("nimmt:cowheadking")).clock
    30000
    """
    game = find_game(rules.game)
    clock = None if people == 1 else game.variant(rules.variant).clock
    return Terms(clock=None if clock is None else 1000 * clock, autoplay=game.autoplay)


def rename_player(table: Table, seat: Seat, name: str) -> Table:
    """Return the table as if the player of a seat had had this name from the start, also in its entries.

    >>> from faceup.core import make
    >>> from faceup.table import Join, fold, step
    >>> table = open_table(make("war"), lambda *_: 0)
    >>> table = fold(table, step(table, Join(0, "Guest"), 0, None)[0])
    >>> rename_player(table, 0, "Ann").entries
    (Joined(at=0, seat=0, name='Ann', kind='person'),)
    """
    player = table.players[seat]
    if player is None:
        return table
    joined = max(
        number for number, entry in enumerate(table.entries) if isinstance(entry, Joined) and entry.seat == seat
    )
    entries = list(table.entries)
    entries[joined] = msgspec.structs.replace(entries[joined], name=name)
    players = with_item(table.players, seat, msgspec.structs.replace(player, name=name))
    return msgspec.structs.replace(table, players=players, entries=Entries(entries))


def deadline_of(table: Table, seat: Seat) -> int | None:
    """Return the seat's deadline for the open decision; None if there is no clock, time limit or open decision.

    While the game is paused, the result does not yet include the length of the pause, which resuming will add.
    """
    if table.deadline is None or table.terms.clock is None:
        return None
    times = table.paces[seat]
    return None if times is None else table.deadline + (times - 1) * table.terms.clock


def last_deadline(table: Table) -> int | None:
    """Return the latest deadline of the deciders; None if no decider has a deadline."""
    dues = [due for seat in table.deciders if (due := deadline_of(table, seat)) is not None]
    return max(dues, default=None)


def must_wait_for_clock(table: Table, at: int) -> bool:
    """Return whether the reveal has to wait for the last deadline, even if all seats have chosen."""
    if table.terms.reveal != "at_deadline":
        return False
    due = last_deadline(table)
    return due is not None and at < due
