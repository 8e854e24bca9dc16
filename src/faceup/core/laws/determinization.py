"""The law of uniformity: `guess` samples hidden deals uniformly.

The check is exact where all deals can be enumerated, and is a chi-square test elsewhere. `enumerate_outcomes` lists
everything that a random function can return, with probabilities.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain, product
from math import exp, lgamma, log, prod
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from faceup.core.generator import Generator, SeededGenerator
from faceup.core.laws.plays import Play, PlayStep, random_play, require, viewers, visible_events
from faceup.core.rules import AnyRules, draw
from faceup.core.values import FORFEIT, Outcome, Seat, State, View

T = TypeVar("T", bound=Hashable)


class TooManyOutcomesError(Exception):
    """There are more outcomes than the limit."""


class _Scripted:
    """A generator that returns the numbers in `script`, then zeros. `sizes` records the range of each draw."""

    def __init__(self, script: list[int], limit: int) -> None:
        self.script = script
        self.sizes: list[int] = []
        self.limit = limit

    def below(self, n: int) -> int:
        place = len(self.sizes)
        if place == len(self.script):
            if place == self.limit:
                raise TooManyOutcomesError
            self.script.append(0)
        self.sizes.append(n)
        return self.script[place]


@cache
def _one_in(ways: int) -> Fraction:
    return Fraction(1, ways)


def enumerate_outcomes(make: Callable[[_Scripted], T], limit: int) -> dict[T, Fraction]:
    """Return everything that `make(rng)` can return, with its probability.

    Raises:
        TooManyOutcomesError: there are more than `limit` sequences of random numbers.

    >>> enumerate_outcomes(lambda rng: rng.below(2) + rng.below(2), limit=10)
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """
    probabilities: dict[T, Fraction] = {}
    script: list[int] = []
    runs = 0
    while True:
        rng = _Scripted(script, limit)
        made = make(rng)
        ways = prod(rng.sizes)
        runs += 1
        if (runs == 1 and ways > limit) or runs > limit:
            raise TooManyOutcomesError
        weight = _one_in(ways)
        probabilities[made] = probabilities[made] + weight if made in probabilities else weight
        while script and script[-1] == rng.sizes[len(script) - 1] - 1:
            script.pop()
        if not script:
            return probabilities
        script[-1] += 1


LIMIT: Final = 10_000
"""The greatest number of hidden deals to enumerate. If there are more, they are sampled."""

SAMPLES: Final = 1_000
LEAST: Final = 1e-6
"""The law counts as broken if the p-value of a chi-square test is at most this number."""

_Spot: TypeAlias = tuple[Hashable, Hashable]

Places: TypeAlias = Callable[[View, State], Iterable[tuple[Hashable, Hashable, Hashable]]]
"""A function of a view and a state that returns (group, place, card) for each hidden card. Each card of a group must be
equally likely to be at each place of the group. The function may leave out cards that are the same in every guess."""


def number_tuples(view: View, state: State) -> Iterator[tuple[str, str, int]]:  # noqa: ARG001 -- a `Places`
    """Yield the hidden cards, as `Places` does, of a state in which each tuple of numbers is a place with cards."""
    for name in state.__struct_fields__:
        yield from _numbers(f".{name}", getattr(state, name))


@lru_cache(maxsize=1_000)  # thousands of guesses have the same public parts
def _numbers(path: str, part: Hashable) -> tuple[tuple[str, str, int], ...]:
    numbers: list[tuple[str, str, int]] = []
    stack: list[tuple[str, Any]] = [(path, msgspec.to_builtins(part))]  # Any: each game's state has its own fields
    while stack:
        path, part = stack.pop()
        if isinstance(part, dict):
            stack += [(f"{path}.{name}", value) for name, value in part.items()]
        elif isinstance(part, list | tuple):
            if all(type(value) is int for value in part):
                numbers += [("", path, value) for value in part]
            else:
                stack += [(f"{path}.{at}", value) for at, value in enumerate(part)]
    return tuple(numbers)


def uniformity(
    rules: AnyRules,
    *,
    seed: int = 0,
    plays: int = 3,
    steps: int = 200,
    outs: bool = False,
    places: Places | None = None,
    perfect_recall: bool = True,
) -> int:
    """Check that `guess` returns every state that is consistent with the view, all equally likely.

    Plays a few games with a fixed seed, and checks each position in one of three ways:

    - If everything that chance and the other seats may have done can be enumerated (at most 10,000 cases), the states
      that are possible for a seat follow from the events visible to it. The view must agree with the events, and
      `guess` must return exactly those states with their probabilities.
    - If only the guesses can be enumerated, they must be equally likely and include the true state.
    - Otherwise 1,000 guesses are tested for a uniform distribution of every hidden card over every place (chi-square,
      p > 1e-6). `places` names the cards and places if the state does not hold its cards as tuples of numbers.

    If views forget information on purpose (`perfect_recall=False`), such as the place of a card in a pile, more states
    are consistent with the view than with the events. In this case, `guess` must return at least all states that are
    possible after the events, and all states that it returns must be equally likely.

    Returns:
        The number of positions that were checked exactly, which is more than 0 for small settings.
    """
    listed = 0
    for number in range(plays):
        rng = SeededGenerator(seed, lane=number)
        play = random_play(rules, rng, steps=steps, outs=outs)
        for seat in viewers(rules):
            listed += _knowledge(rules, play, seat, perfect_recall=perfect_recall)
        depth = 1 + rng.below(len(play.steps)) if play.steps else 0
        for taken in play.steps[depth - 1 : depth]:
            for seat in (rng.below(rules.seats), None):
                _guesses(rules, taken.step.state, seat, rng, places or number_tuples)
    return listed


def _knowledge(rules: AnyRules, play: Play, seat: Seat | None, *, perfect_recall: bool) -> int:
    """Check the guesses at each position while everything possible for the seat can be enumerated.

    Returns:
        The number of positions that could be enumerated.
    """
    possible = {rules.start(): Fraction(1)}
    for depth, taken in enumerate(play.steps):
        view = rules.view(taken.step.state, seat)
        if isinstance(taken.move, dict) and seat is not None and taken.move.get(seat) == FORFEIT:
            return depth  # a seat that forfeited decides nothing further, and its view may forget its hand
        try:
            possible = _next(rules, possible, taken, seat)
            guesses = enumerate_outcomes(lambda rng: rules.guess(view, rng), LIMIT)  # noqa: B023 -- called immediately
        except TooManyOutcomesError:
            return depth
        total = sum(possible.values())
        likely = {state: weight / total for state, weight in possible.items()}
        message = f"the {len(guesses)} guesses of seat {seat} must equal its {len(likely)} possible states and weights"
        even = guesses.keys() >= likely.keys() and len(set(guesses.values())) == 1
        require("uniformity", guesses == likely if perfect_recall else even, message, rules, taken.step.state)
    return len(play.steps)


def _next(
    rules: AnyRules, possible: dict[State, Fraction], taken: PlayStep, seat: Seat | None
) -> dict[State, Fraction]:
    """Return the states that are possible after this step, and check that view and events agree."""
    view, events = rules.view(taken.step.state, seat), visible_events(taken.step, seat)
    after: dict[State, Fraction] = {}
    cases = 0
    for state, weight in possible.items():
        for move, chance in _moves(rules, state, taken, seat):
            cases += 1
            if cases > LIMIT:
                raise TooManyOutcomesError
            step = rules.apply(state, move)
            same = (visible_events(step, seat) == events) == (rules.view(step.state, seat) == view)
            require("non-interference", same, f"the view of seat {seat} differs from its events", rules, step.state)
            if rules.view(step.state, seat) == view:
                after[step.state] = after.get(step.state, Fraction(0)) + weight * chance
    return after


def _moves(
    rules: AnyRules, state: State, taken: PlayStep, seat: Seat | None
) -> "Iterator[tuple[dict[Seat, int] | Outcome, Fraction]]":
    """Yield every possible move with its probability. The seat's own action and all forfeits are those of `taken`."""
    if isinstance(taken.move, Outcome):
        outcomes: dict[Outcome, Fraction] = enumerate_outcomes(lambda rng: draw(rules, state, rng), LIMIT)
        yield from outcomes.items()
        return
    actual, to_act = taken.move, rules.to_act(state)
    options = [
        (actual[other],) if other == seat or actual[other] == FORFEIT else rules.legal(state, other) for other in to_act
    ]
    for actions in product(*options):
        yield dict(zip(to_act, actions, strict=True)), Fraction(1)


