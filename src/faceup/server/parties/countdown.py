"""The countdown to the next game of a party: one tap starts it, and everyone who is there gets a seat at its end.

A member is there who has asked for the party since the countdown started, as every open page does. So a phone that
sleeps gets no seat and holds up no game. A countdown that no page follows to its end starts nothing.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from faceup.server.rooms import TableConfig

COUNTDOWN: Final = 8_000
"""Milliseconds from the tap to the game."""

EXPIRES: Final = 20_000
"""Milliseconds after its end at which a countdown that has started no game is void."""


class Countdown(msgspec.Struct, frozen=True, kw_only=True):
    """A countdown to the next game.

    Attributes:
        by: the handle of the member who started it.
        room: the table of the party that the member saw; None before the first one.
        config: the settings of the game.
        started_at: when it was started, in milliseconds since 1970.
        out: the handles of the members who do not want to play this game.
    """

    by: str
    room: str | None
    config: TableConfig
    started_at: int
    out: tuple[str, ...] = ()

    @property
    def ends_at(self) -> int:
        """When the game starts, in milliseconds since 1970."""
        return self.started_at + COUNTDOWN

    def is_running(self, room: str | None, now: int) -> bool:
        """Return whether it still counts for a party with this table."""
        return self.room == room and now < self.ends_at + EXPIRES


def seating(players: Sequence[str], last: Sequence[str], most: int) -> tuple[str, ...]:
    """Return who gets a seat at the next table, in the order of its seats.

    Everyone keeps the seat of the last table, and others follow. If there are more players than seats, those without a
    seat at the last table come first, so that everyone plays in turn.

    >>> seating(["ann", "bo", "cy"], ["cy", "bo"], 10)
    ('cy', 'bo', 'ann')
    >>> seating(["ann", "bo", "cy"], ["ann", "bo"], 2)
    ('cy', 'ann')
    """
    kept = [handle for handle in last if handle in players]
    new = [handle for handle in players if handle not in kept]
    return tuple((kept + new if len(players) <= most else new + kept)[:most])
