"""Records: a finished or saved table as a JSON document with one entry for each event at the table.

A record holds decisions and outcomes in the words of `Rules.describe`, which both people and programs can read.
`schema` generates the JSON Schema of a record from the types in this module.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec

from faceup.characters import remove_bom
from faceup.core.errors import Malformed, RulesError
from faceup.core.generator import Generator
from faceup.core.registry import OptionValue, find_game, make, options_of
from faceup.core.rules import AnyRules, Policy, play_game
from faceup.core.values import Event, Outcome, Seat, State

FORMAT: Final = 1
"""The version of the format. It increases when a program for the previous version would misread a record."""

_T = TypeVar("_T")


LARGEST_TIME: Final = 2**53
"""The largest number of milliseconds in a record, which every JSON reader can represent exactly."""

Milliseconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_TIME)]
"""A time or duration in milliseconds."""

Times: TypeAlias = Literal[1, 2] | None
"""A seat's time limit as a multiple of the clock; None means no limit."""

Bytes32: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
"""32 bytes as hexadecimal digits."""

PERSON: Final = "person"
"""The kind of a human player."""

LONGEST_CLOCK: Final = 366 * 24 * 60 * 60 * 1000
"""The number of milliseconds in a leap year."""


class Entry(msgspec.Struct, frozen=True, tag_field="entry"):
    """An event at a table, `at` milliseconds after the table was created."""

    at: Milliseconds


class Joined(Entry, frozen=True, tag="joined"):
    """A player took a seat; `kind` is "person" or the name of a bot's policy."""

    seat: Seat
    name: str
    kind: str


class Marked(Entry, frozen=True, tag="marked"):
    """A seat set its mark, which is the action to play if its time runs out; null removes the mark."""

    seat: Seat
    action: str | None


class Chosen(Entry, frozen=True, tag="chosen"):
    """A seat chose an action, which stays secret until the reveal."""

    seat: Seat
    action: str


class Unchosen(Entry, frozen=True, tag="unchosen"):
    """A seat withdrew its choice."""

    seat: Seat


class TimedOut(Entry, frozen=True, tag="timed_out"):
    """A seat's time ran out. The table played the seat's mark, or else the choice of the autoplay policy."""

    seat: Seat
    action: str
    source: Literal["mark", "autoplay"]


class Applied(Entry, frozen=True, tag="applied"):
    """A move was applied: either `actions`, with null for each seat that did not act, or an `outcome` of chance.

    On servers with a clock, `reveal_time` is how long everyone watches the reveal before the next decision's time
    starts. Entries hold it so that a change of the animations changes no recorded deadline.
    """

    actions: tuple[str | None, ...] = ()
    outcome: str = ""
    reveal_time: Milliseconds | msgspec.UnsetType = msgspec.UNSET


class Extended(Entry, frozen=True, tag="extended"):
    """The open decision's deadline was extended by `by` milliseconds after an interruption, such as a save."""

    by: Milliseconds


class Left(Entry, frozen=True, tag="left"):
    """A player left; the seat is kept if the game has started."""

    seat: Seat


class Returned(Entry, frozen=True, tag="returned"):
    """A player returned to its seat."""

    seat: Seat


class Autoplayed(Entry, frozen=True, tag="autoplayed"):
    """The table chose for an absent player. It chose the seat's mark, or else the choice of the autoplay policy.

    If the player returns before the reveal, they can change the choice.
    """

    seat: Seat
    action: str
    source: Literal["mark", "autoplay"]


class Paused(Entry, frozen=True, tag="paused"):
    """The game was paused, so the clock is stopped and no one can choose."""


class Unpaused(Entry, frozen=True, tag="unpaused"):
    """The game was resumed; the open decision's deadline is extended by the length of the pause."""


class Paced(Entry, frozen=True, tag="paced"):
    """A seat's time limit was set to `times` times the clock, starting with the open decision; null means no limit."""

    seat: Seat
    times: Times


class SecretCommitted(Entry, frozen=True, tag="secret_committed"):
    """The server committed to its secret for a round of a fair deal (`faceup.core.fair_draw`)."""

    commitment: Bytes32
    secret: Bytes32


class Pledged(Entry, frozen=True, tag="pledged"):
    """A seat committed to its contribution to the round by publishing a hash of it, the pledge."""

    seat: Seat
    pledge: Bytes32


class Listed(Entry, frozen=True, tag="listed"):
    """Pledging is closed. These seats contribute to the round and have to open their pledges."""

    seats: tuple[Seat, ...]


class PledgeOpened(Entry, frozen=True, tag="pledge_opened"):
    """A seat opened its pledge by revealing its contribution."""

    seat: Seat
    contribution: Bytes32


class LeftOut(Entry, frozen=True, tag="left_out"):
    """A seat did not open its pledge in time, so the round is void and the seat is excluded from further rounds."""

    seat: Seat


FairEntry: TypeAlias = SecretCommitted | Pledged | Listed | PledgeOpened | LeftOut

