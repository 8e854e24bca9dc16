"""How fast the application shows what happens, and whether it goes on by itself."""

from typing import Final, NamedTuple


class Speed(NamedTuple):
    """A named speed: its factor on every wait."""

    name: str
    factor: float


SPEEDS: Final = (Speed("slow", 2.0), Speed("usual", 1.0), Speed("fast", 0.35), Speed("at once", 0.0))


class Tempo:
    """The speed and the two switches that the player sets; one for the whole application.

    Attributes:
        auto: choose for the people here wherever there is nothing to choose: one legal action.
        paused: show nothing more until this is off again.

    >>> tempo = Tempo()
    >>> tempo.change(+1)
    >>> tempo.speed.name
    'fast'
    """

    def __init__(self, speed: str = "usual", *, auto: bool = False) -> None:
        self._index = [each.name for each in SPEEDS].index(speed)
        self.auto = auto
        self.paused = False

    @property
    def speed(self) -> Speed:
        """The speed now."""
        return SPEEDS[self._index]

    def change(self, by: int) -> None:
        """Faster (1) or slower (-1), as far as it goes."""
        self._index = min(max(self._index + by, 0), len(SPEEDS) - 1)
