"""The entries of a room's log, and the events that follow from them.

The log is a list of batches. A batch holds the entries of one command: the table's entries (`faceup.core.record`), and
entries that only a server needs, which this module defines. In the same way, the events defined here are in addition
to the events of the table and of the game.
"""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from faceup.core import Event, Malformed, Seat
from faceup.core.record import AnyEntry, Entry
from faceup.server.rooms.config import TableConfig
from faceup.server.rooms.daily import DailyDeal
from faceup.server.rooms.series import Series
from faceup.table.events import SentenceEvent

Emote: TypeAlias = Literal["bravo", "ouch", "phew", "hmm", "hurry", "thanks"]
"""The reactions that the page draws as a face, which can be thrown at a player or pinned to a card."""

Phrase: TypeAlias = Literal[
    "hello", "luck", "nice", "knew_it", "no_way", "close", "sorry", "plan", "skill", "moo", "no_rush", "again"
]
"""The reactions that the page shows as a sentence in the language of each reader."""

Reaction: TypeAlias = Literal[Emote, Phrase]
"""The reactions that players can show. There is no free text, so no message can insult, and each can be translated."""

Reason: TypeAlias = Literal["host", "abandoned", "operator", "round_over"]
"""Why a room was closed: by its host or the operator, because everyone had left, or at the end of a round."""


class TournamentTable(msgspec.Struct, frozen=True):
    """The tournament of a room: its id, and the numbers of the round and the table, from 1."""

    id: str
    round: int
    table: int


class RoomCreated(Entry, frozen=True, tag="room_created"):
    """The first entry of every log: a room was created with this configuration, by the player who is its host.

    In a rematch, `series` is the score of the games before, and `barred` are the ids of the players whom the host of
    the game before removed; they cannot sit down in the rematch either. `daily` is set if the room is an attempt at a
    daily deal. In a quick match, which never has a host, `fill_after` is the time from when the first person sits down
    to when bots fill the empty seats, in milliseconds; 0 in all other rooms. `tournament` is set if the room is a table
    of a tournament, which never has a host. `rate_programs` is whether a rated game between people and programs changes
    ratings, too.
    """

    config: TableConfig
    host: str | None
    series: Series | None = None
    barred: tuple[str, ...] = ()
    daily: DailyDeal | None = None
    fill_after: int = 0
    tournament: TournamentTable | None = None
    rate_programs: bool = False


class Seated(Entry, frozen=True, tag="seated", omit_defaults=True):
    """A player with this face owns this seat from now on. The `Joined` entry that follows holds the player's name."""

    seat: Seat
    player: str
    face: str = ""


class SeatRenamed(Entry, frozen=True, tag="seat_renamed"):
    """The player of a seat, who had chosen no name before, has this name, also in the record of the game."""

    seat: Seat
    name: str


class ProgramDeclared(Entry, frozen=True, tag="program_declared"):
    """A program plays for this player in this room."""

    player: str


class ReservationReleased(Entry, frozen=True, tag="reservation_released"):
    """The reservation of the seat was cancelled."""

    seat: Seat


class PlayerBarred(Entry, frozen=True, tag="player_barred"):
    """The host removed a player from a seat, and the player cannot sit down in this room again."""

    seat: Seat
    player: str


class HostSet(Entry, frozen=True, tag="host_set"):
    """The host changed; null means that the room has no host. By rule, the host before may get the role back."""

    player: str | None
    by_rule: bool = False


class Reacted(Entry, frozen=True, tag="reacted", omit_defaults=True):
    """A seat showed a reaction: to everyone, to the seat `to`, or at a card that lies face up on the table."""

    seat: Seat
    reaction: Reaction
    to: Seat | None = None
    card: int | None = None


class BotVoted(Entry, frozen=True, tag="bot_voted"):
    """The player in `seat` voted that a bot plays for the player in the seat `idle`."""

    seat: Seat
    idle: Seat


class RematchLinked(Entry, frozen=True, tag="rematch_linked"):
    """A rematch was created in the room with this id, at the request of the player in this seat, if any."""

    table: str
    seat: Seat | None = None


class RoomClosed(Entry, frozen=True, tag="room_closed"):
    """The room was closed before the game ended."""

    reason: Reason


