"""A bot, and the terms of a match, such as the game, the protocol, the limits and the sandbox."""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

import msgspec

from faceup.core.arguments import check_fields

NonNegative: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]

Seconds: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=10_000)]
"""The upper bound is more than the longest limit that the commands accept, and excludes infinity."""


class Bot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot that is ready to play, which is a program or a built-in bot.

    Attributes:
        name: the bot's name in results; `mine@2` is the second program named `mine`.
        command: the program and its arguments, run without a shell; empty for a built-in bot.
        player: name of the built-in bot for `faceup.bots.policy`, which runs inside the referee; empty for a program.
        folder: the program's working folder; empty for the referee's working folder.
        environment: environment variables in addition to the few that every program inherits.
        phase_last: whether the program reads the phase after the other lines of a decision.
        alive: whether the program can play several matches without a restart.
        digest: digest of the program and its files, which identifies this version of the program.
        output: a folder to which the program may write, named in its variable `FACEUP_OUTPUT`; empty if it has none.
    """

    name: Annotated[str, msgspec.Meta(min_length=1)]
    command: tuple[str, ...] = ()
    player: str = ""
    folder: str = ""
    environment: Mapping[str, str] = {}
    phase_last: bool = False
    alive: bool = False
    digest: str = ""
    output: str = ""

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)


FIRST: Final = 1.0
TURN: Final = 0.1

MEMORY: Final = 2 << 30
"""The default memory limit in bytes.

It is above the 768 MB of the CodinGame platform, because Java reserves a 64th of a machine's memory at its start, which
is much on a large machine.
"""

PROCESSES: Final = 128
"""The default limit on processes and threads. An interpreter that starts a thread for each core needs some dozens."""


class MatchTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The terms of a match, which are all that a referee needs to know besides the bots.

    Attributes:
        game: game, variant and options, as `faceup.core.make` reads them.
        protocol: name of the text protocol, as `faceup.arena.protocol` reads it.
        first: seconds for a program's first answer, from the last byte of the request.
        turn: seconds for every other answer.
        startup: additional seconds for the first answer, in which the program can start.
        strict: whether only wall-clock time counts, without CPU credit.
        grace: seconds by which an answer may exceed its limit; 0.05 on the CodinGame platform.
        stopped: whether programs are suspended between their turns, so that no program computes in another's time.
        alive: whether programs that can play several matches are kept alive between matches.
        sandbox: whether programs are denied the network and all files but their own and the system's.
        bubblewrap: whether bubblewrap makes the sandbox, which also hides all other files and processes.
        memory: the most bytes of private writable memory of a program, used or not; 0 is no limit.
        processes: the most processes and threads of a program, as a mean over all running programs; 0 is no limit.
        log: the most bytes of a program's stderr that are kept for a match.
    """

    game: str = "nimmt:arena"
    protocol: str = "codingame"
    first: Seconds = FIRST
    turn: Seconds = TURN
    startup: Seconds = 0.0
    strict: bool = False
    grace: Seconds = 0.0
    stopped: bool = False
    alive: bool = False
    sandbox: bool = False
    bubblewrap: bool = False
    memory: NonNegative = MEMORY
    processes: NonNegative = PROCESSES
    log: NonNegative = 65_536

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)
