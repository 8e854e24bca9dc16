"""Shares that are joined are the whole, byte for byte."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.arena.test_log import bots_of
from tests.arena.unplayed import TWO, comparison, matches, played, result

from faceup.arena.contests import Named
from faceup.arena.log import files_of, read_log
from faceup.arena.log_writing import open_log
from faceup.arena.merging import merge
from faceup.arena.schedule import Share
from faceup.core import Malformed

BLOCKS = 7


def shares_of(folder: Path, shares: int, *, backwards: bool = False) -> list[Path]:
    """A log for each share, played to the end."""
    paths = []
    for number in range(1, shares + 1):
        path = folder / f"share-{number}-of-{shares}.sqlite"
        mine = set(Share(number, shares).blocks(BLOCKS))
        order = [match for match in matches(comparison(), BLOCKS) if match.block in mine]
        with open_log(path, comparison(), bots_of(comparison()), share=Share(number, shares), blocks=BLOCKS) as log:
            for match in reversed(order) if backwards else order:
                log.add([played(match)])
        copy = files_of(path) / TWO[0].digest[:16]
        copy.mkdir()
        (copy / "bot").write_text("#!/bin/sh\n")
        paths.append(path)
    return paths


def merged(out: Path, logs: Sequence[Path]) -> bytes:
    merge(out, logs)
    return out.read_bytes()


def test_shares_are_joined_into_the_same_bytes_however_the_matches_were_spread_and_ordered(tmp_path: Path) -> None:
    one = merged(tmp_path / "one.sqlite", shares_of(tmp_path, 1))
    assert one == merged(tmp_path / "three.sqlite", shares_of(tmp_path, 3, backwards=True))
    assert one == merged(tmp_path / "five.sqlite", shares_of(tmp_path, 5)[::-1])
    with read_log(tmp_path / "three.sqlite") as log:
        assert list(log.results()) == [result(match) for match in matches(comparison(), BLOCKS)]
        assert (log.share, log.blocks) == (Share(), BLOCKS)
    assert (files_of(tmp_path / "three.sqlite") / TWO[0].digest[:16] / "bot").read_text() == "#!/bin/sh\n"


def test_a_share_that_is_missing_twice_there_or_not_complete_is_named(tmp_path: Path) -> None:
    one, two, three = shares_of(tmp_path, 3)
    out = tmp_path / "out.sqlite"
    with pytest.raises(Malformed, match="not all shares are here: 2/3 missing"):
        merge(out, [one, three])
    with pytest.raises(Malformed, match="are both share 2/3"):
        merge(out, [one, two, two])
    short = tmp_path / "short.sqlite"
    with open_log(short, comparison(), bots_of(comparison()), share=Share(2, 3), blocks=BLOCKS) as log:
        log.add(played(match) for match in matches(comparison(), 2) if match.block == 1)
    with pytest.raises(Malformed, match=r"short\.sqlite holds 14 of 28 matches: run its command again"):
        merge(out, [one, short, three])
    assert not out.exists()


def test_logs_of_different_schedules_are_refused_with_what_differs(tmp_path: Path) -> None:
    one, two = shares_of(tmp_path, 2)
    out = tmp_path / "out.sqlite"
    for name, other, message in (
        ("seed", comparison(8), "seed is 7 and 8"),
        ("program", comparison(bots=(TWO[0], Named("old", "3" * 64))), "are different programs"),
    ):
        path = tmp_path / f"{name}.sqlite"
        with open_log(path, other, bots_of(other), share=Share(2, 2), blocks=BLOCKS):
            pass
        with pytest.raises(Malformed, match=message):
            merge(out, [one, path])
    out.write_text("mine")
    with pytest.raises(Malformed, match="is there already, and is left as it is"):
        merge(out, [one, two])
    assert out.read_text() == "mine"
