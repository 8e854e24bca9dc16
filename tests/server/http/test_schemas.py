"""The messages of clients are stricter than the commands of a table."""

import pytest

from faceup.core import Malformed
from faceup.server.http.schemas import ParsedCommand, parse_message
from faceup.table import Choose
from faceup.table.commands import Mark


def test_a_client_message_is_the_command_of_the_table() -> None:
    text = '{"command":"choose","id":"1","seat":0,"action":"play 57","decision":3}'
    assert parse_message(text) == ParsedCommand("1", Choose(0, "play 57", 3))
    text = '{"command":"mark","id":"2","seat":0,"action":null,"decision":3}'
    assert parse_message(text) == ParsedCommand("2", Mark(0, None, 3))


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ('{"command":"choose","id":"1","seat":0,"action":"play 57"}', "missing required field `decision`"),
        ('{"command":"choose","id":"1","seat":0,"action":"play 57","decision":null}', "got `null`"),
        ('{"command":"choose","id":"1","seat":0,"action":57,"decision":0}', "Expected `str`, got `int`"),
        ('{"command":"choose","id":"1","seat":0,"action":null,"decision":0}', "Expected `str`, got `null`"),
        ('{"command":"mark","id":"1","seat":0,"action":57,"decision":0}', "got `int`"),
        ('{"command":"unchoose","id":"1","seat":0}', "missing required field `decision`"),
        ('{"command":"expire_deadline","id":"1"}', "Invalid value 'expire_deadline'"),
        ('{"command":"autoplay","id":"1","seat":0}', "Invalid value 'autoplay'"),
        ('{"command":"forfeit","id":"1","seat":0}', "Invalid value 'forfeit'"),
        ('{"command":"restart_clock","id":"1"}', "Invalid value 'restart_clock'"),
    ],
)
def test_a_client_must_name_decision_and_notation_and_cannot_send_commands_of_the_server(
    message: str, why: str
) -> None:
    with pytest.raises(Malformed, match=why):
        parse_message(message)
