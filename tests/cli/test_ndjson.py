"""Requests of the commands for scripts."""

from codecs import BOM_UTF8
from io import BytesIO

from faceup.cli import ndjson


def test_a_byte_order_mark_is_ignored() -> None:
    source, target = BytesIO(BOM_UTF8 + b'{"a":1}\n' + BOM_UTF8 + b'{"a":2}\n'), BytesIO()
    ndjson.answer_lines(dict, lambda request: request, {}, source, target)
    first, second = target.getvalue().splitlines()
    assert first == b'{"a":1}'
    assert b"the line is not JSON" in second
