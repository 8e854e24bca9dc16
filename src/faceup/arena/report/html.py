"""The report of a run as one self-contained HTML page with standings, charts, forfeits and selected replays."""

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, zip_longest
from typing import Final

import msgspec
from markupsafe import Markup

from faceup.arena.match.replay import RecordedMatch
from faceup.arena.match.result import Cause, Fault, MatchResult
from faceup.arena.report.charts import (
    answer_times_chart,
    bot_counts,
    describe_cpu_credit,
    line_of,
    list_forfeits,
    matrix_shades,
    rating_axis,
    reported_columns,
    spreads,
)
from faceup.arena.report.data import ReportData
from faceup.arena.report.replay_html import match_html
from faceup.charts import output
from faceup.core import SeededGenerator
from faceup.templates import read_asset


def render_page(template: str, title: str, **values: object) -> str:
    """Return a page with the style and the script of reports, and a policy that allows no other content.

    Args:
        template: the name of a template in the folder of this module.
        title: the title of the page.
        values: the variables of the template.
    """
    policy = Markup(content_security_policy())  # noqa: S704 -- it contains no foreign text
    return output.render_page(f"arena/report/templates/{template}", title, policy=policy, **values)


@cache
def content_security_policy() -> str:
    """Return a Content-Security-Policy that allows no requests, and no script except the one of the replays."""
    digest = base64.b64encode(hashlib.sha256(read_asset("arena/report/replay_stepper.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )


class SelectedReplay(msgspec.Struct, frozen=True):
    """The result of a match that a report shows, and the reason why it was selected."""

    result: MatchResult
    reason: str


def select_replays(results: Sequence[MatchResult], seed: int, *, most_each: int) -> Iterator[SelectedReplay]:
    """Yield the most interesting matches, which are those with forfeits, the most lopsided ones, and random ones.

    No match comes twice. Matches with forfeits alternate between bots and causes, so that a bot that always fails in
    the same way leaves room for others.

    Args:
        results: all results.
        seed: seed of the random selection.
        most_each: number of matches for each of the three reasons.
    """
    shown_matches: set[int] = set()
    kinds = (
        (_forfeits(results, most_each), "a forfeit"),
        (_lopsided(results, most_each), "the most lopsided"),
        (_random(results, seed, most_each), "at random"),
    )
    for chosen_results, why in kinds:
        for result in chosen_results:
            if result.match.number not in shown_matches:
                shown_matches.add(result.match.number)
                yield SelectedReplay(result, why)


def _forfeits(results: Sequence[MatchResult], most: int) -> list[MatchResult]:
    kinds: dict[tuple[str, Cause], list[MatchResult]] = {}
    for result in results:
        for fault in result.faults:
            of_kind = kinds.setdefault((result.match.lineup[fault.player], fault.cause), [])
            if len(of_kind) < most and result not in of_kind:
                of_kind.append(result)
    turns = chain.from_iterable(zip_longest(*kinds.values()))
    by_match = {result.match.number: result for result in turns if result is not None}
    return list(by_match.values())[: max(most, len(kinds))]


def _lopsided(results: Sequence[MatchResult], most: int) -> list[MatchResult]:
    completed = [result for result in results if not result.faults]
    return sorted(completed, key=lambda result: (min(result.scores) - max(result.scores), result.match.number))[:most]


def _random(results: Sequence[MatchResult], seed: int, most: int) -> list[MatchResult]:
    left, rng = list(results), SeededGenerator(seed)
    return [left.pop(rng.below(len(left))) for _ in range(min(most, len(left)))]


MOST_BYTES: Final = 5_000_000
"""The most bytes in the page of a report, so that the page can be sent by mail and opened on a phone."""

_EACH: Final = 8
"""The number of replays for each reason of selection."""

_RESERVE: Final = 10_000
"""Bytes of the page that are reserved for the markup around the replays."""


def report(data: ReportData, *, most: int = MOST_BYTES) -> str:
    """Return the page of a report.

    Args:
        data: the data.
        most: the most bytes of the page. Replays that do not fit are left out.
    """
    chosen = list(select_replays(data.results, data.seed, most_each=_EACH))
    listed = {choice.result.match.number for choice in chosen}
    values = overview_values(data, link=lambda number: f"#match-{number}" if number in listed else "")
    bare = render_page("report.html", data.title, replays=[], **values)
    replays = list(_replays(data, chosen, most - len(bare.encode()) - _RESERVE))
    return render_page("report.html", data.title, replays=replays, **values) if replays else bare


def index_page(data: ReportData) -> str:
    """Return the page of a report that links to the match pages of a server instead of including replays."""
    values = overview_values(data, link=lambda number: f"/match/{number}")
    return render_page("report.html", data.title, **(values | {"served": True}))


def overview_values(data: ReportData, *, link: Callable[[int], str]) -> dict[str, object]:
    """Return all variables of a report's template except the replays.

    Args:
        data: the data.
        link: a function that returns the address of the match with this number; "" if there is none.
    """
    if not data.table.bots:
        return {"data": data, "served": False}
    table, counted = data.table, bot_counts(data.results)
    return {
        "data": data,
        "served": False,
        "columns": reported_columns(table),
        "axis": rating_axis(table.bots),
        "shades": matrix_shades(table),
        "spreads": spreads(table, counted, data.score, data.unit),
        "answer_times": answer_times_chart(table),
        "cpu_credit": describe_cpu_credit(table),
        "forfeits": list_forfeits(counted, lambda result, fault: _line(data, result, fault), link),
    }


def _line(data: ReportData, result: MatchResult, fault: Fault) -> bytes | None:
    transcript = data.transcript(result.match.number)
    return None if transcript is None else line_of(transcript.answers[fault.player], fault)


def _replays(data: ReportData, chosen: Sequence[SelectedReplay], room: int) -> Iterator[Markup]:
    """Yield the chosen replays that fit into `room` bytes together."""
    for choice in chosen:
        transcript = data.transcript(choice.result.match.number)
        if transcript is None:
            continue
        watched = RecordedMatch(choice.result, transcript, data.terms, data.seed, data.bots)
        made = match_html(watched, reason=choice.reason)
        if len(made.encode()) <= room:
            room -= len(made.encode())
            yield made
