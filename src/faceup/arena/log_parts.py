"""What a bot wrote to its log, decision by decision: one stream of bytes, cut where the bot was asked."""

from collections.abc import Sequence


def parts(kept: bytes, marks: Sequence[int], most: int) -> list[bytes]:
    r"""The log from each decision to the next; the first part has what came before the first decision as well.

    Args:
        kept: the log; of one that was too long, the first and the last half of what may be kept, and a line between.
        marks: how many bytes there were when each decision was asked for, and at the end; not a word if nobody counted.
        most: the most bytes that are kept, as in `Terms.log`.

    >>> parts(b"one\ntwo\nthree\n", [0, 4, 8, 14], 100)
    [b'one\n', b'two\n', b'three\n']
    >>> parts(b"abc\n[6 bytes left out]\nxyz", [0, 2, 9, 12], 6)
    [b'ab', b'c[6 bytes left out]', b'xyz']
    """
    if not marks:
        return []
    total, starts = marks[-1], [0, *marks[1:-1]]
    return [_between(kept, start, end, total, most // 2) for start, end in zip(starts, marks[1:], strict=True)]


def _between(kept: bytes, start: int, end: int, total: int, half: int) -> bytes:
    """The bytes of the whole stream from one place to another, as far as they were kept."""
    missing = total - 2 * half
    if missing <= 0:
        return kept[start:end]
    line = b"[%d bytes left out]" % missing
    stands = kept.find(b"\n%b\n" % line)
    head, tail = kept[start : min(end, half, stands)] if start < half else b"", b""
    if end > total - half:
        tail = kept[len(kept) - (total - max(start, total - half)) : len(kept) - (total - end)]
    gap = line if start < total - half and end > half else b""
    return head + gap + tail
