"""A log comes apart where its bot was asked, however much of its middle was left out."""

from hypothesis import given
from hypothesis import strategies as st

from faceup.arena.log_parts import parts


def kept(log: bytes, most: int) -> bytes:
    """What a referee keeps of a log: see `faceup.arena.programs`."""
    half = most // 2
    missing = len(log) - 2 * half
    if missing <= 0:
        return log
    return b"%b\n[%d bytes left out]\n%b" % (log[:half].rstrip(b"\n"), missing, log[len(log) - half :])


CHUNKS = st.lists(
    st.binary(max_size=30).map(lambda data: bytes(97 + byte % 26 for byte in data)), min_size=1, max_size=8
)


@given(CHUNKS, st.integers(2, 40))
def test_each_part_is_what_was_written_for_its_decision_as_far_as_it_was_kept(chunks: list[bytes], most: int) -> None:
    log = b"".join(chunks)
    marks = [0]
    for chunk in chunks:
        marks.append(marks[-1] + len(chunk))
    found = parts(kept(log, most), marks, most)
    assert len(found) == len(chunks)
    half = most // 2
    for part, chunk, start in zip(found, chunks, marks, strict=False):
        known = bytes(
            byte for at, byte in enumerate(chunk, start) if at < half or at >= len(log) - half or len(log) <= 2 * half
        )
        gap = b"[%d bytes left out]" % (len(log) - 2 * half)
        assert part.replace(gap, b"") == known


def test_what_came_before_the_first_decision_goes_with_it() -> None:
    assert parts(b"hello\nfirst\nsecond\n", [6, 12, 19], 100) == [b"hello\nfirst\n", b"second\n"]


def test_newlines_that_were_dropped_before_the_gap_do_no_harm() -> None:
    log = b"ab\n\n" + b"x" * 50 + b"wxyz"
    assert parts(kept(log, 8), [0, 4, 54, 58], 8)[0] == b"ab"


def test_a_log_of_which_nobody_counted_has_no_parts() -> None:
    assert parts(b"hello\n", [], 100) == []
