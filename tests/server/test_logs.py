"""A line of the log is a line, and says nothing that an error quotes."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from faceup.core import NotLegal
from faceup.server.logs import LOG, begin, request_id


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level, own = root.handlers, root.level, LOG.level
    yield io.StringIO()
    root.handlers, root.level = handlers, level
    LOG.setLevel(own)


def _refuse(hand: str) -> None:
    raise NotLegal("this card is not in hand", position=hand)


def _fail(hand: str) -> None:
    try:
        _refuse(hand)
    except NotLegal as error:
        raise RuntimeError(hand) from error


def _log_a_failure() -> None:
    try:
        _fail("-".join(map(str, (3, 57, 104))))  # lines of code are logged, and may not hold what is looked for
    except RuntimeError:
        LOG.exception("a request failed")


def test_an_error_is_logged_with_its_kind_and_place_but_not_its_words(out: io.StringIO) -> None:
    for form in ("text", "json"):
        begin(form, "info", out)
        _log_a_failure()
    said = out.getvalue()
    assert said.count("RuntimeError") >= 2
    assert said.count("NotLegal") >= 2
    assert "test_logs.py" in said
    assert "3-57-104" not in said


def test_a_line_for_machines_is_json_with_its_fields_and_its_request(out: io.StringIO) -> None:
    begin("json", "info", out)
    token = request_id.set("ab12")
    LOG.info("answered", extra={"fields": {"status": 200}})
    LOG.debug("too small")
    request_id.reset(token)
    [line] = out.getvalue().splitlines()
    found = json.loads(line)
    assert found.keys() == {"at", "level", "message", "status", "request"}
    assert (found["level"], found["status"], found["request"]) == ("info", 200, "ab12")


def test_a_line_stays_a_line_whatever_stands_in_it(out: io.StringIO) -> None:
    begin("text", "info", out)
    LOG.info("renamed", extra={"fields": {"name": "Ann\n2026 error \x1b[2J"}})
    assert out.getvalue().count("\n") == 1
    assert "\x1b" not in out.getvalue()
