"""The protocol that every game implements, and sampling of chance outcomes."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from faceup.core.arguments import check_generator, check_rules, check_sequence
from faceup.core.errors import Malformed, WrongSeatError
from faceup.core.generator import Generator
from faceup.core.values import CHANCE, DONE, Action, Bounds, Move, Outcome, Seat, State, Step, View

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)
O = TypeVar("O", bound=Outcome)


class Rules(Protocol[S, V, O]):
    """The rules of one variant for a fixed number of seats. They are immutable and use no randomness, I/O or time.

    A game implements this protocol as a `msgspec.Struct`. The fields of the Struct are the game's parameters and
    options, including `variant` and `seats`.

    >>> from faceup.core import CHANCE, SeededGenerator, make
    >>> rules = make("nimmt:cowheadking", seats=2, hand=1)
    >>> rules.variant, rules.seats, rules.forfeits, rules.bounds.actions
    ('cowheadking', 2, False, 108)
    >>> start = rules.start()
    >>> rules.to_act(start) == (CHANCE,), rules.chance(start, [])
    (True, 104)
    >>> deal = rules.parse("deal 7 44 5 6 88 29")
    >>> rules.outcome(start, rules.choices(start, deal)) == deal
    True
    >>> state, events = rules.apply(start, deal)
    >>> [rules.describe(action) for seat in rules.to_act(state) for action in rules.legal(state, seat)]
    ['play 7', 'play 44']
    >>> view = rules.view(state, 0)
    >>> rules.to_text(view)
    'view=0 sizes=1,1 hand=7 rows=5/6/88/29 opening=5,6,88,29'
    >>> rules.from_text(rules.to_text(view)) == view
    True
    >>> rules.view(rules.guess(view, SeededGenerator(1)), 0) == view
    True
    >>> state, events = rules.apply(state, {0: rules.parse("play 7"), 1: rules.parse("play 44")})
    >>> rules.to_act(state), rules.scores(state), rules.ranks(state), rules.utilities(state)
    ((), (0, 0), (1, 1), (0.0, 0.0))
    >>> rules.position(state) == state
    False
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
        """Bounds of utilities, actions, decisions and outcomes of a complete game."""
        ...

    def start(self) -> S:
        """Return the initial state, which is always the same."""
        ...

    def to_act(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that decide now, ascending, or `(CHANCE,)` if chance is due, or `()` if the game is over."""
        ...

    def legal(self, state: S, seat: Seat) -> tuple[Action, ...]:
        """Return the seat's legal actions, ascending; empty if the seat is not to act, or if there is no such seat."""
        ...

    def chance(self, state: S, so_far: "list[int] | tuple[int, ...]") -> int:
        """Return the number of equally likely next choices after those `so_far`; `DONE` if the outcome is complete."""
        ...

    def outcome(self, state: S, choices: "list[int] | tuple[int, ...]") -> O:
        """Return the outcome of these choices of chance. Raises `Malformed` if they are invalid or incomplete."""
        ...

    def choices(self, state: S, outcome: O) -> tuple[int, ...]:
        """Return the choices of chance that lead to an outcome. This is the inverse of `outcome`."""
        ...

    def apply(self, state: S, move: Move | O) -> Step[S]:
        """Apply an outcome of chance, or a move, which holds a decision for each seat in `to_act` and for no other.

        Raises `WrongSeatError`, `IllegalActionError` or `Malformed`.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> V:
        """Return what a seat, or a spectator (None), may know, including all that it has seen in the current deal.

        Raises `WrongSeatError` if there is no such seat (`faceup.core.check_seat`).
        """
        ...

    def guess(self, view: V, rng: Generator) -> S:
        """Sample one of the states that are consistent with the view, all equally likely (determinization)."""
        ...

    def scores(self, state: S) -> tuple[int, ...]:
        """Return the scores in the game's points, by seat."""
        ...

    def ranks(self, state: S) -> tuple[int, ...]:
        """Return the ranks by seat. Rank 1 is the best, and tied seats share a rank."""
        ...

    def utilities(self, state: S) -> tuple[float, ...]:
        """Return the utilities by seat, which are within `bounds.utility`. A higher utility is better."""
        ...

    def position(self, state: S) -> S:
        """Return the state without its log. The results are equal for states with the same possible continuations."""
        ...

    def describe(self, what: Action | O) -> str:
        """Return an action or an outcome in words, such as "play 57"."""
        ...

    def parse(self, text: str) -> Action | O:
        """Parse an action or an outcome from words. This is the inverse of `describe`. Raises `Malformed`."""
        ...

    def to_text(self, what: S | V) -> str:
        """Return a state or a view in text notation without the spec of the rules, which `core.notation` adds."""
        ...

    def from_text(self, text: str) -> S | V:
        """Parse a state or a view from text notation. This is the inverse of `to_text`. Raises `Malformed`."""
        ...


AnyRules: TypeAlias = Rules[Any, Any, Any]  # Any: code for every game cannot name one game's types
"""The rules of any game."""


class Policy(Protocol):
    """A bot: a function from a seat's view to one of its legal actions.

    >>> from faceup.core import SeededGenerator, read
    >>> def highest(rules, view, rng):
    ...     return view.legal[-1]
    >>> rules, view = read("nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=7,44 rows=5/6/88/29")
    >>> rules.describe(highest(rules, view, SeededGenerator(7)))
    'play 44'
    """

    def __call__(self, rules: Any, view: Any, rng: Generator) -> Action:  # noqa: ANN401 -- each game has its own types
        """Choose one of `view.legal`, which is not empty."""
        ...


def draw(rules: AnyRules, state: State, rng: Generator) -> Outcome:
    """Sample an outcome of chance in a state in which chance is due.

    Raises:
        WrongSeatError: chance is not due.

    >>> from faceup.core import SeededGenerator, make
    >>> rules = make("nimmt seats=2 hand=1")
    >>> rules.describe(draw(rules, rules.start(), SeededGenerator(7)))
    'deal 99 92 94 10 77 21'
    """
    check_rules(rules)
    check_generator(rng)
    to_act = rules.to_act(state)
    if to_act != (CHANCE,):
        raise WrongSeatError("no outcome of chance is due now", seats=(CHANCE,), to_act=to_act)
    choices: list[int] = []
    chance, below = rules.chance, rng.below
    while (n := chance(state, choices)) != DONE:
        choices.append(below(n))
    outcome: Outcome = rules.outcome(state, choices)
    return outcome


def play_game(
    rules: AnyRules, policies: Sequence[Policy], rng: Generator
) -> Iterator[tuple[dict[Seat, Action] | Outcome, Step[Any]]]:  # Any: each game has its own states
    """Play a game to its end. Yield each move, or outcome of chance, with its step.

    Args:
        rules: the rules.
        policies: the policy of each seat.
        rng: draws the outcomes of chance, and is passed to the policies.

    >>> from faceup.core import SeededGenerator, find_game, make
    >>> lowest = find_game("nimmt").policies["lowest"]
    >>> moves = [move for move, _ in play_game(make("nimmt seats=2 hand=1"), [lowest] * 2, SeededGenerator(7))]
    >>> len(moves), moves[1]
    (2, {0: 98, 1: 91})
    """
    check_rules(rules)
    check_sequence("policies", policies, "a policy for each seat")
    if len(policies) != rules.seats:
        message = f"there must be {rules.seats} policies, one for each seat; got {len(policies)}"
        raise Malformed(message, where="policies")
    state = rules.start()
    while to_act := rules.to_act(state):
        move: dict[Seat, Action] | Outcome = (
            draw(rules, state, rng)
            if to_act == (CHANCE,)
            else {seat: policies[seat](rules, rules.view(state, seat), rng) for seat in to_act}
        )
        step = rules.apply(state, move)
        yield move, step
        state = step.state
