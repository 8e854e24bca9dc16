"""Scores of a submission: the agent's edge and its payoff for each task, with standard errors over blocks.

The edge is (w - 1/n) / (1 - 1/n), where w is the agent's share of the wins and n the number of seats. It is 0 if the
agent wins as often as its opponents, and 1 if it wins every match. The payoff is the mean score of the opponents minus
that of the agent: the heads that the agent saves in a match.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from faceup.benchmark.definition import Benchmark, task_name
from faceup.benchmark.submission import Scores, Submission
from faceup.statistics import BlockSums, Mean


def edges(submission: Submission, benchmark: Benchmark) -> dict[str, Mean]:
    """Return the edge for each task."""
    return dict(_means(submission, benchmark, _edge))


def payoffs(submission: Submission, benchmark: Benchmark) -> dict[str, Mean]:
    """Return the payoff for each task. Matches that the agent forfeited do not count."""
    return dict(_means(submission, benchmark, _payoff))


def forfeits(submission: Submission) -> int:
    """Return the number of matches that the agent forfeited."""
    return sum(match[0] is None for matches in submission.results.values() for match in matches)


def _means(
    submission: Submission, benchmark: Benchmark, value: Callable[[Scores], Fraction | None]
) -> Iterator[tuple[str, Mean]]:
    for cell, opponent in benchmark.tasks:
        task = task_name(cell, opponent)
        sums = BlockSums()
        matches = submission.results.get(task, ())
        for first in range(0, len(matches), cell.seats):
            values = [of for match in matches[first : first + cell.seats] if (of := value(match)) is not None]
            sums = sums.plus(len(values), sum(values, Fraction())) if values else sums
        if sums.mean is not None:
            yield task, sums.mean


def _edge(match: Scores) -> Fraction:
    """Return the edge of one match.

    >>> _edge((3, 5)), _edge((5, 5)), _edge((6, 5)), _edge((None, 5))
    (Fraction(1, 1), Fraction(0, 1), Fraction(-1, 1), Fraction(-1, 1))
    """
    scores = [score for score in match if score is not None]
    won = match[0] == min(scores)
    even = Fraction(1, len(match))
    return ((Fraction(1, scores.count(min(scores))) if won else Fraction()) - even) / (1 - even)


def _payoff(match: Scores) -> Fraction | None:
    """Return the payoff of one match; None if the agent forfeited.

    >>> _payoff((3, 5, 6)), _payoff((None, 5, 6))
    (Fraction(5, 2), None)
    """
    own, *others = match
    return None if own is None else Fraction(sum(score or 0 for score in others), len(others)) - own