AnyEntry: TypeAlias = (
    Joined
    | Marked
    | Chosen
    | Unchosen
    | TimedOut
    | Autoplayed
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
    """The settings of a table besides the rules.

    Attributes:
        clock: milliseconds for each decision; null means no clock.
        reveal: whether choices are revealed as soon as all seats have chosen, or only at the deadline.
        autoplay: the policy that plays for a seat that times out without a mark.
        hints: whether players may ask the coach for advice.
        fair: whether chance is drawn from a server secret and player contributions (`faceup.core.fair_draw`).

    Raises:
        Malformed: the clock is less than 1 millisecond or more than a year, or there is no clock although choices are
            revealed at the deadline.
    """

    clock: int | None = None
    reveal: Literal["when_all_in", "at_deadline"] = "when_all_in"
    autoplay: str = "random"
    hints: bool = True
    fair: bool = False

    def __post_init__(self) -> None:
        if self.clock is not None and not 1 <= self.clock <= LONGEST_CLOCK:
            raise Malformed(
                f"a clock must be 1 to {LONGEST_CLOCK} milliseconds; got {self.clock}", what=self.clock, where="clock"
            )
        if self.clock is None and self.reveal == "at_deadline":
            raise Malformed("a table that reveals choices at the deadline must have a clock", where="reveal")


class Result(msgspec.Struct, frozen=True):
    """The final score and rank of each seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A table's complete history.

    Attributes:
        format: the version of the format.
        game: the identifier of the game.
        variant: the identifier of the variant.
        options: the number of seats, and the options that differ from the variant's defaults.
        terms: the settings of the table besides the rules.
        entries: what happened, in order.
        result: the scores and ranks by seat; null until the game is over.
    """

    format: int = FORMAT
    game: str
    variant: str
    options: dict[str, OptionValue]
    terms: Terms = Terms()
    entries: tuple[AnyEntry, ...]
    result: Result | None = None

    def rules(self) -> AnyRules:
        """Return the rules of the game. Raises `Malformed`.

        >>> record = Record(game="nimmt", variant="cowheadking", options={"seats": 2}, entries=())
        >>> record.rules().seats
        2
        """
        find_game(self.game).variant(self.variant)  # raises for a variant with options
        return make(f"{self.game}:{self.variant}", **self.options)


class Frame(NamedTuple):
    """One step of a replay: the index of an entry (from 0), the state after this entry, and the events of the entry."""

    entry: int
    state: State
    events: tuple[Event, ...]


def record_of(rules: AnyRules, entries: tuple[AnyEntry, ...], state: State, terms: Terms | None = None) -> Record:
    """Return the record of a game. It includes the result if the game is over in `state`.

    >>> rules = make("nimmt seats=2 hand=1")
    >>> deal, cards = rules.parse("deal 7 44 5 6 88 29"), {0: 6, 1: 43}
    >>> entries = (applied(rules, 0, deal), applied(rules, 900, cards))
    >>> over = rules.apply(rules.apply(rules.start(), deal).state, cards).state
    >>> record_of(rules, entries, over).result
    Result(scores=(0, 0), ranks=(1, 1))
    """
    over = not rules.to_act(state)
    return Record(
        game=rules.game,
        variant=rules.variant,
        options=options_of(rules),
        terms=terms or Terms(),
        entries=entries,
        result=Result(rules.scores(state), rules.ranks(state)) if over else None,
    )


def record_game(rules: AnyRules, policies: Sequence[Policy], rng: Generator) -> Record:
    """Play a game as `play_game` does, and return its record.

    >>> from faceup.core import SeededGenerator, find_game
    >>> lowest = find_game("nimmt").policies["lowest"]
    >>> record_game(make("nimmt seats=2 hand=1"), [lowest] * 2, SeededGenerator(7)).result
    Result(scores=(0, 0), ranks=(1, 1))
    """
    entries: list[Applied] = []
    state = rules.start()
    for move, step in play_game(rules, policies, rng):
        entries.append(applied(rules, len(entries), move))
        state = step.state
    return record_of(rules, tuple(entries), state)


def replay(record: Record) -> Iterator[Frame]:
    """Replay a record. Yield a frame for the start, with the index -1, then a frame for each `Applied` entry.

    Raises:
        Malformed: an entry breaks a rule (the message names the entry), or the result does not match the entries.

    >>> rules = make("nimmt seats=2 hand=1")
    >>> deal, cards = rules.parse("deal 7 44 5 6 88 29"), {0: 6, 1: 43}
    >>> entries = (applied(rules, 0, deal), applied(rules, 900, cards))
    >>> over = rules.apply(rules.apply(rules.start(), deal).state, cards).state
    >>> for frame in replay(record_of(rules, entries, over)):
    ...     print(frame.entry, rules.to_text(frame.state))
    -1 hands=-/-
    0 hands=7/44 rows=5/6/88/29 opening=5,6,88,29
    1 hands=-/- rows=5/6,7/88/29,44 earlier=0,0 opening=5,6,88,29 log=7,44
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
    """Raise `Malformed` unless the record's result, if any, is the result in `state`, the state after all entries.

    >>> rules, result = make("war"), Result((52, 0), (1, 2))
    >>> record = Record(game="war", variant="standard", options={"seats": 2}, entries=(), result=result)
    >>> check_result(record, rules, rules.start())
    Traceback (most recent call last):
    faceup.core.errors.Malformed: the record has a result, but its entries end before the game is over
    """
    if record.result is None:
        return
    if rules.to_act(state):
        raise Malformed("the record has a result, but its entries end before the game is over", where="result")
    expected = Result(rules.scores(state), rules.ranks(state))
    if record.result != expected:
        raise Malformed(f"the result must be {expected}, to match the entries; got {record.result}", where="result")


def applied_move(rules: AnyRules, entry: Applied) -> "dict[Seat, int] | Outcome":
    """Return the move for `Rules.apply` that an entry holds. Raises `Malformed` if its words are not valid.

    >>> rules = make("nimmt seats=2 hand=1")
    >>> applied_move(rules, Applied(0, actions=("play 7", "play 44")))
    {0: 6, 1: 43}
    >>> applied_move(rules, Applied(0, outcome="play 7"))
    Traceback (most recent call last):
    faceup.core.errors.Malformed: 'play 7' is a decision, not an outcome of chance
    """
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


def applied(rules: AnyRules, at: int, move: "dict[Seat, int] | Outcome", reveal_time: int | None = None) -> Applied:
    """Return the entry for a move or an outcome. This is the inverse of `applied_move`.

    >>> rules = make("nimmt seats=2 hand=1")
    >>> applied(rules, 0, {0: 6, 1: 43}).actions
    ('play 7', 'play 44')
    >>> applied(rules, 0, rules.parse("deal 7 44 5 6 88 29")).outcome
    'deal 7 44 5 6 88 29'
    """
    time = reveal_time or msgspec.UNSET
    if isinstance(move, Outcome):
        return Applied(at, outcome=rules.describe(move), reveal_time=time)
    words = [None if seat not in move else rules.describe(move[seat]) for seat in range(rules.seats)]
    return Applied(at, actions=tuple(words), reveal_time=time)


def dumps(record: Record) -> str:
    """Return the record as JSON, with one line for each entry.

    >>> print(dumps(Record(game="war", variant="standard", options={}, entries=(Paused(5),))).splitlines()[1])
    {"entry":"paused","at":5}
    """
    document = msgspec.to_builtins(record)
    entries = document.pop("entries")
    result = document.pop("result")
    head = msgspec.json.encode(document).decode()[:-1]
    lines = ",\n".join(msgspec.json.encode(entry).decode() for entry in entries)
    return f'{head},"entries":[\n{lines}\n],"result":{msgspec.json.encode(result).decode()}}}\n'


def loads(text: str | bytes) -> Record:
    """Parse a record from JSON. This does not check the entries against the rules, but `replay` does.

    Raises:
        Malformed: the text is truncated, is not a record, or has a later format version.

    >>> record = Record(game="war", variant="standard", options={"seats": 2}, entries=(Paused(5),))
    >>> loads(dumps(record)) == record
    True
    >>> loads("{}")
    Traceback (most recent call last):
    faceup.core.errors.Malformed: the record is incomplete or not JSON: Object missing required field `format`
    """
    try:
        version = _decode(text, _Version).format
    except msgspec.DecodeError as error:
        raise Malformed(f"the record is incomplete or not JSON: {error}", where="record") from None
    if not 1 <= version <= FORMAT:
        raise Malformed(
            f"the record has format {version}, but this faceup reads 1 to {FORMAT}: update faceup to read it",
            what=version,
            where="format",
        )
    try:
        return _decode(text, Record)
    except msgspec.DecodeError as error:
        raise Malformed(f"this is not a record: {error}", where="record") from None


def _decode(text: str | bytes, kind: type[_T]) -> _T:
    """Decode JSON. Raises `msgspec.DecodeError` also for text that is not UTF-8 or is nested too deeply."""
    try:
        return msgspec.json.decode(remove_bom(text), type=kind)
    except UnicodeError:
        raise msgspec.DecodeError("the text is not UTF-8") from None
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None


class _Version(msgspec.Struct):
    format: int


def schema() -> dict[str, Any]:  # Any: JSON
    """Return the JSON Schema of a record (draft 2020-12), generated from the types above.

    >>> schema()["title"], [*schema()["$defs"]][:3]
    ('A faceup record, format 1', ['Record', 'Terms', 'Joined'])
    """
    from inspect import cleandoc  # noqa: PLC0415 -- slow to import, and only needed here

    (body,), definitions = msgspec.json.schema_components([Record], ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "description" in definition:  # a docstring; up to Python 3.12 its lines are indented
            definition["description"] = cleandoc(definition["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A faceup record, format {FORMAT}",
        **body,
        "$defs": definitions,
    }
