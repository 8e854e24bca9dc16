"""The types of the messages that a server sends to its clients. Their format is defined only here.

The encoders, the Python client and the OpenAPI description use these types. From them, `script/wire_types` generates
the web page's types (`web/api/types.js`) and the tables in docs/reference/online-tables.md. A message is one line of
JSON. In a room view, null members are left out.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from faceup.server.rooms.merge_patch import Json
from faceup.server.rooms.series import SeriesPlayer
from faceup.server.rooms.view import RoomSeat, RoomView
from faceup.table.views import FairView

SESSION_COOKIE: Final = "faceup_session"
"""Name of the session cookie."""

RoomViewJson: TypeAlias = Annotated[Json, msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/RoomView"})]
EventJson: TypeAlias = Annotated[Json, msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/TableEvent"})]

EndReason: TypeAlias = Literal[
    "slow", "rate_limited", "restart", "closed", "finished", "spectators_off", "resync", "revoked", "deleted"
]
"""Why a stream ends.

- `slow`: the client did not read its messages fast enough.
- `rate_limited`: the client sent too many messages, and did not stop when they were rejected.
- `restart`: the server is shutting down.
- `closed`: the table was closed.
- `finished`: the game is finished, so no more messages will follow.
- `spectators_off`: the table does not allow spectators.
- `resync`: the server lost its position in the table's log.
- `revoked`: the client's session or token was revoked, or the player or address was banned.
- `deleted`: the table was deleted.

After `slow`, `rate_limited`, `restart` and `resync`, the client reconnects and states the last version it received.
"""


class TableEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event of a table or game. Its other members depend on its kind.

    Attributes:
        event: kind of the event.
        text: the event as an English sentence.
    """

    event: str
    text: str


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The details of an error.

    Attributes:
        kind: the kind of error, for programs; new kinds may be added, but none is ever removed.
        message: one sentence for people.
        where: the invalid part of the request, if known.
        legal: the legal actions in notation, if the error is an illegal action.
        retry_after: the number of seconds to wait before sending the request again.
        until: the end of a ban, in milliseconds since 1970.
        reason: the reason of a ban, if the operator gave one.
        request: id of the request, for finding the request in the server's log.
    """

    kind: str
    message: str
    where: str = ""
    legal: tuple[str, ...] = ()
    retry_after: int | None = None
    until: int | None = None
    reason: str = ""
    request: str = ""


class ErrorResponse(msgspec.Struct, frozen=True):
    """The body of an error response."""

    error: Problem


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """A message to all users, such as a planned restart.

    Attributes:
        id: a unique id, so that the same text is shown again if it is announced again.
        text: one or two sentences.
        at: when the announced event happens, in milliseconds since 1970 on the database's clock.
    """

    id: str
    text: str
    at: int | None = None


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The complete room view: the first message of a stream.

    Attributes:
        v: number of the viewer's last message, counted from 1.
        at: time of the viewer's last message, in milliseconds since the room was created.
        now: current time, in milliseconds since the room was created, for countdowns.
        room: the room view.
    """

    v: int
    at: int
    now: int | None = None
    room: RoomViewJson


class Update(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change at the table: the events to show, and the changes of the room view.

    Attributes:
        v: number of this message in the viewer's stream; the numbers have no gaps.
        at: time of the change, in milliseconds since the room was created.
        events: the events to show.
        patch: JSON merge patch (RFC 7396) to apply to the viewer's room view.
        append: items to add to the ends of lists in the room view, after applying the patch.
    """

    v: int
    at: int
    events: tuple[EventJson, ...]
    patch: Json
    append: Json | None = None


class Acknowledged(msgspec.Struct, frozen=True):
    """The acknowledgement that a command has been written to the log.

    Attributes:
        ack: id of the command.
    """

    ack: str


class Rejected(msgspec.Struct, frozen=True):
    """The rejection of a command, which changed nothing.

    Attributes:
        rejected: id of the command; null if an invalid message has no id, or if the client may not watch the table.
        error: the details of the error.
    """

    rejected: str | None
    error: Problem


class Ping(msgspec.Struct, frozen=True):
    """A ping, which the client answers with the command `pong` and the number of this ping.

    Attributes:
        ping: number of the ping.
        now: current time, in milliseconds since the room was created, for countdowns.
        silence: milliseconds after which the client has lost the connection if it receives no further message. Before
            the server acts for an absent player, the client then has time to connect again.
    """

    ping: int
    now: int
    silence: int


class Disconnected(msgspec.Struct, frozen=True):
    """The seats of all players who have lost their connection and are not marked away yet.

    Attributes:
        disconnected: the seats; empty when all have reconnected or were marked away.
    """

    disconnected: tuple[int, ...]


class End(msgspec.Struct, frozen=True):
    """The last message of a stream.

    Attributes:
        end: why the stream ends.
    """

    end: EndReason


class Announced(msgspec.Struct, frozen=True):
    """A new or withdrawn announcement of the server's operator.

    Attributes:
        announcement: the announcement to all users; null if it was withdrawn.
    """

    announcement: Announcement | None


ServerMessage: TypeAlias = Snapshot | Update | Acknowledged | Rejected | Ping | Disconnected | End | Announced

MESSAGES: Final[Mapping[str, type[ServerMessage]]] = {
    "room": Snapshot,
    "patch": Update,
    "ack": Acknowledged,
    "rejected": Rejected,
    "ping": Ping,
    "disconnected": Disconnected,
    "end": End,
    "announcement": Announced,
}
"""The types of messages. The key is the name of a member that no other type of message has."""


def message_schemas() -> dict[str, Json]:
    """Return the JSON schemas of all messages and of the types in them, by name, for OpenAPI."""
    types = [*MESSAGES.values(), TableEvent, RoomView]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    for kind in (RoomView, RoomSeat, FairView, SeriesPlayer):  # in a room view, null members are left out
        schema = schemas[kind.__name__]
        nullable = {
            name for name, member in schema["properties"].items() if {"type": "null"} in member.get("anyOf", ())
        }
        schema["required"] = [name for name in schema["required"] if name not in nullable]
    return schemas


def encode_message(message: ServerMessage) -> bytes:
    r"""Encode a message as a line of JSON.

    >>> encode_message(End("restart"))
    b'{"end":"restart"}\n'
    """
    return _ENCODER.encode(message) + b"\n"


def parse_server_message(line: bytes | str) -> ServerMessage | None:
    """Decode a message from a server; None if this version of faceup does not know the type of the message.

    Raises:
        msgspec.DecodeError: the line is not valid JSON, or a member has the wrong type.

    >>> parse_server_message('{"ack":"my-command"}')
    Acknowledged(ack='my-command')
    """
    members = msgspec.json.decode(line, type=dict[str, Any])  # Any: JSON
    kind = next((kind for name, kind in MESSAGES.items() if name in members), None)
    message: ServerMessage | None = None if kind is None else msgspec.convert(members, kind)
    return message


_ENCODER: Final = msgspec.json.Encoder()
