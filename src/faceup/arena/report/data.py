"""The data of a report, which are computed from a log."""

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

import msgspec

from faceup.arena.match.result import MatchResult, Transcript
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.report.text import describe_verdict
from faceup.arena.run.log import Log
from faceup.arena.run.pairings import Contest
from faceup.arena.stats.standings import BotStanding, StandingsTable, select_bots, standings
from faceup.arena.stats.verdict import verdict_of
from faceup.core import find_game
from faceup.formatting import join_words, plural

_DRAWINGS: Final = 400
"""The number of bootstrap resamples for the intervals of the ratings."""

_FEW: Final = 5
"""The most bots that a title names. If there are more, only their number is shown."""


class ReportData(msgspec.Struct, frozen=True):
    """The data of a report.

    Attributes:
        title: what was played.
        summary: the result in plain sentences.
        facts: the label and the value of each key figure of the run.
        score: what the game's points are called.
        unit: "match" or "deal".
        table: the standings.
        results: the results in the order of the schedule.
        transcript: a function that returns the transcript of the match with this number; None if there is none.
        terms: the terms of the matches.
        seed: the seed of the schedule.
        bots: the bots by name.
        playing: in a league, the bots that play now.
    """

    title: str
    summary: Sequence[str]
    facts: Sequence[tuple[str, str]]
    score: str
    unit: str
    table: StandingsTable
    results: Sequence[MatchResult]
    transcript: Callable[[int], Transcript | None]
    terms: MatchTerms
    seed: int
    bots: Mapping[str, Bot]
    playing: Sequence[str] = ()


def bot_filter(contest: Contest, patterns: Sequence[str], *, playing: bool) -> Callable[[str], bool]:
    """Return a function that accepts the names of the bots to show.

    Args:
        contest: the contest.
        patterns: names, or patterns of names such as `mine*`; empty for all bots.
        playing: whether to accept only the bots that play in a league now.
    """

    def accepts(name: str) -> bool:
        matches = not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
        return matches and (not playing or name in contest.field)

    return accepts


def load_report_data(
    log: Log, *, drawings: int = _DRAWINGS, keep: Callable[[str], bool] = lambda _: True
) -> ReportData:
    """Load the data of a log's matches up to the first unfinished match.

    Args:
        log: the log.
        drawings: number of bootstrap resamples for the intervals of the ratings.
        keep: a function that accepts the names of the bots that the table contains.
    """
    contest = log.contest
    results = list(log.results())
    table = standings(results, drawings=drawings, seed=contest.seed) if results else StandingsTable(0, 0, (), ())
    return ReportData(
        title=title(contest),
        summary=summarize(log, table, results),
        facts=facts(contest, table),
        score=contest.measures.score,
        unit=contest.unit,
        table=select_bots(table, keep),
        results=results,
        transcript=log.transcript,
        terms=contest.terms,
        seed=contest.seed,
        bots=log.bots,
        playing=contest.field if contest.kind == "league" else (),
    )


def title(contest: Contest) -> str:
    """Return the title of a report, such as "6 nimmt!: a round-robin of ann, bob and cem"."""
    game, names = find_game(contest.rules.game).title, contest.names
    match contest.kind:
        case "compare":
            return f"{game}: is {names[0]} better than {names[1]}?"
        case "gauntlet":
            return f"{game}: {names[0]} against {_list_bots(names[1:])}"
    return f"{game}: a {contest.kind} of {_list_bots(names)}"


def _list_bots(names: Sequence[str]) -> str:
    return f"{len(names)} bots" if len(names) > _FEW else join_words(names)


def summarize(log: Log, table: StandingsTable, results: Sequence[MatchResult]) -> list[str]:
    """Summarize the result of a run in plain sentences."""
    if verdict := verdict_of(log, results):
        return describe_verdict(verdict)
    return [describe_leader(table.bots)] if len(table.bots) > 1 and results else []


def describe_leader(bots: Sequence[BotStanding]) -> str:
    """Describe which bot leads, and whether the lead is significant.

    Args:
        bots: two or more bots, the best first.
    """
    first, second = bots[:2]
    if round(first.rating - second.rating) == 0:
        return f"{first.name} and {second.name} are level."
    ahead = (
        f"{first.name} leads, {plural(round(first.rating - second.rating), 'point')} of rating ahead of {second.name}"
    )
    if first.interval is None or second.interval is None:
        return f"{ahead}; there are too few blocks for an interval."
    if first.interval[0] > second.interval[1]:
        return f"{ahead}, and their intervals do not overlap."
    return f"{ahead}, but their intervals overlap: the order of the two is not certain."


def facts(contest: Contest, table: StandingsTable) -> list[tuple[str, str]]:
    """Return the label and the value of each key figure of the run."""
    playing = [("playing now", join_words(contest.field))] if contest.kind == "league" else []
    return [
        *playing,
        ("played", contest.terms.game),
        ("matches" if contest.unit == "match" else "deals", f"{table.matches:,}"),
        ("blocks of equal cards", f"{table.blocks:,}"),
        ("seed", str(contest.seed)),
        ("protocol", contest.terms.protocol),
        ("time", limits(contest.terms)),
    ]


def limits(terms: MatchTerms) -> str:
    """Describe the time limits of these terms.

    >>> limits(MatchTerms()), limits(MatchTerms(strict=True, grace=0.05))
    ('1000 ms, then 100 ms an answer', '1000 ms, then 100 ms an answer, 50 ms of grace, wall-clock time')
    """
    parts = [f"{1000 * terms.first:g} ms, then {1000 * terms.turn:g} ms an answer"]
    if terms.startup:
        parts.append(f"{1000 * terms.startup:g} ms to start")
    if terms.grace:
        parts.append(f"{1000 * terms.grace:g} ms of grace")
    if terms.strict:
        parts.append("wall-clock time")
    return ", ".join(parts)
