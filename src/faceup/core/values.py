"""The words that every game shares: seats, actions, and the frozen values that games build on."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

Seat: TypeAlias = int
"""A place at the table, counted from 0."""

Action: TypeAlias = int
"""A decision as a dense small integer, its meaning fixed per game (`Rules.describe` says it in words)."""

CHANCE: Final[Seat] = -1
"""The one that `to_act` names when an outcome of chance is due."""

FORFEIT: Final[Action] = -1
"""Stands in a move for a program that broke the referee's terms, where `Rules.forfeits`."""

DONE: Final = 0
"""What `Rules.chance` answers when the choices so far make a whole outcome."""


class State(msgspec.Struct, frozen=True):
    """The whole truth of a game: the position and the public log of the current deal. Immutable and hashable."""


class View(msgspec.Struct, frozen=True):
    """What one seat, or a spectator (`seat` is None), may know; no field of it can hold a secret of anybody else.

    Attributes:
        seat: whose view it is.
        to_act: the seats whose decision is awaited; `(CHANCE,)` or `()` as in `Rules.to_act`.
        legal: this seat's legal actions, ascending; empty if it is not to act.
    """

    seat: Seat | None
    to_act: tuple[Seat, ...]
    legal: tuple[Action, ...]


class Outcome(msgspec.Struct, frozen=True):
    """What chance did, as data: sampled outside the rules, recorded, and applied like a choice."""


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """A fact that follows from a move, for showing and for logs."""

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may know of it; None is everybody, spectators included."""
        return None

    def heard_by(self, viewer: Seat | None) -> bool:
        """Whether the seat, or a spectator (None), may know of it."""
        return self.audience is None or viewer in self.audience

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence, with `names[seat]` for the seats."""
        raise NotImplementedError


S = TypeVar("S", bound=State)


class Step(NamedTuple, Generic[S]):
    """What `Rules.apply` gives back: the next state, and the events on the way to it, in order."""

    state: S
    events: tuple[Event, ...]


Move: TypeAlias = Mapping[Seat, Action]
"""The decisions of exactly the seats in `to_act`."""


class Bounds(msgspec.Struct, frozen=True):
    """What can be said of a whole game beforehand.

    Attributes:
        utility: the least and the greatest that `Rules.utilities` can be.
        actions: every action is one of `range(actions)`.
        decisions: no game asks for more joint decisions (moves that are not chance) than this.
        outcomes: no choice of chance is among more than this (`Rules.chance`).
    """

    utility: tuple[float, float]
    actions: int
    decisions: int
    outcomes: int


def win_shares(ranks: Sequence[int]) -> tuple[float, ...]:
    """Each seat's part in the win: 1/k for each of the k seats that share first place.

    >>> win_shares((1, 3, 1, 4))
    (0.5, 0.0, 0.5, 0.0)
    """
    first = ranks.count(1)
    return tuple(1 / first if rank == 1 else 0.0 for rank in ranks)


def places(keys: Sequence[object]) -> tuple[int, ...]:
    """The place of each seat when the smaller key is the better one; equal keys share a place and use up the next.

    >>> places((12, 3, 12, 40))
    (2, 1, 2, 4)
    """
    order = sorted(keys)  # type: ignore[type-var]  # keys of one call compare with each other: numbers, or tuples of them
    return tuple(order.index(key) + 1 for key in keys)
