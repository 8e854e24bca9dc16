"""Records: a finished or saved table as one JSON document, and what happened at it, entry by entry.

Decisions and outcomes stand in a record in the words of `Rules.describe`, so that a person can read one and a program
needs no table of numbers. The JSON Schema is made from these types (`schema`).
"""

from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from faceup.core.errors import Malformed, RulesError
from faceup.core.registry import OptionValue, find_game, make, options_of
from faceup.core.rules import AnyRules
from faceup.core.values import Event, Outcome, Seat, State

FORMAT: Final = 1
"""The version of the format; it moves when a reader of the last one would misread a record."""


Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A length of time that any reader of JSON can hold."""

Times: TypeAlias = Literal[1, 2] | None
"""How many times the clock a seat has; None is no limit."""

Bytes32: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes in hexadecimal digits."""

_LONGEST_CLOCK: Final = 366 * 24 * 60 * 60 * 1000
"""Milliseconds in a year, which is longer than anybody waits."""


class Entry(msgspec.Struct, frozen=True, tag_field="entry"):
    """Something that happened at a table, `at` milliseconds after it was opened."""

    at: Milliseconds


class Joined(Entry, frozen=True, tag="joined"):
    """A player took a seat: a person, or the bot whose policy `kind` names."""

    seat: Seat
    name: str
    kind: str


class Marked(Entry, frozen=True, tag="marked"):
    """A seat marked what the clock shall play for it; null takes the mark away."""

    seat: Seat
    action: str | None


class Chosen(Entry, frozen=True, tag="chosen"):
    """A seat chose; sealed until it is applied."""

    seat: Seat
    action: str


class Unchosen(Entry, frozen=True, tag="unchosen"):
    """A seat took its sealed choice back."""

    seat: Seat


class TimedOut(Entry, frozen=True, tag="timed_out"):
    """The clock chose for a seat: what it had marked, else the table's stand-in."""

    seat: Seat
    action: str
    source: Literal["mark", "stand-in"]


class Applied(Entry, frozen=True, tag="applied"):
    """The rules moved on: by the decisions of all who were to act, by seat, or by an outcome of chance."""

    actions: tuple[str | None, ...] = ()
    outcome: str = ""


class Extended(Entry, frozen=True, tag="extended"):
    """The open decision's deadline moved back by so many milliseconds: play was interrupted, for instance by a save."""

    by: Milliseconds


class Left(Entry, frozen=True, tag="left"):
    """A player went away; the seat is kept, unless the game had not begun."""

    seat: Seat


class Returned(Entry, frozen=True, tag="returned"):
    """A player came back to its seat."""

    seat: Seat


class StoodIn(Entry, frozen=True, tag="stood_in"):
    """The table chose for a seat that is away: its mark, else a stand-in's choice. Whoever is back may change it."""

    seat: Seat
    action: str
    source: Literal["mark", "stand-in"]


class Paused(Entry, frozen=True, tag="paused"):
    """The clock stands still, and nothing can be chosen."""


class Unpaused(Entry, frozen=True, tag="unpaused"):
    """Play goes on; the open decision's deadline moves back by as long as the pause was."""


class Paced(Entry, frozen=True, tag="paced"):
    """A seat has so many times the clock for each decision from now on, the open one included; null is no limit."""

    seat: Seat
    times: Times


class Sealed(Entry, frozen=True, tag="sealed"):
    """The server fixed its secret for a round of a fair deal, and told all the commitment (`faceup.core.fair`)."""

    commitment: Bytes32
    secret: Bytes32


class Pledged(Entry, frozen=True, tag="pledged"):
    """A seat fixed its contribution to the round by a hash."""

    seat: Seat
    pledge: Bytes32


class Listed(Entry, frozen=True, tag="listed"):
    """No more pledges are taken: these seats contribute to the round, and open what they pledged."""

    seats: tuple[Seat, ...]


class PledgeOpened(Entry, frozen=True, tag="pledge_opened"):
    """A seat opened its contribution; its pledge is the hash of it."""

    seat: Seat
    contribution: Bytes32


class LeftOut(Entry, frozen=True, tag="left_out"):
    """A seat did not open its contribution in time: the round is void, and the seat contributes to no other."""

    seat: Seat


FairEntry: TypeAlias = Sealed | Pledged | Listed | PledgeOpened | LeftOut

AnyEntry: TypeAlias = (
    Joined
    | Marked
    | Chosen
    | Unchosen
    | TimedOut
    | StoodIn
    | Applied
    | Extended
    | Paused
    | Unpaused
    | Paced
    | Left
    | Returned
    | FairEntry
)


class Terms(msgspec.Struct, frozen=True):
    """What a table agreed on beside the rules.

    Attributes:
        clock: milliseconds for each decision; null is no clock.
        reveal: turn the choices up when the last is in, or only when the time is up.
        stand_in: the policy that plays for a seat whose time is up and that marked nothing.
        hints: whether a player may ask the coach what to play.
        fair: what chance does follows from a secret of the server and bytes of the players (`faceup.core.fair`).

    Raises:
        Malformed: a clock of no length or of more than a year, or a reveal that waits for a clock that there is not.
    """

    clock: int | None = None
    reveal: Literal["when_all_in", "at_deadline"] = "when_all_in"
    stand_in: str = "random"
    hints: bool = True
    fair: bool = False

    def __post_init__(self) -> None:
        if self.clock is not None and not 1 <= self.clock <= _LONGEST_CLOCK:
            raise Malformed(
                f"a clock is 1 to {_LONGEST_CLOCK} milliseconds, not {self.clock}", what=self.clock, where="clock"
            )
        if self.clock is None and self.reveal == "at_deadline":
            raise Malformed("a table that reveals at the deadline needs a clock", where="reveal")


