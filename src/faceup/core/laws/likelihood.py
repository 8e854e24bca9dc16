"""Law 4 in full: each hidden deal is equally likely in a guess, exactly where all can be listed, else by chi-square."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import exp, lgamma, log
from typing import Any, Final, TypeAlias

import msgspec

from faceup.core.generator import Generator, Seeded
from faceup.core.laws.enumerating import TooMany, every
from faceup.core.laws.plays import Play, Taken, hold, onlookers, random_play, seen
from faceup.core.rules import AnyRules, draw
from faceup.core.values import FORFEIT, Outcome, Seat, State, View

LIMIT: Final = 10_000
"""So many hidden deals are listed; more are sampled."""

SAMPLES: Final = 1_000
LEAST: Final = 1e-6
"""The probability under which a chi-square speaks against a guess."""

_Spot: TypeAlias = tuple[Hashable, Hashable]

Places: TypeAlias = Callable[[View, State], Iterable[tuple[Hashable, Hashable, Hashable]]]
"""Where the hidden cards lie: (group, place, card) for each. Within a group every card may lie at every place of the
group, all equally likely; what is the same in every guess from a view may be named or not."""


def lists_of_numbers(view: View, state: State) -> Iterator[tuple[str, str, int]]:  # noqa: ARG001 -- as `Places` are
    """The `Places` of a state whose cards are numbers in tuples: each tuple of numbers alone is a place."""
    stack: list[tuple[str, Any]] = [("", msgspec.to_builtins(state))]  # Any: whatever a state is made of
    while stack:
        path, part = stack.pop()
        if isinstance(part, dict):
            stack += [(f"{path}.{name}", value) for name, value in part.items()]
        elif isinstance(part, list | tuple):
            numbers = all(type(value) is int for value in part)
            if numbers:
                yield from (("", path, value) for value in part)
            else:
                stack += [(f"{path}.{at}", value) for at, value in enumerate(part)]


def uniformity(
    rules: AnyRules,
    *,
    seed: int = 0,
    plays: int = 3,
    steps: int = 200,
    outs: bool = False,
    places: Places | None = None,
    recall: bool = True,
) -> int:
    """Each state that a view allows is equally likely in `guess`.

    Plays a few games at a fixed seed. As long as all that chance and the others may have done can be listed (at most
    10,000 cases), what each seat can know is worked out from the events it is told of: then view and events must
    tell the same, and `guess` must make exactly the states that are possible, each as likely as it is. Where only the
    guesses can be listed, they must be equally likely and the truth among them. Otherwise a thousand guesses are held
    against the equal likelihood of every hidden card at every place (chi-square, p > 1e-6); `places` says what those
    are in games where tuples of numbers do not.

    A game whose views forget on purpose (`recall=False`), such as where in a pile a card was put, allows more than the
    whole story does: then `guess` must make all states that are possible, and all that it makes must be equally likely.

    Returns:
        How many positions were listed exactly: settings small enough should give some.
    """
    listed = 0
    for number in range(plays):
        rng = Seeded(seed, lane=number)
        play = random_play(rules, rng, steps=steps, outs=outs)
        for seat in onlookers(rules):
            listed += _knowledge(rules, play, seat, recall=recall)
        depth = 1 + rng.below(len(play.steps)) if play.steps else 0
        for taken in play.steps[depth - 1 : depth]:
            for seat in (rng.below(rules.seats), None):
                _guesses(rules, taken.step.state, seat, rng, places or lists_of_numbers)
    return listed


def _knowledge(rules: AnyRules, play: Play, seat: Seat | None, *, recall: bool) -> int:
    """Follow what the seat can know from the start; the number of positions until there is too much of it to list."""
    possible = {rules.start(): Fraction(1)}
    for depth, taken in enumerate(play.steps):
        view = rules.view(taken.step.state, seat)
        if isinstance(taken.move, dict) and seat is not None and taken.move.get(seat) == FORFEIT:
            return depth  # a seat that is out decides nothing any more, and a game may let it forget what it held
        try:
            possible = _next(rules, possible, taken, seat)
            guesses = every(lambda rng: rules.guess(view, rng), LIMIT)  # noqa: B023 -- called at once
        except TooMany:
            return depth
        whole = sum(possible.values())
        likely = {state: weight / whole for state, weight in possible.items()}
        message = f"seat {seat} can be in {len(likely)} states, and its guesses are {len(guesses)} or not as likely"
        even = guesses.keys() >= likely.keys() and len(set(guesses.values())) == 1
        hold("uniformity", guesses == likely if recall else even, message, rules, taken.step.state)
    return len(play.steps)


def _next(rules: AnyRules, possible: dict[State, Fraction], taken: Taken, seat: Seat | None) -> dict[State, Fraction]:
    """The states in which the seat may be after this step, by what it is told; and that it sees as much, no more."""
    view, told = rules.view(taken.step.state, seat), seen(taken.step, seat)
    after: dict[State, Fraction] = {}
    cases = 0
    for state, weight in possible.items():
        for move, chance in _moves(rules, state, taken, seat):
            cases += 1
            if cases > LIMIT:
                raise TooMany
            step = rules.apply(state, move)
            same = (seen(step, seat) == told) == (rules.view(step.state, seat) == view)
            hold("non-interference", same, f"seat {seat} is told one thing and sees another", rules, step.state)
            if rules.view(step.state, seat) == view:
                after[step.state] = after.get(step.state, Fraction(0)) + weight * chance
    return after


def _moves(
    rules: AnyRules, state: State, taken: Taken, seat: Seat | None
) -> "Iterator[tuple[dict[Seat, int] | Outcome, Fraction]]":
    """All that can happen in a state when the seat does what it did; others may forfeit if they did."""
    if isinstance(taken.move, Outcome):
        outcomes: dict[Outcome, Fraction] = every(lambda rng: draw(rules, state, rng), LIMIT)
        yield from outcomes.items()
        return
    actual, to_act = taken.move, rules.to_act(state)
    options = [
        (actual[other],) if other == seat or actual[other] == FORFEIT else rules.legal(state, other) for other in to_act
    ]
    for actions in product(*options):
        yield dict(zip(to_act, actions, strict=True)), Fraction(1)


def _guesses(rules: AnyRules, state: State, seat: Seat | None, rng: Generator, places: Places) -> None:
    """The guesses from one view: all of them if they can be listed, else a sample."""
    view = rules.view(state, seat)
    try:
        guesses = every(lambda answers: rules.guess(view, answers), LIMIT)
    except TooMany:
        _sample(rules, state, view, rng, places)
        return
    even = len(set(guesses.values())) == 1
    hold("uniformity", even, f"the guesses of seat {seat} are not equally likely", rules, state)
    hold("uniformity", state in guesses, f"seat {seat} never guesses what is true", rules, state)


def _sample(rules: AnyRules, state: State, view: View, rng: Generator, places: Places) -> None:
    truth = _laid(places, view, state)
    samples = [_laid(places, view, rules.guess(view, rng)) for _ in range(SAMPLES)]
    counts: defaultdict[_Spot, Counter[Hashable]] = defaultdict(Counter)
    for laid in (truth, *samples):
        for spot, cards in laid.items():
            counts[spot].update(cards)
    varied = {spot: {card for card, n in count.items() if n <= SAMPLES} for spot, count in counts.items()}
    hidden: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    for (group, _), cards in varied.items():
        hidden[group] |= cards
    hold("uniformity", any(hidden.values()), f"all guesses of seat {view.seat} are alike", rules, state)
    for spot, cards in varied.items():
        group, place = spot
        if not cards:
            continue
        known = counts[spot].keys() - cards
        sizes = [len(sample.get(spot, set()) - known) for sample in samples]
        found = [counts[spot][card] - (card in truth.get(spot, set())) for card in hidden[group] - known]
        p = _as_likely(found, sizes)
        message = f"what seat {view.seat} guesses at {place} is not equally likely (p = {p:.2g})"
        hold("uniformity", p > LEAST, message, rules, state)


def _laid(places: Places, view: View, state: State) -> dict[_Spot, set[Hashable]]:
    laid: defaultdict[_Spot, set[Hashable]] = defaultdict(set)
    for group, place, card in places(view, state):
        laid[group, place].add(card)
    return laid


def _as_likely(found: list[int], sizes: list[int]) -> float:
    """How probable so uneven a count of m cards is, `sizes` of them being drawn each time without putting back.

    The counts of a draw of k vary by k(m - k)/m**2 and go together by -1/(m - 1); so the sum of squares over
    the mean variance times m/(m - 1) is a chi-square with m - 1 degrees of freedom.
    """
    m = len(found)
    if m < 2:
        return 1.0
    expected = sum(sizes) / m
    variance = sum(k * (m - k) for k in sizes) / (m * (m - 1))
    off = sum((count - expected) ** 2 for count in found)
    if variance == 0:
        return 1.0 if off == 0 else 0.0
    return chi_square_survival(off / variance, m - 1)


def chi_square_survival(x: float, freedom: int) -> float:
    """The probability that a chi-square of so many degrees of freedom exceeds x.

    Source: Press et al., "Numerical Recipes", the incomplete gamma function by its series and its continued fraction.

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
