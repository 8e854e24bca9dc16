"""What the commands for scripts share."""

from codecs import BOM_UTF8
from io import BytesIO

from faceup.cli import ndjson


def test_a_mark_of_the_encoding_before_the_first_line_is_passed_over() -> None:
    source, target = BytesIO(BOM_UTF8 + b'{"a":1}\n' + BOM_UTF8 + b'{"a":2}\n'), BytesIO()
    ndjson.answer_lines(dict, lambda request: request, source, target)
    first, second = target.getvalue().splitlines()
    assert first == b'{"a":1}'
    assert b"this is not JSON" in second
