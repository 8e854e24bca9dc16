"""Stderr within its size limit, and reported columns."""

import pytest

from faceup.arena.process import columns
from faceup.arena.process.program import StreamLog


@pytest.mark.parametrize("size", [1, 3, 10, 1000])
def test_short_stderr_is_kept_unchanged(size: int) -> None:
    text = b"".join(b"line %d\n" % number for number in range(100))[:700]
    log = StreamLog(700)
    for at in range(0, len(text), size):
        log.add(text[at : at + size])
    assert (log.content(), log.total) == (text, len(text))


@pytest.mark.parametrize("size", [1, 7, 100, 5000])
def test_long_stderr_keeps_start_and_end(size: int) -> None:
    text = b"".join(b"line %d\n" % number for number in range(1000))
    log = StreamLog(100)
    for at in range(0, len(text), size):
        log.add(text[at : at + size])
    assert log.content() == text[:50] + b"\n[%d bytes left out]\n" % (len(text) - 100) + text[-50:]


def test_stderr_limit_of_zero() -> None:
    log = StreamLog(0)
    log.add(b"something")
    assert log.content() == b"\n[9 bytes left out]\n"


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (b"", {}),
        (b"[a=1]", {"a": "1"}),
        (b"[a=1]\r\n[b.c-d_2= x y ]  \n", {"a": "1", "b.c-d_2": " x y "}),
        (b"[a=1]\n[a=2]\n", {"a": "2"}),
        (b"see [a=1]\n[a=1] there\n[=1]\n[1a=1]\n[a b=1]\n[a]\n", {}),
        (b"[a=\xff<script>]\n", {"a": "\N{REPLACEMENT CHARACTER}<script>"}),
        (b"[" + b"a" * 65 + b"=1]\n[b=" + b"x" * 65 + b"]\n", {}),
    ],
)
def test_key_value_line_is_a_column(log: bytes, expected: dict[str, str]) -> None:
    assert columns(log) == expected


def test_columns_are_limited_to_32() -> None:
    log = b"".join(b"[c%d=1]\n" % number for number in range(100)) + b"[c0=2]\n"
    parsed = columns(log)
    assert (len(parsed), parsed["c0"], parsed["c31"]) == (32, "2", "1")
