"""Types shared by all games: seats, actions, and the frozen base classes of states, views, outcomes and events."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec

Seat: TypeAlias = int
"""A seat number, from 0."""

Action: TypeAlias = int
"""A decision as a small integer. Each game defines what the integer means, and `Rules.describe` returns it in words."""

CHANCE: Final[Seat] = -1
"""The pseudo-seat that `to_act` returns if an outcome of chance is due."""

FORFEIT: Final[Action] = -1
"""The action of a program that broke the referee's terms. It is possible only if `Rules.forfeits` is true."""

DONE: Final = 0
"""The result of `Rules.chance` if the choices so far make a complete outcome."""


class State(msgspec.Struct, frozen=True):
    """The complete state of a game: the position and the log of the current deal. Immutable and hashable."""


class View(msgspec.Struct, frozen=True):
    """What one seat, or a spectator, may know. A view has no field for another seat's secrets.

    Attributes:
        seat: the viewing seat; None for a spectator.
        to_act: the seats that decide now, or `(CHANCE,)` or `()`, as in `Rules.to_act`.
        legal: the viewing seat's legal actions, ascending; empty if the seat is not to act.
    """

    seat: Seat | None
    to_act: tuple[Seat, ...]
    legal: tuple[Action, ...]


class Outcome(msgspec.Struct, frozen=True):
    """An outcome of chance as a value, which is sampled outside the rules, recorded, and applied like a decision."""


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """A fact that follows from a move, for display and logs.

    >>> from faceup.core import SeededGenerator, draw, make
    >>> rules = make("nimmt seats=2 hand=1")
    >>> _, events = rules.apply(rules.start(), draw(rules, rules.start(), SeededGenerator(7)))
    >>> for event in events[:2]:
    ...     print(event.words(["Ann", "Bob"]), event.audience, event.is_visible_to(1))
    Ann is dealt 99. (0,) False
    Bob is dealt 92. (1,) True
    """

    @property
    def audience(self) -> tuple[Seat, ...] | None:
        """The seats that may see the event; None means everyone, including spectators."""
        return None

    def is_visible_to(self, viewer: Seat | None) -> bool:
        """Return whether a seat, or a spectator (None), may see the event."""
        return self.audience is None or viewer in self.audience

    def words(self, names: Sequence[str]) -> str:
        """Return the fact as one sentence, with the seats named by `names`."""
        raise NotImplementedError


S = TypeVar("S", bound=State)


class Step(NamedTuple, Generic[S]):
    """The result of `Rules.apply`: the next state, and the events that led to it, in order."""

    state: S
    events: tuple[Event, ...]


Move: TypeAlias = Mapping[Seat, Action]
"""A decision for each seat in `to_act`, and for no other seat."""


class Bounds(msgspec.Struct, frozen=True):
    """Bounds that hold for every complete game.

    Attributes:
        utility: the least and greatest possible utility.
        actions: the number of actions; every action is in `range(actions)`.
        decisions: the greatest possible number of joint decisions, which are the moves that are not chance.
        outcomes: the greatest possible result of `Rules.chance`.
    """

    utility: tuple[float, float]
    actions: int
    decisions: int
    outcomes: int


def win_shares(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return each seat's share of the win, which is 1/k for each of the k seats that share the first place.

    >>> win_shares((1, 3, 1, 4))
    (0.5, 0.0, 0.5, 0.0)
    """
    if not isinstance(ranks, Sequence):
        raise TypeError(f"ranks must be a list or tuple of the rank of each seat; got {ranks!r:.200}")
    first = ranks.count(1)
    return tuple(1 / first if rank == 1 else 0.0 for rank in ranks)


def places(keys: Sequence[object]) -> tuple[int, ...]:
    """Return the competition rank of each key. The smallest key has rank 1, and k equal keys share a rank.

    The k - 1 ranks after a shared rank are skipped.

    >>> places((12, 3, 12, 40))
    (2, 1, 2, 4)
    """
    order = sorted(keys)  # type: ignore[type-var]  # keys of one call compare with each other: numbers, or tuples of them
    return tuple(order.index(key) + 1 for key in keys)
