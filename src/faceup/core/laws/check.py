"""Every law on random plays of a game: drawn, shrunk and reported by Hypothesis."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from faceup.core.generator import Seeded
from faceup.core.laws import choosing, deciding, hiding, keeping, wording
from faceup.core.laws.deciding import Relabel
from faceup.core.laws.likelihood import Places, uniformity
from faceup.core.laws.plays import Law, Play, Taken, ending, random_play
from faceup.core.rules import AnyRules, Policy

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LAWS: Final[tuple[Law, ...]] = (
    deciding.legality,
    keeping.purity,
    wording.notation,
    wording.words,
    keeping.replaying,
    hiding.guessing,
    hiding.non_interference,
    deciding.bounds,
    deciding.relabelling,
    keeping.position,
    choosing.choosing,
    wording.faces,
)
"""The laws of any play; `uniformity` and `ending` are the laws of a game as a whole."""

Invariant = Callable[[AnyRules, Taken], None]
"""A game's own law: raises an `AssertionError` if a step breaks it."""


def check(
    rules: AnyRules,
    *,
    examples: int = 25,
    seed: int = 0,
    steps: int = 200,
    invariant: Invariant | None = None,
    places: Places | None = None,
    relabel: Relabel | None = deciding.unchanged,
    recall: bool = True,
) -> None:
    """Hold a game to all laws: once without forfeits and, where the rules know them, once with seats out.

    Args:
        rules: any game's; small settings are listed exactly where large ones are sampled, so check both.
        examples: how many plays Hypothesis tries; every law looks at each of them.
        seed: of all that is random; the same seed tries the same plays.
        steps: the longest play. Some plays are always played to the end.
        invariant: what else is true of every step: that cards are conserved, that scores only move as the rules say.
        places: what a hidden card's place is, where a state does not keep its cards as numbers in tuples.
        relabel: how an outcome reads with the seats renamed, where it deals to seats; None if seats are not alike.
        recall: that views forget nothing of the deal; False for a game whose views do so on purpose.

    Raises:
        AssertionError: the law that is broken, with the position in text notation.
        ImportError: Hypothesis is not installed; playing needs no laws, so it does not come with a plain install.

    >>> from faceup import make
    >>> check(make("nimmt seats=2 hand=1"), examples=1, relabel=None)
    """
    laws = [partial(law, relabel=relabel) if law is deciding.relabelling else law for law in LAWS]
    if invariant is not None:
        laws.append(_own(invariant))
    for outs in (False, True) if rules.forfeits else (False,):
        _everywhere(laws, rules, examples=examples, seed=seed, steps=steps, outs=outs)
        for lane in range(2):
            whole = ending(rules, Seeded(seed, lane), outs=outs)
            for law in (keeping.replaying, deciding.bounds, laws[-1]):
                law(rules, whole, Seeded(seed, lane))
        uniformity(rules, seed=seed, steps=steps, outs=outs, places=places, recall=recall)


def check_policy(
    rules: AnyRules,
    policy: Policy,
    *,
    name: str = "the policy",
    examples: int = 25,
    looks: int = 20,
    seed: int = 0,
    steps: int = 200,
) -> None:
    """Hold a player of a game to the law of choosing: what it plays is legal, and follows from what its seat may know.

    Args:
        rules: any that it plays.
        policy: the player. One that thinks until the clock says stop chooses otherwise each time: give it a budget that
            does not depend on time.
        name: by which a broken law calls it.
        examples: how many positions Hypothesis tries, beside those of a whole game.
        looks: at so many decisions of a whole game it is asked, the first among them.
        seed: of all that is random.
        steps: the longest play that leads to a position.

    Raises:
        AssertionError: the law that is broken, with the position in text notation.
        ImportError: Hypothesis is not installed.

    >>> from faceup import make
    >>> check_policy(make("nimmt seats=2 hand=1"), lambda rules, view, rng: view.legal[-1], examples=1)
    """
    law = partial(choosing.choosing, policies={name: policy})
    for outs in (False, True) if rules.forfeits else (False,):
        _everywhere([law], rules, examples=examples, seed=seed, steps=steps, outs=outs)
        _along(law, rules, Seeded(seed), looks=looks, outs=outs)


def _along(law: Law, rules: AnyRules, rng: Seeded, *, looks: int, outs: bool) -> None:
    """One law from the beginning of a whole game to its end, at so many decisions at most."""
    whole = ending(rules, rng, outs=outs)
    decisions = [taken.before for taken in whole.steps if isinstance(taken.move, dict)]
    for state in decisions[:: -(-len(decisions) // looks)]:
        at = Play(rules)
        at.state = state
        law(rules, at, rng)


def _own(invariant: Invariant) -> Law:
    def own(rules: AnyRules, play: Play, rng: object) -> None:  # noqa: ARG001 -- every law is called alike
        for taken in play.steps:
            invariant(rules, taken)

    return own


def _everywhere(laws: Sequence[Law], rules: AnyRules, *, examples: int, seed: int, steps: int, outs: bool) -> None:
    """These laws, each with the same dice, on plays that Hypothesis draws, of any length up to `steps`."""
    try:
        import hypothesis  # noqa: PLC0415 -- a plain install does not have it, and needs it for nothing else
    except ImportError:
        raise ImportError(
            "The laws are tried out by Hypothesis, which is not installed here: pip install hypothesis"
        ) from None
    longest = min(steps, 2 * rules.bounds.decisions + 2)
    quiet = hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        report_multiple_bugs=False,  # the first law that is broken says enough
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @hypothesis.seed(seed)
    @quiet
    @hypothesis.given(_plays(rules, longest, outs=outs), hypothesis.strategies.integers(0, 2**32))
    def holds(play: Play, dice: int) -> None:
        for law in suspects:
            try:
                law(rules, play, Seeded(dice))
            except Exception:
                suspects[:] = [law]  # from here on, the shortest play is looked for that breaks this one
                raise

    suspects = list(laws)
    holds()


def _plays(rules: AnyRules, longest: int, *, outs: bool) -> "SearchStrategy[Play]":
    from hypothesis import strategies  # noqa: PLC0415 -- as above

    @strategies.composite
    def plays(draw: Callable[..., Any]) -> Play:  # Any: a draw gives what its strategy makes
        class Drawn:
            def below(self, n: int) -> int:
                return int(draw(strategies.integers(0, n - 1))) if n > 1 else 0

        length = draw(strategies.integers(0, longest))
        return random_play(rules, Drawn(), steps=length, outs=outs)

    return plays()
