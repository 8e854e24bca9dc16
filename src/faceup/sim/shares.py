"""Shares of a run: played apart, each kept in a file of its own, and joined into exactly what the whole would give."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

from faceup.core import Malformed
from faceup.sim.counts import Counts, add, nothing
from faceup.sim.run import Run

FORMAT: Final = 1


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One share of a run, as far as it has been played.

    Attributes:
        format: of the file.
        run: the whole run.
        number: which share, from 1.
        shares: of how many.
        counts: of the first games of the share; of all of them when it is complete.
        seconds: that playing them took.
    """

    format: Literal[1]
    run: Run
    number: int
    shares: int
    counts: Counts
    seconds: float

    def __post_init__(self) -> None:
        """Refuse what can be no part of a run."""
        check_part(self.number, self.shares, self.run.deals)
        played = self.counts.games
        if not 0 <= played <= self.end - self.begin:
            raise Malformed(f"a share of {self.end - self.begin} games cannot have counted {played}", where="counts")
        several = {measure.name for measure in self.run.measures.extra if measure.several}
        for name, seats in self.counts.values.items():
            sums = {sum(seat.values()) for seat in seats}
            right = sums == {played} or (name in several and len(sums) == 1 and sums.pop() % played == 0)
            if not right or any(min(seat.values()) < 1 for seat in seats):
                raise Malformed(f"the numbers of {name} are not those of {played} games", what=name, where="counts")

    @property
    def begin(self) -> int:
        """The first game of the share."""
        return self.run.deals * (self.number - 1) // self.shares

    @property
    def end(self) -> int:
        """The game after its last one."""
        return self.run.deals * self.number // self.shares

    @property
    def complete(self) -> bool:
        """Whether all of it has been played."""
        return self.counts.games == self.end - self.begin

    def more(self, counts: Counts, seconds: float) -> "Share":
        """The share when the games that follow have been counted too."""
        return msgspec.structs.replace(self, counts=add(self.counts, counts), seconds=self.seconds + seconds)


def new_share(run: Run, number: int, shares: int) -> Share:
    """A share of which nothing has been played. Raises `Malformed` if there is no such share."""
    return Share(FORMAT, run, number, shares, nothing(), 0.0)


def check_part(number: int, shares: int, deals: int) -> None:
    """Refuse a share that there is not. Raises `Malformed`."""
    if not 1 <= shares <= deals:
        raise Malformed(f"{deals} deals can be 1 to {deals} shares, not {shares}", what=shares, where="shard")
    if not 1 <= number <= shares:
        raise Malformed(
            f"shares are 1/{shares} to {shares}/{shares}, not {number}/{shares}", what=number, where="shard"
        )


def read_share(path: Path) -> Share:
    """The share in a file.

    Raises:
        Malformed: the file cannot be read, is cut short, or is no share.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Share)
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}", what=str(path), where="file") from None
    except msgspec.ValidationError as error:
        raise Malformed(f"{path} is not a share of a run: {error}", what=str(path), where="file") from None
    except msgspec.DecodeError as error:
        raise Malformed(f"{path} is cut short or not a share: {error}", what=str(path), where="file") from None


def write_share(share: Share, path: Path) -> None:
    """Keep the share, so that at every instant the file is whole: the one before or this one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(msgspec.json.encode(share) + b"\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def merge(shares: Sequence[tuple[str, Share]]) -> Share:
    """The one share that is the whole run.

    Args:
        shares: each with the name by which errors call it; in any order.

    Raises:
        Malformed: shares of different runs, one twice, one missing, or one that is not complete.
    """
    if not shares:
        raise Malformed("there are no shares to merge", where="files")
    first_name, first = shares[0]
    named: dict[int, str] = {}
    for name, share in shares:
        _check_alike(first_name, first, name, share)
        if share.number in named:
            raise Malformed(
                f"{named[share.number]} and {name} are both share {share.number}/{share.shares}", where=name
            )
        named[share.number] = name
        if not share.complete:
            raise Malformed(
                f"{name} holds {share.counts.games} of {share.end - share.begin} games: "
                "run its command again, and it goes on where it stopped",
                where=name,
            )
    if missing := [number for number in range(1, first.shares + 1) if number not in named]:
        listed = ", ".join(f"{number}/{first.shares}" for number in missing[:10])
        more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
        raise Malformed(f"not all shares are here: {listed}{more} missing", what=missing, where="files")
    whole = new_share(first.run, 1, 1)
    for _, share in sorted(shares, key=lambda pair: pair[1].number):
        whole = whole.more(share.counts, share.seconds)
    return whole


def _check_alike(first_name: str, first: Share, name: str, share: Share) -> None:
    """Raise `Malformed` unless both are of one run, divided into as many shares."""
    for field in msgspec.structs.fields(Run):
        mine, theirs = getattr(first.run, field.name), getattr(share.run, field.name)
        if mine != theirs:
            raise Malformed(
                f"{first_name} and {name} are of different runs: {field.name} is {mine} and {theirs}", where=name
            )
    if first.shares != share.shares:
        raise Malformed(
            f"{first_name} and {name} are of different runs: of {first.shares} and of {share.shares} shares",
            where=name,
        )
