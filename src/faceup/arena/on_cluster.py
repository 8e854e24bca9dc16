"""Playing the matches of a schedule on a Dask cluster."""

import atexit
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.identity import Entrant, settle
from faceup.arena.log import Played, pack
from faceup.arena.matches import Match
from faceup.arena.terms import Terms
from faceup.arena.workers import keep_files_to_ourselves
from faceup.cluster import Cluster

if TYPE_CHECKING:
    from faceup.arena.referee import Referee

_TOGETHER: Final = 32
"""Matches in a task, at most: enough that handing them out takes no time beside playing them."""


class Parcel(msgspec.Struct, frozen=True):
    """Everything that another machine must have to play.

    Attributes:
        terms: on which programs play.
        bots: who may be named in a lineup.
        files: of each program by its digest: what is in its own files, by the names that they have in its copy, and
            whether they are run.
        seed: from which the cards follow.
    """

    terms: Terms
    bots: tuple[Bot, ...]
    files: Mapping[str, Mapping[str, tuple[bytes, bool]]]
    seed: int


def parcel(terms: Terms, entrants: Sequence[Entrant], seed: int, store: Path) -> Parcel:
    """Take the programs from the folder in which the log keeps them."""
    files = {
        each.bot.digest: {name: _read(store / each.bot.digest[:16] / name) for name in each.files} for each in entrants
    }
    return Parcel(terms, tuple(each.bot for each in entrants), files, seed)


def _read(path: Path) -> tuple[bytes, bool]:
    return path.read_bytes(), bool(path.stat().st_mode & 0o100)


class OnCluster:
    """An engine that plays on a cluster: see `faceup.arena.run.Engine`."""

    def __init__(self, cluster: Cluster, sent: Parcel) -> None:
        self._cluster = cluster
        self._sent = cluster.hold(msgspec.msgpack.encode(sent))
        self.room = cluster.room * _TOGETHER

    def submit(self, matches: Sequence[Match]) -> None:
        """Have matches played."""
        for first in range(0, len(matches), _TOGETHER):
            self._cluster.submit(play_some, self._sent, tuple(matches[first : first + _TOGETHER]))

    def wait(self) -> list[Played]:
        """Wait until at least one task is finished, and give the matches of all that are."""
        return [each for _, some in self._cluster.wait() for each in some]


_ONE_AT_A_TIME: Final = Lock()
"""A referee is for one thread; a worker of several threads plays one match after the other."""

_READY: Final[dict[bytes, "_Ready"]] = {}
"""What plays the schedule that is being played here."""


class _Ready(NamedTuple):
    """A referee, the seed of its schedule, and the folder with its programs."""

    referee: "Referee"
    seed: int
    store: Path


def play_some(sent: bytes, matches: Sequence[Match]) -> list[Played]:
    """Play matches here: what runs in a worker of the cluster."""
    with _ONE_AT_A_TIME:
        ready = _get_ready(sent)
        return [pack(*ready.referee.play(match, ready.seed)) for match in matches]


def _get_ready(sent: bytes) -> _Ready:
    """The referee for this parcel, with its programs unpacked; that of another schedule is closed first."""
    from faceup.arena.referee import Referee  # noqa: PLC0415 -- with all that only those who play need

    if sent not in _READY:
        _close()
        keep_files_to_ourselves()
        told = msgspec.msgpack.decode(sent, type=Parcel)
        store = Path(mkdtemp(prefix="faceup-arena-"))
        bots = {bot.name: settle(_unpacked(bot, told.files[bot.digest], store), store) for bot in told.bots}
        _READY[sent] = _Ready(Referee(told.terms, bots), told.seed, store)
    return _READY[sent]


def _unpacked(bot: Bot, files: Mapping[str, tuple[bytes, bool]], store: Path) -> Entrant:
    folder = store / "sent" / bot.digest[:16]
    paths = {}
    for name, (content, is_run) in files.items():
        path = paths[name] = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o755 if is_run else 0o644)
    return Entrant(bot, paths)


@atexit.register
def _close() -> None:
    """End the bots of the schedule that was played here."""
    while _READY:
        _, ready = _READY.popitem()
        ready.referee.close()
        rmtree(ready.store, ignore_errors=True)
