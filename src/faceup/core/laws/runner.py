"""Functions that run the laws on random plays of a game, which Hypothesis draws, shrinks and reports."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from faceup.core.generator import SeededGenerator
from faceup.core.laws.determinization import Places, uniformity
from faceup.core.laws.legality import Relabel, bounds, identity_relabel, legality, symmetry
from faceup.core.laws.non_interference import determinization, non_interference
from faceup.core.laws.notation_round_trip import drawings, notation, words
from faceup.core.laws.plays import Law, Play, PlayStep, random_play, termination
from faceup.core.laws.policies import policy_legality
from faceup.core.laws.purity import position, purity, replayability
from faceup.core.rules import AnyRules, Policy

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LAWS: Final[tuple[Law, ...]] = (
    legality,
    purity,
    notation,
    words,
    determinization,
    non_interference,
    replayability,
    position,
    symmetry,
    bounds,
    policy_legality,
    drawings,
)
"""The laws that check one play, by number. The laws `uniformity` and `termination` check a game as a whole."""

Invariant = Callable[[AnyRules, PlayStep], None]
"""A law of a specific game: a function that raises an `AssertionError` if a step breaks the law."""


def check(
    rules: AnyRules,
    *,
    examples: int = 25,
    seed: int = 0,
    steps: int = 200,
    invariant: Invariant | None = None,
    places: Places | None = None,
    relabel: Relabel | None = identity_relabel,
    perfect_recall: bool = True,
) -> None:
    """Check all laws of a game without forfeits, and then also with forfeits if the rules support them.

    Args:
        rules: rules of any game. Check small settings, for which all hidden deals are enumerated, and large
            settings, for which they are sampled.
        examples: the number of plays that Hypothesis tries. Each play is checked against every law. The law
            `uniformity` checks this number of plays, too, but at most 3.
        seed: seed of all randomness. The same seed tries the same plays.
        steps: the greatest number of steps of a play. In addition, a few plays always run to the end of the game.
        invariant: a further condition on every step, for example that cards are conserved.
        places: where hidden cards can be, if the state does not hold its cards as tuples of numbers.
        relabel: translates an outcome to renamed seats, if outcomes deal cards to seats. None means that the seats are
            not interchangeable.
        perfect_recall: whether views keep everything that the seat has seen of the deal; False if they forget on
            purpose.

    Raises:
        AssertionError: a law is broken. The message starts with the law's number and name, and quotes the position.
        ImportError: Hypothesis is not installed; it is not among faceup's dependencies.

    >>> from faceup import make
    >>> check(make("nimmt seats=2 hand=1"), examples=1, relabel=None)
    """
    laws = [partial(law, relabel=relabel) if law is symmetry else law for law in LAWS]
    if invariant is not None:
        laws.append(_invariant_law(invariant))
    for outs in (False, True) if rules.forfeits else (False,):
        _run_laws(laws, rules, examples=examples, seed=seed, steps=steps, outs=outs)
        for lane in range(2):
            complete = termination(rules, SeededGenerator(seed, lane), outs=outs)
            for law in (replayability, bounds, laws[-1]):
                law(rules, complete, SeededGenerator(seed, lane))
        uniformity(
            rules,
            seed=seed,
            plays=min(examples, 3),
            steps=steps,
            outs=outs,
            places=places,
            perfect_recall=perfect_recall,
        )


def check_policy(
    rules: AnyRules,
    policy: Policy,
    *,
    name: str = "the policy",
    examples: int = 25,
    max_decisions: int = 20,
    seed: int = 0,
    steps: int = 200,
) -> None:
    """Check the law of policy legality for one policy: its choices must be legal and depend only on its seat's view.

    Args:
        rules: rules of a game that the policy can play.
        policy: the policy. A search must have a fixed budget, since a search that is limited by time is not
            reproducible.
        name: the policy's name in error messages.
        examples: the number of positions that Hypothesis tries, in addition to positions of one complete game.
        max_decisions: the greatest number of positions of the complete game to check. They are evenly spaced and
            include the first decision.
        seed: seed of all randomness.
        steps: the greatest number of steps of a play that leads to a position.

    Raises:
        AssertionError: the law is broken. The message quotes the position in text notation.
        ImportError: Hypothesis is not installed.

    >>> from faceup import make
    >>> check_policy(make("nimmt seats=2 hand=1"), lambda rules, view, rng: view.legal[-1], examples=1)
    """
    law = partial(policy_legality, policies={name: policy})
    for outs in (False, True) if rules.forfeits else (False,):
        _run_laws([law], rules, examples=examples, seed=seed, steps=steps, outs=outs)
        _run_law(law, rules, SeededGenerator(seed), max_decisions=max_decisions, outs=outs)


def _run_law(law: Law, rules: AnyRules, rng: SeededGenerator, *, max_decisions: int, outs: bool) -> None:
    """Check a law at `max_decisions` evenly spaced decisions of one complete game."""
    complete = termination(rules, rng, outs=outs)
    decisions = [taken.before for taken in complete.steps if isinstance(taken.move, dict)]
    for state in decisions[:: -(-len(decisions) // max_decisions)]:
        at = Play(rules)
        at.state = state
        law(rules, at, rng)


def _invariant_law(invariant: Invariant) -> Law:
    def law(rules: AnyRules, play: Play, rng: object) -> None:  # noqa: ARG001 -- the signature of every law
        for taken in play.steps:
            invariant(rules, taken)

    return law


def _run_laws(laws: Sequence[Law], rules: AnyRules, *, examples: int, seed: int, steps: int, outs: bool) -> None:
    """Check the laws on plays of up to `steps` steps that Hypothesis draws. All laws of a play get equal generators."""
    try:
        import hypothesis  # noqa: PLC0415 -- an optional dependency, used only here
    except ImportError:
        raise ImportError("The laws need Hypothesis, which is not installed: pip install hypothesis") from None
    longest = min(steps, 2 * rules.bounds.decisions + 2)
    quiet = hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        report_multiple_bugs=False,  # report only the first broken law
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),  # the law itself explains the failure
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    @hypothesis.seed(seed)
    @quiet
    @hypothesis.given(_plays(rules, longest, outs=outs), hypothesis.strategies.integers(0, 2**32))
    def holds(play: Play, dice: int) -> None:
        for law in suspects:
            try:
                law(rules, play, SeededGenerator(dice))
            except Exception:
                suspects[:] = [law]  # shrink to the shortest play that breaks this law
                raise

    suspects = list(laws)
    holds()


def _plays(rules: AnyRules, longest: int, *, outs: bool) -> "SearchStrategy[Play]":
    from hypothesis import strategies  # noqa: PLC0415 -- as above

    @strategies.composite
    def plays(draw: Callable[..., Any]) -> Play:  # Any: a draw has the type of its strategy
        class Drawn:
            def below(self, n: int) -> int:
                return int(draw(strategies.integers(0, n - 1))) if n > 1 else 0

        length = draw(strategies.integers(0, longest))
        return random_play(rules, Drawn(), steps=length, outs=outs)

    return plays()
