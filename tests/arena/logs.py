"""Logs of matches between our own players, with faults where a test wants them."""

from collections.abc import Mapping
from pathlib import Path

from tests.arena.played import SHORT, Faults, bots, play

from faceup.arena import Terms
from faceup.arena.contests import Kind, Named, contest
from faceup.arena.log import pack
from faceup.arena.log_writing import open_log
from faceup.arena.schedule import schedule

FOUR = ("greedy", "lowest", "highest", "random")


def write_log(
    path: Path,
    *,
    kind: Kind = "round-robin",
    blocks: int = 2,
    terms: Terms = SHORT,
    names: tuple[str, ...] = FOUR,
    faults: Mapping[int, Faults] | None = None,
    log: bytes = b"",
) -> Path:
    """A contest of so many blocks, with faults by the number of a match."""
    known = bots(*names)
    wanted = contest(kind, terms, [Named(name, "1", known[name].player) for name in names], seed=7)
    plan = schedule(wanted)
    with open_log(path, wanted, list(known.items()), blocks=blocks) as writing:
        for number in range(blocks):
            block = plan.block(number)
            assert block is not None
            writing.add(
                pack(*play(match, terms, faults=(faults or {}).get(match.number), logs=[log] * len(names)))
                for match in block
            )
    return path
