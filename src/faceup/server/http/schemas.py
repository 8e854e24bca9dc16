"""Request and response types that several routes share, and the messages of clients.

A client message is a command of `faceup.server.rooms` with an id that the client chooses. Clients send the same
messages over WebSockets and HTTP. The messages do not contain the fields of commands that clients may not set.
"""

from typing import Annotated, Any, Final, NamedTuple, TypeAlias, Union, get_args

import msgspec
from msgspec import NODEFAULT

from faceup.core import Malformed
from faceup.server.accounts.account_deletion import DELETION_DELAY
from faceup.server.accounts.players import StoredPlayer
from faceup.server.rooms import Sit
from faceup.server.rooms.commands import Close, PersonCommand
from faceup.table.commands import Mark

Name: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200, description="1 to 40 visible characters")]
"""A name as the client sent it. The limit is higher than for stored names, because normalization may shorten a name."""

Face: TypeAlias = Annotated[str, msgspec.Meta(max_length=20, pattern="^[a-z]+-[0-9]$")]
"""The face of a person: an animal and the number of a colour."""

Secret: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
"""A password or a code."""

NewSecret: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=200, extra_json_schema={"minLength": 8})]
"""A new password. `Passwords` checks its minimum length, because its error message is clearer than a schema error."""


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """The player who sent the request.

    Attributes:
        handle: the public handle, which never changes.
        name: the displayed name.
        guest: whether the player has no account, so that only the session of this device identifies the player.
        login: the login; null if the player has no password.
        face: the chosen animal and colour, as in "fox-3"; null if the player chose none.
        listed: whether the player is in the list of people online.
        since: when the player was created, in milliseconds since 1970.
        deleted_at: when the account will be deleted, because the player asked for it; null if not.
    """

    handle: str
    name: str
    guest: bool
    login: str | None
    face: str | None
    listed: bool
    since: int
    deleted_at: int | None = None

    @classmethod
    def of(cls, player: StoredPlayer) -> "Me":
        """Convert a player to the response."""
        return cls(
            handle=player.handle,
            name=player.name,
            guest=player.guest,
            login=player.login,
            face=player.face or None,
            listed=player.listed,
            since=player.since,
            deleted_at=None if (at := player.deletion_requested_at) is None else at + DELETION_DELAY,
        )


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """The public data of a player."""

    handle: str
    name: str
    guest: bool
    face: str | None


CommandId: TypeAlias = Annotated[
    str,
    msgspec.Meta(
        pattern="^[A-Za-z0-9_.:-]{1,64}$",
        description="A unique id that the client chooses. Commands repeated with the same id are applied only once",
    ),
]


class ClientMessage(msgspec.Struct, frozen=True, tag_field="command", forbid_unknown_fields=True):
    """The base class of all messages from clients."""


class Pong(ClientMessage, frozen=True, tag="pong"):
    """The answer to the `ping` message with the same number. The server measures the round trip time."""

    ping: int


class RematchRequest(ClientMessage, frozen=True, tag="rematch"):
    """Create a rematch with the same players and bots in the same seats, or take your seat in it if it exists."""

    id: CommandId


def _frame_of(command: type[msgspec.Struct]) -> type[ClientMessage]:
    """Define the message type with which clients send a command."""
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [("id", CommandId)]  # Any: types and defaults of all kinds
    for field in msgspec.structs.fields(command):
        if command is Close and field.name == "reason":
            continue  # clients cannot choose the reason, because only hosts can close tables
        if field.name == "face":
            continue  # `with_player_name` adds the face of the player's profile
        if command is Sit and field.name == "name":
            fields.append(("name", field.type | None, None))  # null means the player's name
        elif field.name == "decision":
            fields.append((field.name, int))  # required, because a late choice must not count for the next decision
        elif field.name == "action":
            fields.append((field.name, str | None if command is Mark else str))  # the action in notation
        elif field.default is NODEFAULT:
            fields.append((field.name, field.type))
        else:
            fields.append((field.name, field.type, field.default))
    tag = command.__struct_config__.tag
    made: Any = msgspec.defstruct(  # Any: a class created at run time
        f"{command.__name__}Command",
        [fields[0], *sorted(fields[1:], key=len)],
        bases=(ClientMessage,),
        tag=str(tag),
        frozen=True,
        module=__name__,
        namespace={"__doc__": command.__doc__},
    )
    _COMMANDS[made] = command
    frame: type[ClientMessage] = made
    return frame


_COMMANDS: Final[dict[type[ClientMessage], type[msgspec.Struct]]] = {}

CLIENT_MESSAGES: Final = tuple(_frame_of(command) for command in get_args(PersonCommand))
"""The message types with which clients send commands."""

AnyCommandMessage = Union[(*CLIENT_MESSAGES, RematchRequest)]  # type: ignore[valid-type]  # created at run time
"""The body of an HTTP request that sends a command."""

_LIVE: Final = msgspec.json.Decoder(Union[(*CLIENT_MESSAGES, RematchRequest, Pong)])
_LOOSE: Final = msgspec.json.Decoder(dict[str, Any])  # Any: JSON


class ParsedCommand(NamedTuple):
    """A parsed command and its id. The hub handles `RematchRequest`, and the room handles all other commands."""

    id: str
    command: PersonCommand | RematchRequest


def parse_message(text: bytes | str) -> ParsedCommand | Pong:
    """Parse a client message from JSON. Raises `Malformed` if the message is invalid."""
    try:
        frame = _LIVE.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed(f"invalid command: {error}", where="frame") from None
    except UnicodeDecodeError:
        raise Malformed("invalid command: the message must be UTF-8 text", where="frame") from None
    except RecursionError:
        raise Malformed("invalid command: the message is nested too deeply", where="frame") from None
    return frame if isinstance(frame, Pong) else parse_command(frame)


def parse_command(frame: Any) -> ParsedCommand:  # noqa: ANN401 -- one of the types created above
    """Convert a client message to a command."""
    if isinstance(frame, RematchRequest):
        return ParsedCommand(frame.id, frame)
    command = _COMMANDS[type(frame)]
    key, *fields = msgspec.structs.astuple(frame)  # the fields have the same order as in the command
    made: PersonCommand = command(*fields)  # type: ignore[assignment]  # the command is a member of the union
    if isinstance(made, Sit) and made.name is None:
        made = Sit("", made.seat)  # `with_player_name` adds the name
    return ParsedCommand(key, made)


def extract_id(text: bytes | str) -> str | None:
    """Return the id of an invalid message, so that the rejection can name it. Return None if there is no valid id."""
    try:
        identifier = _LOOSE.decode(text).get("id")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return identifier if isinstance(identifier, str) and len(identifier) <= 64 else None