class LogRewritten(Entry, frozen=True, tag="log_rewritten"):
    """The names and ids of erased players were replaced in all earlier entries, so they must be read again.

    `people` are the ids that replace those of the erased players.
    """

    people: tuple[str, ...] = ()


RoomEntry: TypeAlias = (
    RoomCreated
    | Seated
    | SeatRenamed
    | ProgramDeclared
    | ReservationReleased
    | PlayerBarred
    | HostSet
    | Reacted
    | BotVoted
    | RematchLinked
    | RoomClosed
    | LogRewritten
)
AnyRoomEntry: TypeAlias = AnyEntry | RoomEntry

EntryBatch: TypeAlias = tuple[AnyRoomEntry, ...]
"""The entries of one command, of which the log gets all or none."""

_DECODER = msgspec.json.Decoder(tuple[AnyRoomEntry, ...])


def dumps(append: EntryBatch) -> bytes:
    """Encode a batch as a JSON array, as the log stores it."""
    return msgspec.json.encode(append)


def loads(text: bytes | str) -> EntryBatch:
    """Decode a batch from JSON. Raises `Malformed`."""
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed(f"invalid entries in a room's log: {error}", where="entries") from None


_REACTION_TEXT: Final[dict[Reaction, str]] = {
    "bravo": "Bravo!",
    "ouch": "Ouch!",
    "phew": "Phew.",
    "hmm": "Hmm ...",
    "hurry": "Come on!",
    "thanks": "Thanks for the game.",
    "hello": "Hello!",
    "luck": "Good luck!",
    "nice": "Nice one!",
    "knew_it": "I knew it!",
    "no_way": "No way!",
    "close": "That was close!",
    "sorry": "Sorry, had to!",
    "plan": "All part of the plan.",
    "skill": "Pure skill!",
    "moo": "Moo!",
    "no_rush": "Take your time.",
    "again": "One more?",
}
_CLOSE_REASON_TEXT: Final[dict[Reason, str]] = {
    "host": "The host closed the table.",
    "abandoned": "The table was closed because everyone had left.",
    "operator": "The table was closed by the server's operator.",
    "round_over": "The time for this round of the tournament was over, so the places at that moment count.",
}


class HostChanged(Event, frozen=True, tag="host_changed"):
    """The host changed. The seat is None if the new host has no seat, or if there is no host."""

    seat: Seat | None

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        return "The table has no host." if self.seat is None else f"{names[self.seat]} is now the host."


class Renamed(SentenceEvent, frozen=True, tag="renamed"):
    """A player changed their name; `before` is the old name."""

    sentence = "{event.before} is now called {player}."
    seat: Seat
    before: str


class SeatReleased(SentenceEvent, frozen=True, tag="seat_released"):
    """The reservation of a seat was cancelled."""

    sentence = "Seat {number} is open to everyone."
    seat: Seat


class PlayerRemoved(SentenceEvent, frozen=True, tag="player_removed"):
    """The host removed a player, who cannot sit down in this room again."""

    sentence = "The host removed {event.name} from the table."
    seat: Seat
    name: str


class ReactionShown(Event, frozen=True, tag="reaction", omit_defaults=True):
    """A seat showed a reaction; `to` and `card` as in `Reacted`."""

    seat: Seat
    reaction: Reaction
    to: Seat | None = None
    card: int | None = None

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        target = "" if self.to is None else f" to {names[self.to]}"
        card = "" if self.card is None else f" about card {self.card}"
        return f"{names[self.seat]}{target}{card}: {_REACTION_TEXT[self.reaction]}"


class BotVoteCast(Event, frozen=True, tag="bot_vote"):
    """A player voted that a bot plays for the player in the seat `idle`."""

    seat: Seat
    idle: Seat

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        return f"{names[self.seat]} wants a bot to play for {names[self.idle]}."


class RematchCreated(Event, frozen=True, tag="rematch_created"):
    """A rematch was created, at the request of the player in this seat; None if the host without a seat asked."""

    table: str
    seat: Seat | None = None

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        return "A rematch was created." if self.seat is None else f"{names[self.seat]} wants to play again."


class TableClosed(Event, frozen=True, tag="table_closed"):
    """The room was closed."""

    reason: Reason

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- the text has no names
        """Return the sentence."""
        return _CLOSE_REASON_TEXT[self.reason]
