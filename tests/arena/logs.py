"""Logs of matches between built-in bots with optional faults."""

from collections.abc import Mapping
from pathlib import Path

from tests.arena.bot_matches import SHORT, Faults, bots, play

from faceup.arena import MatchTerms
from faceup.arena.run.log import open_log, pack
from faceup.arena.run.pairings import ContestBot, Kind, contest
from faceup.arena.run.schedule import schedule

FOUR = ("greedy", "lowest", "highest", "random")


def write_log(
    path: Path,
    *,
    kind: Kind = "round-robin",
    blocks: int = 2,
    terms: MatchTerms = SHORT,
    names: tuple[str, ...] = FOUR,
    faults: Mapping[int, Faults] | None = None,
    log: bytes = b"",
) -> Path:
    """Write the log of a contest, with faults by match number."""
    entrants = bots(*names)
    planned = contest(kind, terms, [ContestBot(name, "1", entrants[name].player) for name in names], seed=7)
    plan = schedule(planned)
    with open_log(path, planned, list(entrants.items()), blocks=blocks) as writing:
        for number in range(blocks):
            block = plan.block(number)
            assert block is not None
            writing.add(
                pack(*play(match, terms, faults=(faults or {}).get(match.number), logs=[log] * len(names)))
                for match in block
            )
    return path
