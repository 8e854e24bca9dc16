"""The search of the coach, and how much it searches."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from faceup.core import Malformed
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.extras import is_installed

_MOST_WORLDS: Final = 50_000_000
_MOST_SECONDS: Final = 24 * 60 * 60


class Worlds(NamedTuple):
    """Default numbers of sampled worlds for each option.

    Attributes:
        hint: for a hint.
        review: for each decision of a review.
        par: for each decision of the deals that measure par; a seat's first decision has ten times as many.
        served: the least and the most for each decision of a review on a server.
        served_total: the sum over all decisions of a review on a server.
    """

    hint: int
    review: int
    par: int
    served: tuple[int, int]
    served_total: int


_DEFAULTS: Final[Mapping[str, Worlds]] = {
    "mc": Worlds(20_000, 50_000, 400, (500, 10_000), 600_000),
    "deep": Worlds(1_000, 2_000, 20, (100, 2_000), 40_000),
}
"""By search. With them, a hint takes less than a tenth of a second, a review of a deal of four seats one or two
seconds, and one on a server less than a second."""

_WITHOUT_FAST: Final = Worlds(1_000, 400, 20, (40, 400), 6_000)
"""The same without the extra `fast`: a hint takes some tenths of a second, and a review on a server about a second."""


def default_player() -> str:
    """Return the coach's search: "deep", or "mc" without the extra `fast`.

    >>> default_player()
    'deep'
    """
    return "deep" if is_installed("fast") else "mc"


def default_worlds(player: str) -> Worlds:
    """Return the default numbers of worlds of a search; for an unknown search, those of "deep"."""
    return _DEFAULTS.get(player, _DEFAULTS["deep"]) if is_installed("fast") else _WITHOUT_FAST


class SearchBudget(msgspec.Struct, frozen=True):
    """The search budget of a review.

    Attributes:
        player: the search, "deep" or "mc"; by default `default_player()`.
        worlds: the number of worlds for each option. If it and `seconds` are None, the default number is used.
        seconds: the total time, instead of a number of worlds.
        seed: the seed of the worlds. Unless `seconds` is given, a seed always gives the same review.

    Raises:
        Malformed: both worlds and seconds are given, or a value is out of range.
    """

    player: str = msgspec.field(default_factory=default_player)
    worlds: int | None = None
    seconds: float | None = None
    seed: int = 0

    @property
    def worlds_per_option(self) -> int:
        """The number of worlds, given or default."""
        return self.worlds or default_worlds(self.player).review

    def __post_init__(self) -> None:
        if self.worlds is not None and self.seconds is not None:
            raise Malformed("a review must have a budget of worlds or of seconds; got both", where="seconds")
        if self.worlds is not None and not 2 <= self.worlds <= _MOST_WORLDS:
            raise Malformed(
                f"worlds must be 2 to {_MOST_WORLDS:,}; got {self.worlds}", what=self.worlds, where="worlds"
            )
        if self.seconds is not None and not 0 < self.seconds <= _MOST_SECONDS:
            raise Malformed(
                f"seconds must be more than 0 and at most {_MOST_SECONDS:,}; got {self.seconds:g}",
                what=self.seconds,
                where="seconds",
            )
        msgspec.structs.force_setattr(self, "seed", whole_number("a seed", self.seed, 0, LARGEST_WORD))
