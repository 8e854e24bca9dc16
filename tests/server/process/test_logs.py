"""Log lines are single lines, and contain nothing that an error message quotes."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from faceup.core import IllegalActionError
from faceup.server.process.logs import LOG, request_id, setup_logging


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level, our_level = root.handlers, root.level, LOG.level
    yield io.StringIO()
    root.handlers, root.level = handlers, level
    LOG.setLevel(our_level)


def _raise(hand: str) -> None:
    raise IllegalActionError("this card is not in hand", position=hand)


def _fail(hand: str) -> None:
    try:
        _raise(hand)
    except IllegalActionError as error:
        raise RuntimeError(hand) from error


def _log_a_failure() -> None:
    try:
        _fail("-".join(map(str, (3, 57, 104))))  # the logged source line must not contain the hand
    except RuntimeError:
        LOG.exception("a request failed")


def test_errors_are_logged_with_type_and_traceback_but_no_message(out: io.StringIO) -> None:
    for form in ("text", "json"):
        setup_logging(form, "info", out)
        _log_a_failure()
    expected = out.getvalue()
    assert expected.count("RuntimeError") >= 2
    assert expected.count("IllegalActionError") >= 2
    assert "test_logs.py" in expected
    assert "3-57-104" not in expected


def test_a_json_line_has_its_fields_and_request_id(out: io.StringIO) -> None:
    setup_logging("json", "info", out)
    token = request_id.set("ab12")
    LOG.info("answered", extra={"fields": {"status": 200}})
    LOG.debug("too small")
    request_id.reset(token)
    [line] = out.getvalue().splitlines()
    record = json.loads(line)
    assert record.keys() == {"at", "level", "message", "status", "request"}
    assert (record["level"], record["status"], record["request"]) == ("info", 200, "ab12")


def test_control_characters_are_escaped(out: io.StringIO) -> None:
    setup_logging("text", "info", out)
    LOG.info("renamed", extra={"fields": {"name": "Ann\n2026 error \x1b[2J"}})
    assert out.getvalue().count("\n") == 1
    assert "\x1b" not in out.getvalue()