def _guesses(rules: AnyRules, state: State, seat: Seat | None, rng: Generator, places: Places) -> None:
    """Check all guesses from one view if they can be enumerated, else a sample of them."""
    view = rules.view(state, seat)
    try:
        guesses = enumerate_outcomes(lambda answers: rules.guess(view, answers), LIMIT)
    except TooManyOutcomesError:
        _sample(rules, state, view, rng, places)
        return
    even = len(set(guesses.values())) == 1
    require("uniformity", even, f"the guesses of seat {seat} are not equally likely", rules, state)
    require("uniformity", state in guesses, f"seat {seat} never guesses the true state", rules, state)


def _sample(rules: AnyRules, state: State, view: View, rng: Generator, places: Places) -> None:
    truth = dict.fromkeys(places(view, state))
    samples = [dict.fromkeys(places(view, rules.guess(view, rng))) for _ in range(SAMPLES)]
    counts = Counter(chain(truth, *samples))
    certain = {hidden_card for hidden_card, n in counts.items() if n > SAMPLES}
    certain_at: defaultdict[_Spot, set[Hashable]] = defaultdict(set)
    for group, place, card in certain:
        certain_at[group, place].add(card)
    hidden: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    spots: dict[_Spot, list[int]] = {}
    for group, place, card in counts:
        if (group, place, card) not in certain:
            hidden[group].add(card)
            spots[group, place] = []
    require("uniformity", spots, f"all guesses of seat {view.seat} are alike", rules, state)
    for sample in samples:
        sizes = Counter((group, place) for group, place, _ in sample.keys() - certain)
        for spot, numbers in spots.items():
            numbers.append(sizes[spot])
    for (group, place), numbers in spots.items():
        cards = [(group, place, card) for card in hidden[group] - certain_at[group, place]]
        p = _hypergeometric_probability([counts[card] - (card in truth) for card in cards], numbers)
        message = f"the guesses of seat {view.seat} at {place} are not equally likely (p = {p:.2g})"
        require("uniformity", p > LEAST, message, rules, state)


