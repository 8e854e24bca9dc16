"""Play the matches of a schedule on a Dask cluster."""

import atexit
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from faceup.arena.match.result import Match
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.run.identity import BotFiles, install_bot
from faceup.arena.run.log import StoredMatch, pack
from faceup.arena.run.workers import set_close_on_exec
from faceup.cluster import Cluster

if TYPE_CHECKING:
    from faceup.arena.match.referee import Referee

_TOGETHER: Final = 32
"""The most matches in a task. With this many, the cost of scheduling a task is negligible."""


class ClusterPayload(msgspec.Struct, frozen=True):
    """All data that a cluster worker needs to play matches.

    Attributes:
        terms: the terms of the matches.
        bots: the bots that lineups may name.
        files: the content of each file, and whether the file is executable, by program digest and file name.
        seed: the seed of the schedule.
    """

    terms: MatchTerms
    bots: tuple[Bot, ...]
    files: Mapping[str, Mapping[str, tuple[bytes, bool]]]
    seed: int


def create_payload(terms: MatchTerms, entrants: Sequence[BotFiles], seed: int, store: Path) -> ClusterPayload:
    """Build the payload. The files are read from the copies of the programs in the folder `store` of the log."""
    files = {
        entrant.bot.digest: {name: _read(store / entrant.bot.digest[:16] / name) for name in entrant.files}
        for entrant in entrants
    }
    return ClusterPayload(terms, tuple(entrant.bot for entrant in entrants), files, seed)


def _read(path: Path) -> tuple[bytes, bool]:
    return path.read_bytes(), bool(path.stat().st_mode & 0o100)


class ClusterEngine:
    """An engine that plays on a Dask cluster. See `faceup.arena.run.engine.MatchEngine`."""

    def __init__(self, cluster: Cluster, payload: ClusterPayload) -> None:
        self._cluster = cluster
        self._payload = cluster.scatter(msgspec.msgpack.encode(payload))
        self.room = cluster.room * _TOGETHER

    def submit(self, matches: Sequence[Match]) -> None:
        """Submit matches in batches, each of which becomes a task."""
        for first in range(0, len(matches), _TOGETHER):
            self._cluster.submit(play_batch, self._payload, tuple(matches[first : first + _TOGETHER]))

    def wait(self) -> list[StoredMatch]:
        """Wait until at least one task is finished, and return the matches of all finished tasks."""
        return [match for _, finished in self._cluster.wait() for match in finished]


_PLAYING: Final = Lock()
"""Lets a worker with several threads play only one batch at a time, because a referee needs a single thread."""

_READY: Final[dict[bytes, "_Ready"]] = {}
"""The referee of the schedule that this worker plays, by the schedule's encoded payload."""


class _Ready(NamedTuple):
    """A referee with the seed of its schedule and the folder of its programs."""

    referee: "Referee"
    seed: int
    store: Path


def play_batch(encoded: bytes, matches: Sequence[Match]) -> list[StoredMatch]:
    """Play a batch of matches. This function runs in a cluster worker."""
    with _PLAYING:
        ready = _ready_referee(encoded)
        return [pack(*ready.referee.play(match, ready.seed)) for match in matches]


def _ready_referee(encoded: bytes) -> _Ready:
    """Return the referee for this payload. If there is none yet, close the last referee and install the programs."""
    from faceup.arena.match.referee import Referee  # noqa: PLC0415 -- only workers need it

    if encoded not in _READY:
        _close()
        set_close_on_exec()
        payload = msgspec.msgpack.decode(encoded, type=ClusterPayload)
        store = Path(mkdtemp(prefix="faceup-arena-"))
        bots = {
            bot.name: install_bot(_write_files(bot, payload.files[bot.digest], store), store) for bot in payload.bots
        }
        _READY[encoded] = _Ready(Referee(payload.terms, bots), payload.seed, store)
    return _READY[encoded]


def _write_files(bot: Bot, files: Mapping[str, tuple[bytes, bool]], store: Path) -> BotFiles:
    folder = store / "sent" / bot.digest[:16]
    paths = {}
    for name, (content, is_run) in files.items():
        path = paths[name] = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if is_run else 0o644)
    return BotFiles(bot, paths)


@atexit.register
def _close() -> None:
    """Close the referee of the schedule that this worker plays, and remove its programs."""
    while _READY:
        _, ready = _READY.popitem()
        ready.referee.close()
        rmtree(ready.store, ignore_errors=True)
