"""The types of messages: names in JSON, and the lines of a stream."""

import msgspec
import pytest
from tests.server.rooms.room_log import Play, nimmt

from faceup.server.rooms.wire import (
    MESSAGES,
    Acknowledged,
    Announced,
    Announcement,
    Disconnected,
    End,
    Ping,
    Problem,
    Rejected,
    ServerMessage,
    Snapshot,
    Update,
    encode_message,
    message_schemas,
    parse_server_message,
)

LINES: list[tuple[ServerMessage, bytes]] = [
    (Snapshot(v=1, at=0, now=5, room={"seat": 0}), b'{"v":1,"at":0,"now":5,"room":{"seat":0}}\n'),
    (Update(v=2, at=7, events=(), patch={}), b'{"v":2,"at":7,"events":[],"patch":{}}\n'),
    (Acknowledged("a-1"), b'{"ack":"a-1"}\n'),
    (
        Rejected("a-1", Problem(kind="stale", message="too late")),
        b'{"rejected":"a-1","error":{"kind":"stale","message":"too late"}}\n',
    ),
    (Ping(3, 4000, 5000), b'{"ping":3,"now":4000,"silence":5000}\n'),
    (Disconnected((1, 2)), b'{"disconnected":[1,2]}\n'),
    (End("restart"), b'{"end":"restart"}\n'),
    (Announced(Announcement(id="1", text="Restart.")), b'{"announcement":{"id":"1","text":"Restart.","at":null}}\n'),
]


@pytest.mark.parametrize(("message", "line"), LINES)
def test_a_message_survives_encoding_and_decoding(message: ServerMessage, line: bytes) -> None:
    assert encode_message(message) == line
    assert parse_server_message(line) == message


def test_every_type_of_message_is_tested() -> None:
    assert {type(message) for message, _ in LINES} == {*MESSAGES.values()}


def test_an_unknown_message_is_ignored_and_a_wrong_member_is_an_error() -> None:
    assert parse_server_message(b'{"later":1}') is None
    with pytest.raises(msgspec.ValidationError):
        parse_server_message(b'{"ping":"one"}')


def test_the_joined_bytes_of_updates_are_those_of_the_type() -> None:
    play = Play(nimmt(3, 3)).seated()
    while play.room.status == "active":
        play.turn()
    lines = [line for stream in play.streams.values() for line in stream]
    updates = [(line, message) for line in lines if isinstance(message := parse_server_message(line), Update)]
    assert any(message.append for _, message in updates)
    assert [line for line, _ in updates] == [encode_message(message) for _, message in updates]


def test_the_schema_of_a_room_view_requires_only_members_that_are_always_present() -> None:
    required = message_schemas()["RoomView"]["required"]
    play = Play(nimmt(2, 1))
    always = set(play.clients[None].room_view)
    play.seated()
    while play.room.status == "active":
        play.turn()
    assert set(required) <= always & set(play.clients[0].room_view)
