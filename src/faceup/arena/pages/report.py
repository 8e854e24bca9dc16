"""A run as one page of HTML that needs nothing else: who is better, how sure that is, and what happened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.matches import Fault, Result, Transcript
from faceup.arena.pages.choosing import Choice, choices
from faceup.arena.pages.faults import faults, line_of
from faceup.arena.pages.figures import LEVELS, granted, ladder, matrix, spreads, thinking
from faceup.arena.pages.replays import article
from faceup.arena.pages.sheet import sheet
from faceup.arena.pages.tally import Tally, tallies
from faceup.arena.replay import Watched
from faceup.arena.standings import Table
from faceup.arena.terms import Terms
from faceup.charts import pages

MOST_BYTES: Final = 5_000_000
"""Of a page: what can be sent by mail and opened on a phone."""

_EACH: Final = 8
"""Replays of each kind."""

_BROAD: Final = 6
"""With more bots than these, the table of who beats whom is as broad as the page."""

_RESERVE: Final = 10_000
"""Bytes for what stands around a replay."""


class Told(msgspec.Struct, frozen=True):
    """All that a report is made of.

    Attributes:
        title: what was played.
        said: the answer, in plain sentences.
        facts: figures of the run, each with what it is.
        score: what the game's points are called.
        unit: what is played, "match" or "deal".
        table: the bots, best first.
        results: in the order of the schedule.
        transcript: of a match, by its number; None if it was not kept.
        terms: on which it was played.
        seed: of the schedule.
        bots: by name.
    """

    title: str
    said: Sequence[str]
    facts: Sequence[tuple[str, str]]
    score: str
    unit: str
    table: Table
    results: Sequence[Result]
    transcript: Callable[[int], Transcript | None]
    terms: Terms
    seed: int
    bots: Mapping[str, Bot]


def report(told: Told, *, most: int = MOST_BYTES) -> str:
    """The page.

    Args:
        told: what it tells.
        most: bytes; replays are left out so that it is no larger.
    """
    chosen = list(choices(told.results, told.seed, each=_EACH))
    shown_here = {choice.result.match.number for choice in chosen}
    before = "".join(overview(told, link=lambda number: f"#match-{number}" if number in shown_here else ""))
    legend = (
        '<h2 id="replays">Replays</h2><p class="soft">Matches in which somebody went out, the most lopsided ones, and '
        "some at random. Open one and step through it with the buttons or the arrow keys: the position with every hand "
        "open, what each bot was sent and what it answered. Every match of the log: <code>faceup arena view LOG</code>."
        "</p>"
    )
    bare = sheet(told.title, f"{before}{legend}</main>")
    shown = "".join(_replays(told, chosen, most - len(bare.encode()) - _RESERVE))
    return sheet(told.title, f"{before}{legend}{shown}</main>") if shown else bare


def overview(told: Told, *, link: Callable[[int], str]) -> Iterator[str]:
    """All but the replays; `link` says where the match of a number is shown, "" if it is not."""
    yield f"<header><h1>{pages.words(told.title)}</h1>"
    for number, sentence in enumerate(told.said):
        large = "" if number else ' class="verdict"'
        yield f"<p{large}>{pages.words(sentence)}</p>"
    facts = "".join(f"<li>{pages.words(name)} <b>{pages.words(value)}</b></li>" for name, value in told.facts)
    yield f'<ul class="facts">{facts}</ul></header><main>'
    counted = tallies(told.results)
    if not counted:
        yield "<p>No match is finished yet.</p>"
        return
    yield f"<h2>Who is better</h2>{ladder(told.table, told.score)}"
    yield (
        '<p class="soft">&#177; is half of a 95 % interval; the bar beside a rating is all of its interval. 400 points '
        "of rating are odds of ten to one to be the one ahead. wins: a shared win counts its part. out: how often "
        "a bot lost its seat.</p>"
    )
    yield f'<h2>How it came about</h2><div class="charts">{_charts(told, counted)}</div>'
    yield f"<h2>Who went out</h2>{faults(counted, lambda result, fault: _line(told, result, fault), link)}"


def _key() -> str:
    ramp = "".join(f'<i class="h{level}"></i>' for level in range(2 * LEVELS + 1))
    return (
        f'<p class="key"><span>behind</span><span class="ramp">{ramp}</span><span>ahead</span><span>per cent of '
        "the matches at one table in which the row's bot came out ahead of the column's; shared places count half"
        "</span></p>"
    )


def _charts(told: Told, counted: Mapping[str, Tally]) -> str:
    broad = " broad" if len(told.table.bots) > _BROAD else ""
    cards = [f'<div class="card{broad}"><h3>Who beats whom</h3>{matrix(told.table)}{_key()}</div>']
    cards += [f'<div class="card">{picture}</div>' for picture in spreads(told.table, counted, told.score, told.unit)]
    if picture := thinking(told.table):
        cards.append(f'<div class="card">{picture}<p class="soft">{pages.words(granted(told.table))}</p></div>')
    return "".join(cards)


def _line(told: Told, result: Result, fault: Fault) -> bytes | None:
    transcript = told.transcript(result.match.number)
    return None if transcript is None else line_of(transcript.answers[fault.player], fault)


def _replays(told: Told, chosen: Sequence[Choice], room: int) -> Iterator[str]:
    """As many as there is room for."""
    for choice in chosen:
        transcript = told.transcript(choice.result.match.number)
        if transcript is None:
            continue
        watched = Watched(choice.result, transcript, told.terms, told.seed, told.bots)
        made = pages.once(article(watched, why=choice.why))
        if len(made.encode()) <= room:
            room -= len(made.encode())
            yield made
