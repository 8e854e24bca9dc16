"""A match as a part of a page: its end and its story in plain HTML, and all of its positions for whoever steps through.

The positions are drawn by the game itself. They are many and alike, so they stand in the page as numbers of pieces that
they share, deflated, a hundred times smaller, and a small script puts them together again. Nothing of what programs
wrote is ever part of HTML: it is escaped where it stands in the page, and set as text where the script puts it.
"""

import base64
import re
import zlib
from collections.abc import Sequence
from typing import Final

import msgspec

from faceup.arena.matches import Match, Result, Transcript
from faceup.arena.replay import Asked, Moment, Watched, names_by_seat, replay
from faceup.arena.telling import answered, cut, microseconds, shown, standing
from faceup.charts import pages
from faceup.core import AnyRules, Event, State, find_game, make
from faceup.games.svg import clean
from faceup.sim.report import ordinal

_MOST_FRAMES: Final = 240
"""Positions in one replay; the longest game of War has twenty times as many. Its beginning and its end are shown."""

_LOG: Final = 4_000
"""Characters of a bot's log that stand in the page."""

_PIECE: Final = re.compile(r"<[^<]*")
_SCOPE: Final = re.compile(r"\bfu[0-9a-f]{8}-")
"""How drawings make their ids their own: see `faceup.games.svg.page`."""

_SENT: Final = 6_000
"""Characters of what was sent for one decision that stand in the page."""


class Said(msgspec.Struct, frozen=True):
    """What one bot was sent at a position, what it answered and what it logged, for the script."""

    seat: int
    name: str
    sent: str
    answer: str
    log: str = ""
    fault: str = ""


class Frame(msgspec.Struct, frozen=True):
    """A position, what the bots said to it, and what came of that."""

    svg: str
    asked: tuple[Said, ...]
    told: str


class _Packed(msgspec.Struct, frozen=True):
    """A frame for the script, its drawing as numbers of pieces."""

    drawn: tuple[int, ...]
    asked: tuple[Said, ...]
    told: str


class _Film(msgspec.Struct, frozen=True):
    """All frames for the script, and the pieces of their drawings."""

    pieces: tuple[str, ...]
    frames: tuple[_Packed, ...]


def article(watched: Watched, *, why: str = "", opened: bool = False) -> str:
    """The match as HTML.

    Args:
        watched: the match.
        why: it is shown, in a few words.
        opened: whether it stands open.

    Raises:
        Malformed: as `faceup.arena.replay.replay`.
    """
    result, rules = watched.result, make(watched.terms.game)
    match = result.match
    names = names_by_seat(match)
    moments = list(replay(watched))
    shots = frames(moments, rules, names)
    positions, left = sum(bool(moment.asked) for moment in moments) + 1, ""
    if len(shots) < positions:
        half = _MOST_FRAMES // 2
        left = f'<p class="note">Only the first and the last {half} of {positions:,} positions are here.</p>'
    faults = "".join(
        f'<span class="word out">{pages.words(match.lineup[fault.player])} {pages.words(fault.cause)}</span>'
        for fault in result.faults
    )
    return (
        f'<details class="replay" id="match-{match.number}"{" open" if opened else ""}>'
        f'<summary><span class="lead">match {match.number}</span><span>{pages.words(standing(result))}</span>'
        f'<span class="why">{faults or pages.words(why)}</span></summary><div class="opened">'
        f'<div class="board">{shots[-1].svg}</div><div class="beside">'
        f"{left}{_seats(result, names)}{_faults(result)}"
        f"{_logs(match, watched.transcript)}{_story(moments, rules, names)}"
        f'<p class="soft">deals of block {match.block}, rotation {match.rotation}; in a terminal: '
        f"<code>faceup arena replay LOG {match.number}</code></p>"
        f'</div></div><script type="text/plain">{_packed(shots, match.number)}</script></details>'
    )


