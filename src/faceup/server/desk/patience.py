"""How long the rooms of a server wait for what."""

from typing import Final

import msgspec

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND


class Patience(msgspec.Struct, frozen=True, kw_only=True):
    """Times, all in milliseconds. The usual ones are for people; tests and load tests have their own.

    Attributes:
        think: the least and the most that a bot lets pass before it chooses, so that it is not faster than anybody can
            look; (0, 0) is at once.
        take_over: a bot that nobody let think for so long is let think by whichever process sweeps.
        lag: the most that the way of a choice through the network counts for at a deadline.
        handover: how much longer than a deadline others wait for the process that a seat is connected to.
        reconnect: what open deadlines get on top when seats have lost their connection because of us.
        stall: a time in which this process did nothing and that counts as its own fault.
        called: a seat without a live connection is there so long after each of its calls.
        lobby: a seat without a connection at a table that has not started is kept so long.
        paused: the longest that a table stays paused.
        linger: a finished table tells of a rematch for so long.
        abandoned: a started table at which nobody was for so long is closed.
        forgotten: likewise one that was never started.
        remember: what nobody watches is kept in memory for so long.
        poll: between two looks at what other processes have added to the tables that are watched here.
        sweep: between two looks at what nobody has done.
    """

    think: tuple[int, int] = (400, 1200)
    take_over: int = 5 * SECOND
    lag: int = 1 * SECOND
    handover: int = 4 * SECOND
    reconnect: int = 10 * SECOND
    stall: int = 1 * SECOND
    called: int = 30 * SECOND
    lobby: int = 5 * MINUTE
    paused: int = 30 * MINUTE
    linger: int = 5 * MINUTE
    abandoned: int = 30 * MINUTE
    forgotten: int = 120 * MINUTE
    remember: int = 1 * MINUTE
    poll: int = 1 * SECOND
    sweep: int = 250