def _hypergeometric_probability(drawn_counts: list[int], sizes: list[int]) -> float:
    """Return the p-value of a chi-square test that every card is drawn equally often.

    `found` counts how often each of m cards was drawn, and draw number i takes `sizes[i]` of the cards without
    replacement. In a draw of k cards, each card's count has variance k(m - k)/m**2, and two cards' counts have
    correlation -1/(m - 1). So the sum of squared deviations, divided by the total variance times m/(m - 1), has a
    chi-square distribution with m - 1 degrees of freedom.
    """
    m = len(drawn_counts)
    if m < 2:
        return 1.0
    expected = sum(sizes) / m
    variance = sum(k * (m - k) for k in sizes) / (m * (m - 1))
    off = sum((count - expected) ** 2 for count in drawn_counts)
    if variance == 0:
        return 1.0 if off == 0 else 0.0
    return chi_square_survival(off / variance, m - 1)


def chi_square_survival(x: float, freedom: int) -> float:
    """Return the probability that a chi-square variable with `freedom` degrees of freedom exceeds x.

    Source: Press et al., "Numerical Recipes", which computes the incomplete gamma function by its series and its
    continued fraction.

    >>> round(chi_square_survival(3.841459, 1), 6), round(chi_square_survival(124.342, 100), 4)
    (0.05, 0.05)
    """
    a, z = freedom / 2, x / 2
    if z <= 0:
        return 1.0
    scale = exp(a * log(z) - z - lgamma(a))
    if z < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= z / n
            total += term
        return 1 - scale * total
    b = z + 1 - a
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 1000):
        b += 2
        step = i * (a - i)
        d = 1 / (step * d + b)
        c = b + step / c
        fraction *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return scale * fraction
