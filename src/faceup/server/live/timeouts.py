"""Timeouts and limits of live tables."""

from typing import Final

import msgspec

SECOND: Final = 1000
MINUTE: Final = 60 * SECOND
DAY: Final = 24 * 60 * MINUTE


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Timeouts in milliseconds, unless stated otherwise. The defaults are for human players; tests override them.

    Attributes:
        think_time: minimum and maximum time that a bot waits before it chooses, so that users can follow the game. With
            (0, 0) bots choose immediately.
        bot: time after which a simple policy chooses for a bot that is due and has not chosen, with or without a clock.
            A daily deal waits, because everyone must meet the same bots.
        take_over: time after which any process may choose for a bot, if the process in charge of it has not chosen.
        lag: maximum network delay that is subtracted from the time of a choice that arrives after its deadline.
        handover: time after a deadline during which only the process that the late seat is connected to may expire the
            decision.
        reconnect: deadline extension for players who were disconnected by the server.
        stall: duration for which the event loop must be blocked to count as an outage.
        request_grace: time for which a player without a connection counts as present after each request.
        missed_turns: number of turns in a row without a choice by a person, after which everyone counts as absent at a
            table without connections. The last of these turns is not played.
        lobby: time for which a seat without a connection is kept before the game starts.
        fill: time from when the first person sits down at a quick match to when bots fill the empty seats.
        fill_grace: time for which a seat without a connection is kept at a quick match before the game starts.
        max_pause: maximum length of a pause.
        linger: time for which the streams of a finished table stay open, so that the players can start a rematch.
        abandoned: time after which a started table without players is closed.
        forgotten: time after which a table that was never started is closed.
        dormant: time after which a correspondence game is closed, started or not, if no person has done anything there.
            None of `grace`, `missed_turns`, `lobby`, `max_pause`, `abandoned` and `forgotten` applies to it.
        keep_idle: time for which a room without subscribers stays in memory.
        poll: interval at which the logs of watched tables are checked for updates by other processes.
        sweep: interval at which tables that are due are handled.
    """

    think_time: tuple[int, int] = (400, 1200)
    bot: int = 10 * SECOND
    take_over: int = 5 * SECOND
    lag: int = 1 * SECOND
    handover: int = 4 * SECOND
    reconnect: int = 10 * SECOND
    stall: int = 1 * SECOND
    request_grace: int = 30 * SECOND
    missed_turns: int = 2
    lobby: int = 5 * MINUTE
    fill: int = 10 * SECOND
    fill_grace: int = 5 * SECOND
    max_pause: int = 30 * MINUTE
    linger: int = 5 * MINUTE
    abandoned: int = 30 * MINUTE
    forgotten: int = 120 * MINUTE
    dormant: int = 30 * DAY
    keep_idle: int = 1 * MINUTE
    poll: int = 1 * SECOND
    sweep: int = 250
