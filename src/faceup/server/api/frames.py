"""What a client sends: a command with an id of its own choosing, over WebSocket and HTTP alike.

The commands are those of `faceup.server.rooms`, each with its id; what a client cannot know or say is left out.
"""

from typing import Annotated, Any, Final, NamedTuple, TypeAlias, Union, get_args

import msgspec
from msgspec import NODEFAULT

from faceup.core import Malformed
from faceup.server.rooms import Close, PersonCommand, Sit

CommandId: TypeAlias = Annotated[
    str,
    msgspec.Meta(
        pattern="^[A-Za-z0-9_.:-]{1,64}$",
        description="The client's own, new for each command; one that was sent before is answered as it was then",
    ),
]


class Frame(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Anything that a client sends."""


class Pong(Frame, frozen=True, tag="pong"):
    """The answer to a `ping` line, with its number, by which the server measures how long lines take."""

    ping: int


class AskRematch(Frame, frozen=True, tag="rematch"):
    """Go on in a new room with the same players, seats rotated. The second who asks is told the same room."""

    id: CommandId


def _frame_of(command: type[msgspec.Struct]) -> type[Frame]:
    """The command as a client sends it."""
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = [("id", CommandId)]  # Any: types and defaults of all kinds
    for field in msgspec.structs.fields(command):
        if command is Close and field.name == "reason":
            continue  # it is the host's reason: others have ways of their own
        if command is Sit and field.name == "name":
            fields.append(("name", field.type | None, None))  # the player's own, unless it says otherwise
        elif field.default is NODEFAULT:
            fields.append((field.name, field.type))
        else:
            fields.append((field.name, field.type, field.default))
    tag = command.__struct_config__.tag
    made: Any = msgspec.defstruct(  # Any: a class that mypy cannot know
        f"{command.__name__}Command",
        [fields[0], *sorted(fields[1:], key=len)],
        bases=(Frame,),
        tag=str(tag),
        frozen=True,
        module=__name__,
        namespace={"__doc__": command.__doc__},
    )
    _COMMANDS[made] = command
    frame: type[Frame] = made
    return frame


_COMMANDS: Final[dict[type[Frame], type[msgspec.Struct]]] = {}

FRAMES: Final = tuple(_frame_of(command) for command in get_args(PersonCommand))
"""The commands as clients send them."""

AnyCommandFrame = Union[(*FRAMES, AskRematch)]  # type: ignore[valid-type]  # of types that are made when it is run
"""What is sent to a table over HTTP."""

_LIVE: Final = msgspec.json.Decoder(Union[(*FRAMES, AskRematch, Pong)])
_LOOSE: Final = msgspec.json.Decoder(dict[str, Any])  # Any: whatever came


class Asked(NamedTuple):
    """A frame that was understood: its id, and what is asked of the room (`AskRematch` is answered by the desk)."""

    id: str
    command: PersonCommand | AskRematch


def read_frame(text: bytes | str) -> Asked | Pong:
    """A frame from its JSON. Raises `Malformed` with what is wrong and where."""
    try:
        frame = _LIVE.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed(f"this is no command: {error}", where="frame") from None
    except UnicodeDecodeError:
        raise Malformed("this is no command: it is not UTF-8", where="frame") from None
    return frame if isinstance(frame, Pong) else asked(frame)


def asked(frame: Any) -> Asked:  # noqa: ANN401 -- one of types that are made above
    """What a frame asks."""
    if isinstance(frame, AskRematch):
        return Asked(frame.id, frame)
    command = _COMMANDS[type(frame)]
    key, *fields = msgspec.structs.astuple(frame)  # as the command has them, which may have more behind them
    made: PersonCommand = command(*fields)  # type: ignore[assignment]  # one of the union's own
    if isinstance(made, Sit) and made.name is None:
        made = Sit("", made.seat)  # filled in by whoever knows the player
    return Asked(key, made)


def id_within(text: bytes | str) -> str | None:
    """The id in a frame that was not understood, so that the refusal can name it."""
    try:
        found = _LOOSE.decode(text).get("id")
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return found if isinstance(found, str) and len(found) <= 64 else None
