"""What a comparison says, in plain sentences for people and in JSON for programs."""

from typing import Any

import msgspec

from faceup.arena.differences import Comparison
from faceup.arena.matches import Cause
from faceup.arena.verdict import ERROR, Finding, Verdict
from faceup.sim.report import rounded
from faceup.statistics.sequential import Outcome
from faceup.statistics.stopping import Effect


def sentences(verdict: Verdict) -> list[str]:
    """What was found, the first sentence the answer.

    >>> from faceup.arena.verdict import Judge, sequential
    >>> print(sentences(Judge(Comparison("new", "old"), sequential()).verdict())[0])
    Nothing can be said of new and old yet: no block has been played to its end.
    """
    found = [_answer(verdict, verdict.found)]
    if verdict.found.standard and verdict.found.points:
        found.append(_interval(verdict, verdict.found.points, verdict.found.standard))
    if verdict.out:
        found.append(_out(verdict))
    if verdict.without is not None:
        blocks = _count(verdict.faulty, "block")
        found.append(f"Without the {blocks} in which somebody was put out: {_answer(verdict, verdict.without)}")
    return found


def report(verdict: Verdict) -> dict[str, Any]:  # Any: JSON
    """The verdict for JSON: its fields, and `words`, the sentences."""
    told: dict[str, Any] = msgspec.to_builtins(verdict)  # Any: as above
    return {**told, "words": " ".join(sentences(verdict))}


def _answer(verdict: Verdict, found: Finding) -> str:
    comparison = verdict.comparison
    new, base = comparison.new, comparison.base
    if not found.blocks:
        return f"Nothing can be said of {new} and {base} yet: no block has been played to its end."
    if found.points is None:
        return f"Nothing can be said of {new} and {base} yet: one block shows nothing."
    against, how = _against(comparison), _how(verdict, found)
    match found.outcome:
        case Outcome.BETTER | Outcome.WORSE as outcome:
            by = f"{_amount(found.points)} {comparison.measured}"
            return f"{new} is {outcome.value} than {base} by {by} {against} ({how})."
        case Outcome.OPEN:
            begin = f"Which of {new} and {base} is better is not decided yet"
        case Outcome.NONE:
            begin = f"No difference{_least(verdict, found)} between {new} and {base} is shown"
    return f"{begin}: {new} is {_seems(comparison, found.points)} {against} ({how})."


def _seems(comparison: Comparison, points: Effect) -> str:
    if not points.estimate and not points.half:
        return "neither better nor worse in any block"
    which = "worse" if points.estimate < 0 else "better"
    return f"{which} by {_amount(points)} {comparison.measured}"


def _how(verdict: Verdict, found: Finding) -> str:
    blocks = _count(found.blocks, "block")
    test = verdict.test
    if test is None:
        return f"at {_percent(ERROR)} after {blocks}, as many as were asked for"
    rates = f"{_percent(test.error)}/{_percent(test.miss)}"
    if found.outcome is not Outcome.OPEN:
        return f"accepted at {rates} after {blocks}"
    progress = verdict.progress
    if found is not verdict.found or progress is None:
        return f"{rates}, after {blocks}"
    return f"{rates}, after {blocks}; about {progress.expected:,} more are needed, {progress.most:,} at most"


def _least(verdict: Verdict, found: Finding) -> str:
    """How small the difference is that would have been shown."""
    if verdict.test is None or not found.spread:
        return ""
    least = verdict.test.least
    return f" of {least * found.spread:.2g} {verdict.comparison.measured} ({least:g} standard deviations) or more"


def _against(comparison: Comparison) -> str:
    return f"against {', '.join(comparison.field)}" if comparison.field else "in all seatings of the two"


def _interval(verdict: Verdict, points: Effect, standard: Effect) -> str:
    low, high = (rounded(end, points.half) for end in (points.low, points.high))
    ended = verdict.test is not None and verdict.found.outcome is not Outcome.OPEN
    stopped = ", which allows for when it stopped" if ended else ""
    return (
        f"With {_percent(points.share)} confidence the difference is between {low} and {high} "
        f"{verdict.comparison.measured}{stopped}; in standard deviations of a block it is {_signed(standard)}."
    )


def _out(verdict: Verdict) -> str:
    told = [f"{name} {_times(sum(causes.values()))} ({_causes(causes)})" for name, causes in verdict.out.items()]
    counts = (
        "is last in it"
        if verdict.comparison.unit == "match"
        else f"has the worst {verdict.comparison.points} of its block"
    )
    return f"Put out: {'; '.join(told)}. Whoever is put out of a {verdict.comparison.unit} {counts}."


def _causes(causes: dict[Cause, int]) -> str:
    return ", ".join(f"{cause.value} {count:,}" for cause, count in causes.items())


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _amount(effect: Effect) -> str:
    """How large it is, without its sign: "0.31 ± 0.12"."""
    number = rounded(abs(effect.estimate), effect.half)
    return f"{number} ± {rounded(effect.half, effect.half)}" if effect.half else number


def _signed(effect: Effect) -> str:
    return f"{'-' * (effect.estimate < 0)}{_amount(effect)}"
