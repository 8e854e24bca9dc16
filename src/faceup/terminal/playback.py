"""Playback speed and automatic play."""

from typing import Final, NamedTuple


class Speed(NamedTuple):
    """A named speed, and the factor by which it multiplies all waiting times."""

    name: str
    factor: float


SPEEDS: Final = (Speed("slow", 2.0), Speed("normal", 1.0), Speed("fast", 0.35), Speed("instant", 0.0))


class Playback:
    """The playback speed, automatic play and pause, which the player sets for the whole app.

    Attributes:
        auto: choose automatically if there is only one legal action.
        paused: stop playback.

    >>> playback = Playback()
    >>> playback.change(+1)
    >>> playback.speed.name
    'fast'
    """

    def __init__(self, speed: str = "normal") -> None:
        self._index = [option.name for option in SPEEDS].index(speed)
        self.auto = self.paused = False

    @property
    def speed(self) -> Speed:
        """Return the current speed."""
        return SPEEDS[self._index]

    def change(self, by: int) -> None:
        """Go one step faster (1) or slower (-1), unless the speed is already the fastest or slowest."""
        self._index = min(max(self._index + by, 0), len(SPEEDS) - 1)
