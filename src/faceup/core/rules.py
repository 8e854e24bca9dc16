"""The protocol: what any game of simultaneous choice is, and how chance is drawn for all of them."""

from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from faceup.core.generator import Generator
from faceup.core.values import DONE, Action, Bounds, Move, Outcome, Seat, State, Step, View

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)
O = TypeVar("O", bound=Outcome)


class Rules(Protocol[S, V, O]):
    """One variant of one game for a number of seats: a frozen value without randomness, I/O or time.

    A game gives a `msgspec.Struct` with these members; its fields are the variant's parameters and options, `variant`
    and `seats` among them.
    """

    game: ClassVar[str]

    @property
    def variant(self) -> str:
        """The name of the variant."""
        ...

    @property
    def seats(self) -> int:
        """The number of seats."""
        ...

    @property
    def forfeits(self) -> bool:
        """Whether a move may hold `FORFEIT` in place of a seat's action."""
        ...

    @property
    def bounds(self) -> Bounds:
        """Bounds of utilities, actions and decisions to the end."""
        ...

    def start(self) -> S:
        """The state before anything happened; always the same."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that decide now, ascending; `(CHANCE,)` when chance is due; `()` when the game is over."""
        ...

    def legal(self, state: S, seat: Seat) -> tuple[Action, ...]:
        """The seat's legal actions, ascending; empty if it is not to act."""
        ...

    def chance(self, state: S, so_far: "list[int] | tuple[int, ...]") -> int:
        """How many equally likely choices come next after those `so_far`; `DONE` if they make a whole outcome."""
        ...

    def outcome(self, state: S, choices: "list[int] | tuple[int, ...]") -> O:
        """The outcome that these choices make. Raises `Malformed` if there are too few, too many, or one is off."""
        ...

    def choices(self, state: S, outcome: O) -> tuple[int, ...]:
        """The choices that make this outcome: the inverse of `outcome`."""
        ...

    def apply(self, state: S, move: Move | O) -> Step[S]:
        """Play the decisions of exactly the seats in `to_act`, or an outcome of chance.

        Raises `NotYours`, `NotLegal` or `Malformed`, and then nothing has changed.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """What the seat, or a spectator (None), may know; with perfect recall of the current deal."""
        ...

    def guess(self, view: V, rng: Generator) -> S:
        """A state that this view allows; what was never seen is uniform."""
        ...

    def scores(self, state: S) -> tuple[int, ...]:
        """The game's own points, per seat."""
        ...

    def ranks(self, state: S) -> tuple[int, ...]:
        """Places per seat, 1 the best; equal seats share a place."""
        ...

    def utilities(self, state: S) -> tuple[float, ...]:
        """Higher is better, within `bounds.utility`."""
        ...

    def position(self, state: S) -> S:
        """The state without its log: equal for states from which the same can follow."""
        ...

    def describe(self, what: Action | O) -> str:
        """An action or an outcome in words, e.g. "play 57"."""
        ...

    def parse(self, text: str) -> Action | O:
        """The inverse of `describe`. Raises `Malformed`."""
        ...

    def to_text(self, what: S | V) -> str:
        """A state or a view in text notation: one line, without the rules' own name (`core.notation` adds that)."""
        ...

    def from_text(self, text: str) -> S | V:
        """The inverse of `to_text`. Raises `Malformed`."""
        ...


AnyRules: TypeAlias = Rules[Any, Any, Any]  # Any: a face that plays every game cannot name one game's types
"""Rules of a game that the caller does not know."""


class Policy(Protocol):
    """A player: from what a seat may know to one of its legal actions."""

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- each game has its own
        """Choose one of `view.legal`, which is not empty."""
        ...


def draw(rules: AnyRules, state: State, rng: Generator) -> Outcome:
    """Sample the outcome that is due, from the generator's equally likely choices."""
    choices: list[int] = []
    chance, below = rules.chance, rng.below
    while (n := chance(state, choices)) != DONE:
        choices.append(below(n))
    outcome: Outcome = rules.outcome(state, choices)
    return outcome
