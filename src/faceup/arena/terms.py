"""The terms on which programs play: what is played, how they are talked to, and what they may use."""

from typing import Final

import msgspec

FIRST: Final = 1.0
TURN: Final = 0.1

MEMORY: Final = 2 << 30
"""Bytes: more than the 768 MB of the platform, since Java takes a 64th of a large machine before it plays."""

PROCESSES: Final = 128
"""Interpreters with a thread for each core of a large machine need some dozens."""


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a referee must know besides who plays.

    Attributes:
        game: game, variant and options, as `faceup.core.make` reads them.
        protocol: the name of the text protocol, as `faceup.arena.protocol` finds it.
        first: seconds for a program's first answer, counted from the last byte that it was sent.
        turn: seconds for every other answer.
        startup: seconds that a program may take to start, apart from the first answer: how much later than `first` its
            first answer may come.
        strict: pure wall clock; nothing is put down to the machine.
        grace: seconds allowed beyond each limit, whatever the reason: the platform's own is 0.05.
        stopped: whether programs are stopped between their turns, so that none thinks on another's time.
        alive: whether programs that are willing are kept from one match to the next.
        sandbox: whether they are kept from the network and from files that are not theirs.
        memory: the most bytes of writable memory that a program may have for itself, used or not; 0 is no limit.
        processes: the most processes and threads of a program, on the average of all that run; 0 is no limit.
        log: the most bytes of a program's standard error that are kept for a match.
    """

    game: str = "nimmt:arena"
    protocol: str = "codingame"
    first: float = FIRST
    turn: float = TURN
    startup: float = 0.0
    strict: bool = False
    grace: float = 0.0
    stopped: bool = False
    alive: bool = False
    sandbox: bool = False
    memory: int = MEMORY
    processes: int = PROCESSES
    log: int = 65_536