class Result(msgspec.Struct, frozen=True):
    """How it ended: the game's own points and the places, per seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A table's whole story. `result` is null while the game is not over."""

    format: int = FORMAT
    game: str
    variant: str
    options: dict[str, OptionValue]
    terms: Terms = Terms()
    entries: tuple[AnyEntry, ...]
    result: Result | None = None

    def rules(self) -> AnyRules:
        """The rules that it was played under. Raises `Malformed`."""
        find_game(self.game).variant(self.variant)  # they are names alone: options have a place of their own
        return make(f"{self.game}:{self.variant}", **self.options)


class Frame(NamedTuple):
    """One step of a replay: the number of its entry (from 0), the state after it, and its events."""

    entry: int
    state: State
    events: tuple[Event, ...]


def record_of(rules: AnyRules, entries: tuple[AnyEntry, ...], state: State, terms: Terms | None = None) -> Record:
    """The record of a game under these rules, with its result if the state is its end."""
    over = not rules.to_act(state)
    return Record(
        game=rules.game,
        variant=rules.variant,
        options=options_of(rules),
        terms=terms or Terms(),
        entries=entries,
        result=Result(rules.scores(state), rules.ranks(state)) if over else None,
    )


def replay(record: Record) -> Iterator[Frame]:
    """Play a record again: a frame for the start (entry -1), then one for each `Applied`.

    Raises:
        Malformed: an entry breaks a rule, or the result is not what the entries lead to; says which entry and what.
    """
    rules = record.rules()
    state: State = rules.start()
    yield Frame(-1, state, ())
    for number, entry in enumerate(record.entries):
        if isinstance(entry, Applied):
            try:
                state, events = rules.apply(state, applied_move(rules, entry))
            except RulesError as error:
                raise Malformed(f"entry {number}: {error}", what=entry, where=f"entry {number}") from error
            yield Frame(number, state, events)
    check_result(record, rules, state)


def check_result(record: Record, rules: AnyRules, state: State) -> None:
    """Refuse a record whose result is not that of the state which its entries lead to."""
    if record.result is None:
        return
    if rules.to_act(state):
        raise Malformed("the record has a result, but its entries stop before the game is over", where="result")
    true = Result(rules.scores(state), rules.ranks(state))
    if record.result != true:
        raise Malformed(f"the result is {record.result}, but the entries lead to {true}", where="result")


def applied_move(rules: AnyRules, entry: Applied) -> "dict[Seat, int] | Outcome":
    """What the entry hands to `Rules.apply`. Raises `Malformed` if its words mean nothing in this game."""
    if entry.outcome:
        outcome = rules.parse(entry.outcome)
        if not isinstance(outcome, Outcome):
            raise Malformed(f"{entry.outcome!r} is a decision, not an outcome of chance", what=entry.outcome)
        return outcome
    move: dict[Seat, int] = {}
    for seat, words in enumerate(entry.actions):
        if words is not None:
            action = rules.parse(words)
            if not isinstance(action, int):
                raise Malformed(f"{words!r} is an outcome of chance, not a decision", what=words)
            move[seat] = action
    return move


def applied(rules: AnyRules, at: int, move: "dict[Seat, int] | Outcome") -> Applied:
    """The entry for what was handed to `Rules.apply`: the inverse of `applied_move`."""
    if isinstance(move, Outcome):
        return Applied(at, outcome=rules.describe(move))
    words = [None if seat not in move else rules.describe(move[seat]) for seat in range(rules.seats)]
    return Applied(at, actions=tuple(words))


def dumps(record: Record) -> str:
    """The record as JSON, an entry a line."""
    whole = msgspec.to_builtins(record)
    entries = whole.pop("entries")
    result = whole.pop("result")
    head = msgspec.json.encode(whole).decode()[:-1]
    lines = ",\n".join(msgspec.json.encode(entry).decode() for entry in entries)
    return f'{head},"entries":[\n{lines}\n],"result":{msgspec.json.encode(result).decode()}}}\n'


def loads(text: str | bytes) -> Record:
    """A record from its JSON. What its entries say is not checked here: `replay` does.

    Raises:
        Malformed: truncated, not a record, or of a later version.
    """
    try:
        version = msgspec.json.decode(text, type=_Version).format
    except msgspec.DecodeError as error:
        raise Malformed(f"this is not a whole record: {error}", where="record") from None
    if not 1 <= version <= FORMAT:
        raise Malformed(
            f"the record is of format {version}, and this faceup reads 1 to {FORMAT}: a newer faceup will read it",
            what=version,
            where="format",
        )
    try:
        return msgspec.json.decode(text, type=Record)
    except msgspec.DecodeError as error:
        raise Malformed(f"this is not a record: {error}", where="record") from None


class _Version(msgspec.Struct):
    format: int


def schema() -> dict[str, Any]:  # Any: JSON
    """The JSON Schema of a record (draft 2020-12), made from the types above."""
    from inspect import cleandoc  # noqa: PLC0415 -- slow to import, and only a schema needs it

    (body,), definitions = msgspec.json.schema_components([Record], ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "description" in definition:  # a docstring, which Python has indented up to 3.12
            definition["description"] = cleandoc(definition["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A faceup record, format {FORMAT}",
        **body,
        "$defs": definitions,
    }
