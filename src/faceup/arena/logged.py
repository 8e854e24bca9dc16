"""What a log tells, put together for a report."""

from collections.abc import Sequence
from typing import Final

from faceup.arena.comparing import compared
from faceup.arena.contests import Contest
from faceup.arena.log import Log
from faceup.arena.matches import Result
from faceup.arena.pages import Told
from faceup.arena.sentences import sentences
from faceup.arena.standings import Standing, Table, standings
from faceup.arena.terms import Terms
from faceup.arena.verdict import verdict
from faceup.core import find_game

_DRAWINGS: Final = 400
"""Drawings of the blocks for the intervals of the ratings."""

_FEW: Final = 5
"""So many bots are named; more are counted."""


def told(log: Log, *, drawings: int = _DRAWINGS) -> Told:
    """What there is to say of a log now: of its matches up to the first that is not finished."""
    contest = log.contest
    results = list(log.results())
    table = standings(results, drawings=drawings, seed=contest.seed) if results else Table(0, 0, (), ())
    return Told(
        title=title(contest),
        said=said(log, table, results),
        facts=facts(contest, table),
        score=contest.measures.score,
        unit=contest.unit,
        table=table,
        results=results,
        transcript=log.transcript,
        terms=contest.terms,
        seed=contest.seed,
        bots=log.bots,
    )


def title(contest: Contest) -> str:
    """What was played: "6 nimmt!: a round-robin of ann, bob and cem"."""
    game, names = find_game(contest.rules.game).title, contest.names
    match contest.kind:
        case "compare":
            return f"{game}: is {names[0]} better than {names[1]}?"
        case "gauntlet":
            return f"{game}: {names[0]} against {_listed(names[1:])}"
    return f"{game}: a {contest.kind} of {_listed(names)}"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _FEW:
        return f"{len(names)} bots"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def said(log: Log, table: Table, results: Sequence[Result]) -> list[str]:
    """The answer in plain sentences."""
    if log.contest.kind == "compare":
        return sentences(verdict(compared(log.contest), log.test, results))
    return [leading(table.bots)] if len(table.bots) > 1 and results else []


def leading(bots: Sequence[Standing]) -> str:
    """Who leads, and whether that is settled.

    Args:
        bots: the best rating first, two at least.
    """
    first, second = bots[:2]
    if round(first.rating - second.rating) == 0:
        return f"{first.name} and {second.name} are level."
    ahead = f"{first.name} leads, {first.rating - second.rating:.0f} points of rating ahead of {second.name}"
    if first.interval is None or second.interval is None:
        return f"{ahead}; there are too few blocks to say how sure that is."
    if first.interval[0] > second.interval[1]:
        return f"{ahead}, and their intervals do not meet."
    return f"{ahead}; their intervals overlap, so that the order of the two is not settled."


def facts(contest: Contest, table: Table) -> list[tuple[str, str]]:
    """Figures of the run."""
    return [
        ("played", contest.terms.game),
        ("matches" if contest.unit == "match" else "deals", f"{table.matches:,}"),
        ("blocks of equal cards", f"{table.blocks:,}"),
        ("seed", str(contest.seed)),
        ("protocol", contest.terms.protocol),
        ("time", limits(contest.terms)),
    ]


def limits(terms: Terms) -> str:
    """The limits of time in words.

    >>> limits(Terms()), limits(Terms(strict=True, grace=0.05))
    ('1000 ms, then 100 ms an answer', '1000 ms, then 100 ms an answer, 50 ms more allowed, by the wall clock')
    """
    told = [f"{1000 * terms.first:g} ms, then {1000 * terms.turn:g} ms an answer"]
    if terms.startup:
        told.append(f"{1000 * terms.startup:g} ms to start")
    if terms.grace:
        told.append(f"{1000 * terms.grace:g} ms more allowed")
    if terms.strict:
        told.append("by the wall clock")
    return ", ".join(told)
