"""Splitting of stderr by decision, also if its middle was dropped."""

from hypothesis import given
from hypothesis import strategies as st

from faceup.arena.match.replay import split_stderr


def kept(log: bytes, most: int) -> bytes:
    """Return what a referee keeps of a program's stderr."""
    half = most // 2
    missing = len(log) - 2 * half
    if missing <= 0:
        return log
    return b"%b\n[%d bytes left out]\n%b" % (log[:half].rstrip(b"\n"), missing, log[len(log) - half :])


CHUNKS = st.lists(
    st.binary(max_size=30).map(lambda data: bytes(97 + byte % 26 for byte in data)), min_size=1, max_size=8
)


@given(CHUNKS, st.integers(2, 40))
def test_stderr_parts_match_decisions(chunks: list[bytes], most: int) -> None:
    log = b"".join(chunks)
    marks = [0]
    for chunk in chunks:
        marks.append(marks[-1] + len(chunk))
    parts = split_stderr(kept(log, most), marks, most)
    assert len(parts) == len(chunks)
    half = most // 2
    for part, chunk, start in zip(parts, chunks, marks, strict=False):
        content = bytes(
            byte for at, byte in enumerate(chunk, start) if at < half or at >= len(log) - half or len(log) <= 2 * half
        )
        gap = b"[%d bytes left out]" % (len(log) - 2 * half)
        assert part.replace(gap, b"") == content


def test_stderr_before_first_decision_belongs_to_it() -> None:
    assert split_stderr(b"hello\nfirst\nsecond\n", [6, 12, 19], 100) == [b"hello\nfirst\n", b"second\n"]


def test_newlines_dropped_before_gap() -> None:
    log = b"ab\n\n" + b"x" * 50 + b"wxyz"
    assert split_stderr(kept(log, 8), [0, 4, 54, 58], 8)[0] == b"ab"


def test_stderr_without_marks_has_no_parts() -> None:
    assert split_stderr(b"hello\n", [], 100) == []
