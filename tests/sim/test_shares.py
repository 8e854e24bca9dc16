"""Shares of a run join into exactly the run, and nothing else joins."""

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from faceup.core import Malformed, make
from faceup.sim import Run, Share, add, merge, new_share, nothing, plan, play, read_share, report, write_share

RUN = plan(make("nimmt seats=3"), ["greedy", "random", "lowest"], deals=1000, seed=7)


def played(number: int, shares: int, run: Run = RUN) -> Share:
    share = new_share(run, number, shares)
    for counts in play(run, share.begin, share.end):
        share = share.more(counts, 0.0)
    return share


def all_of(shares: int) -> list[tuple[str, Share]]:
    return [(f"{number}.json", played(number, shares)) for number in range(1, shares + 1)]


@pytest.mark.parametrize("shares", [1, 2, 3, 7, 10])
def test_shares_join_into_the_bytes_of_the_whole_run_in_any_order(shares: int, tmp_path: Path) -> None:
    write_share(merge(all_of(shares)[::-1]), tmp_path / "joined.json")
    write_share(played(1, 1), tmp_path / "whole.json")
    assert (tmp_path / "joined.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
    joined = read_share(tmp_path / "joined.json")
    whole = played(1, 1)
    one, other = (msgspec.json.encode(report(share.run, share.counts, 0)) for share in (joined, whole))
    assert one == other


def test_a_share_goes_on_where_it_stopped(tmp_path: Path) -> None:
    share = new_share(RUN, 2, 3)
    begun = share
    for counts in play(RUN, share.begin, share.begin + 50):
        begun = begun.more(counts, 0.0)
    write_share(begun, tmp_path / "share.json")
    again = read_share(tmp_path / "share.json")
    assert not again.complete
    rest = nothing()
    for counts in play(RUN, again.begin + again.counts.games, again.end):
        rest = add(rest, counts)
    assert again.more(rest, 0.0) == played(2, 3)


def test_every_deal_is_in_one_share() -> None:
    for shares in (1, 3, 999, 1000):
        bounds = [(share.begin, share.end) for share in (new_share(RUN, i + 1, shares) for i in range(shares))]
        assert bounds[0][0] == 0
        assert bounds[-1][1] == 1000
        assert all(one[1] == other[0] for one, other in pairwise(bounds))


@pytest.mark.parametrize(
    ("number", "shares", "message"),
    [(0, 3, "1/3 to 3/3, not 0/3"), (4, 3, "not 4/3"), (1, 0, "not 0"), (1, 1001, "1 to 1000 shares, not 1001")],
)
def test_a_share_that_there_is_not_is_refused(number: int, shares: int, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        new_share(RUN, number, shares)


def test_shares_that_are_not_all_of_one_run_are_refused() -> None:
    three = all_of(3)
    other = [(f"o{number}.json", played(number, 3, replace(RUN, seed=8))) for number in (2, 3)]
    with pytest.raises(Malformed, match="no shares"):
        merge([])
    with pytest.raises(Malformed, match="2/3, 3/3 missing"):
        merge(three[:1])
    with pytest.raises(Malformed, match=r"1\.json and 1\.json are both share 1/3"):
        merge([*three, three[0]])
    with pytest.raises(Malformed, match=r"1\.json and o2\.json are of different runs: seed is 7 and 8"):
        merge([three[0], *other])
    with pytest.raises(Malformed, match="of 3 and of 2 shares"):
        merge([*three[:2], ("half.json", played(2, 2))])
    with pytest.raises(Malformed, match=r"2\.json holds 0 of 333 games"):
        merge([three[0], ("2.json", new_share(RUN, 2, 3)), three[2]])


def test_files_that_are_no_share_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "share.json"
    write_share(played(1, 2), path)
    whole = path.read_bytes()
    for bad, message in (
        (whole[: len(whole) // 2], "cut short"),
        (b"", "cut short"),
        (b"{}", "missing required field"),
        (whole.replace(b'"games":500', b'"games":499'), "not those of 499 games"),
        (whole.replace(b'"games":500', b'"games":501'), "cannot have counted 501"),
        (whole.replace(b'"number":1', b'"number":3'), "not 3/2"),
        (whole.replace(b'"format":1', b'"format":2'), "Invalid enum value"),
        (b"\xff\xfe", "not a share"),
    ):
        path.write_bytes(bad)
        with pytest.raises(Malformed, match=message):
            read_share(path)
    with pytest.raises(Malformed, match="cannot be read"):
        read_share(tmp_path / "none.json")
    with pytest.raises(Malformed, match="cannot be read"):
        read_share(tmp_path)