def frames(moments: Sequence[Moment], rules: AnyRules, names: Sequence[str]) -> list[Frame]:
    """Every position in which somebody was asked, and the last one; of very many, those at both ends."""
    asked: list[tuple[Moment, list[Event]]] = []
    for moment in moments:
        if moment.asked:
            asked.append((moment, []))
        if asked:
            asked[-1][1].extend(moment.events)
    if len(asked) >= _MOST_FRAMES:
        asked = asked[: _MOST_FRAMES // 2] + asked[len(asked) + 1 - _MOST_FRAMES // 2 :]
    found = [
        Frame(
            _drawn(moment.before, rules, names),
            tuple([_said(each, names) for each in moment.asked]),
            _words(told, names),
        )
        for moment, told in asked
    ]
    last = moments[-1].after if moments else rules.start()
    return [*found, Frame(_drawn(last, rules, names), (), "")]


def _said(each: Asked, names: Sequence[str]) -> Said:
    words = clean(each.fault.words) if each.fault else ""
    sent, log = cut(shown(each.sent), _SENT), cut(shown(each.log), _LOG)
    return Said(each.seat, names[each.seat], sent, answered(each.answer), log, words)


def _words(events: Sequence[Event], names: Sequence[str]) -> str:
    return " ".join(event.words(names) for event in events if event.audience is None)


def _drawn(state: State, rules: AnyRules, names: Sequence[str]) -> str:
    """The game's own drawing, every hand open; its text where it has no picture."""
    drawings = find_game(rules.game).drawings
    if "svg" in drawings:
        return pages.once(drawings["svg"](state, names=names, rules=rules))
    return f"<pre>{pages.words(drawings['text'](rules.view(state, None), names=names, rules=rules))}</pre>"


def _packed(shots: Sequence[Frame], number: int) -> str:
    """The frames for the script: JSON, deflated without a header, in base64, in which there is nothing to escape.

    A drawing begins a piece with each element, and makes its ids its own by a name that is another in every position;
    one replay shows one position at a time, so here the name is that of the match, and equal pieces are equal.
    """
    known: dict[str, int] = {}
    frames = []
    for shot in shots:
        svg = _SCOPE.sub(f"fu-match-{number}-", shot.svg)
        drawn = tuple([known.setdefault(piece, len(known)) for piece in _PIECE.findall(svg)])
        frames.append(_Packed(drawn, shot.asked, shot.told))
    film = msgspec.json.encode(_Film(tuple(known), tuple(frames)))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflate.compress(film) + deflate.flush()
    return base64.b64encode(packed).decode()


def _seats(result: Result, names: Sequence[str]) -> str:
    rows, graced = [], any(times.grace for times in result.times)
    for seat, player in enumerate(result.match.player_in):
        times = result.times[player] if result.times else None
        took = (microseconds(times.mean), microseconds(times.most)) if times and times.count else ("", "")
        granted = f"<td>{microseconds(times.grace) if times else ''}</td>" if graced else ""
        rows.append(
            f'<tr><td>{seat}</td><td class="left">{pages.words(names[seat])}</td><td>{result.scores[player]}</td>'
            f"<td>{ordinal(result.places[player])}</td><td>{took[0]}</td><td>{took[1]}</td>{granted}</tr>"
        )
    return (
        '<div class="scroll"><table><thead><tr><th>seat</th><th class="left">bot</th><th>score</th><th>place</th>'
        f"<th>mean</th><th>longest</th>{'<th>grace</th>' if graced else ''}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _faults(result: Result) -> str:
    return "".join(
        f'<p class="note"><b>{pages.words(result.match.lineup[fault.player])}</b> went out at its decision '
        f"{fault.decision}: {pages.words(cut(fault.words, 600))}</p>"
        for fault in result.faults
    )


def _logs(match: Match, transcript: Transcript) -> str:
    parts = [
        f"<h4>{pages.words(match.lineup[player])}</h4><pre>{lines(cut(shown(log), _LOG))}</pre>"
        for player, log in enumerate(transcript.logs)
        if log
    ]
    if not parts:
        return ""
    return f"<details><summary>What they wrote to their logs</summary>{''.join(parts)}</details>"


def lines(words: str) -> str:
    """Lines that were cleaned already, as they may stand in a page."""
    return "\n".join([pages.words(line) for line in words.split("\n")])


def _story(moments: Sequence[Moment], rules: AnyRules, names: Sequence[str]) -> str:
    """Every move in words; it is also what there is without the script."""
    items = []
    for moment in moments:
        said = f"<b>{_answers(moment, rules, names)}</b> " if moment.asked else ""
        items.append(f"<li>{said}{pages.words(_words(moment.events, names))}</li>")
    if len(items) > _MOST_FRAMES:
        items = [*items[: _MOST_FRAMES // 2], "<li>...</li>", *items[-_MOST_FRAMES // 2 :]]
    return f"<details><summary>Move by move, in words</summary><ol>{''.join(items)}</ol></details>"


def _answers(moment: Moment, rules: AnyRules, names: Sequence[str]) -> str:
    words = [
        f"{names[each.seat]}: {answered(each.answer) if each.fault else rules.describe(each.action)}"
        for each in moment.asked
    ]
    return pages.words("; ".join(words) + ".")
