"""A match played again, in words: for a terminal, move by move, and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from faceup.arena.bots import Bot
from faceup.arena.matches import Match, Result, Transcript
from faceup.arena.replay import Asked, Moment, names_by_seat
from faceup.arena.rerun import Answers, Asks, Ended, Extra, Heard, Logs
from faceup.arena.telling import answered, microseconds, shown
from faceup.arena.terms import Terms
from faceup.core import FORFEIT, AnyRules, Malformed
from faceup.games.svg import clean
from faceup.sim.report import ordinal

_SENT: Final = "  → "
_ANSWERED: Final = "  ← "
_LOGGED: Final = "  ! "


def player_of(match: Match, word: str) -> int:
    """The player that a number of the lineup or a bot's name means.

    Raises:
        Malformed: there is none, or there are several.

    >>> player_of(Match(0, 0, ("ann", "bob"), 0), "bob"), player_of(Match(0, 0, ("ann", "bob"), 0), "0")
    (1, 0)
    """
    told = ", ".join(f"{player} {name}" for player, name in enumerate(match.lineup))
    if word.isascii() and word.isdecimal() and len(word) < 6 and int(word) < len(match.lineup):
        return int(word)
    found = [player for player, name in enumerate(match.lineup) if name == word]
    if len(found) > 1:
        raise Malformed(f"{word} sits in several seats of match {match.number}: give a number; {told}", what=word)
    if not found:
        raise Malformed(f"match {match.number} has no bot {word!r}: there are {told}", what=word)
    return found[0]


def head(result: Result, terms: Terms, seed: int) -> Iterator[Text]:
    """Which match it is, and how it ended."""
    match = result.match
    yield Text.assemble(
        (f"match {match.number}", "bold"),
        f"  {terms.game}, block {match.block}, rotation {match.rotation}, seed {seed}",
    )
    names = names_by_seat(match)
    width = max(map(len, names))
    for seat, player in enumerate(match.player_in):
        told = Text(f"  player {player} in seat {seat}  ")
        told.append(names[seat].ljust(width), "bold")
        told.append(f"  {result.scores[player]:>4}, {ordinal(result.places[player])}")
        if result.times and result.times[player].count:
            times = result.times[player]
            told.append(f"   {microseconds(times.mean)} an answer, {microseconds(times.most)} at most", "dim")
        yield told
    for fault in result.faults:
        words = f"{match.lineup[fault.player]} went out at its decision {fault.decision}: {fault.words}"
        yield Text(f"  {clean(words)}", "red")


def moment_words(
    number: int, moment: Moment, rules: AnyRules, names: Sequence[str], only: int | None = None
) -> Iterator[Text]:
    """One move: what each was sent and answered, and what came of it.

    Args:
        number: of the move, from 0.
        moment: the move.
        rules: of the match.
        names: by seat.
        only: the one player whose decisions are shown; all if None.
    """
    asked = [each for each in moment.asked if only is None or each.player == only]
    if asked or only is None:
        yield Text(f"── {number} ".ljust(64, "─"), "dim")
    for each in asked:
        yield from _asked(each, rules, names)
    for event in moment.events if only is None else ():
        if event.audience is None:
            yield Text(f"  {event.words(names)}", "cyan")


def _asked(each: Asked, rules: AnyRules, names: Sequence[str]) -> Iterator[Text]:
    yield Text.assemble((names[each.seat], "bold"), (f"  seat {each.seat}, its decision {each.decision}", "dim"))
    yield from _lines(_SENT, each.sent.removesuffix(b"\n"), "dim")
    if each.log:
        yield from _lines(_LOGGED, each.log.removesuffix(b"\n"), "yellow")
    if each.fault is not None:
        yield Text(f"{_ANSWERED}{answered(each.answer)}", "bold red")
        yield Text(f"    {each.fault.cause}: {clean(each.fault.words)}", "red")
        return
    read = f"   {rules.describe(each.action)}" if each.action != FORFEIT else ""
    yield Text.assemble((f"{_ANSWERED}{answered(each.answer)}", "bold green"), (read, "dim"))


def _lines(sign: str, written: bytes, style: str) -> Iterator[Text]:
    for line in shown(written).split("\n"):
        yield Text(f"{sign}{line}", style)


def logs(match: Match, transcript: Transcript, only: int | None = None) -> Iterator[Text]:
    """What each program wrote to its standard error, where nobody counted how much of it belongs to which decision."""
    for player, log in enumerate(transcript.logs):
        if log and not transcript.marks and only in {None, player}:
            yield Text(f"── the log of {clean(match.lineup[player])}, player {player} ".ljust(64, "─"), "dim")
            yield from _lines(_LOGGED, log.removesuffix(b"\n"), "yellow")


def heard_words(heard: Heard) -> Iterator[Text]:
    """What a program that is being debugged says now, and said then."""
    match heard:
        case Asks(asked):
            yield Text(f"── its decision {asked.decision} ".ljust(64, "─"), "dim")
            yield from _lines(_SENT, asked.sent.removesuffix(b"\n"), "dim")
        case Answers(asked, line, same):
            yield Text(f"{_ANSWERED}{answered(line)}", "bold green" if same else "bold red")
            if not same:
                yield Text(f"    otherwise than then: {answered(asked.answer)}", "red")
        case Logs(line):
            yield from _lines(_LOGGED, line, "yellow")
        case Extra(line):
            yield Text(f"{_ANSWERED}{answered(line)}", "bold red")
            yield Text("    nobody had asked for this line", "red")
        case Ended(status, left):
            how = (
                "was ended, since it did not end when its input did"
                if status is None
                else f"ended with status {status}"
            )
            yield Text(f"── it {how}" + (f", with {left} decisions left" if left else ""), "red" if left else "dim")


def as_json(
    result: Result,
    transcript: Transcript,
    moments: Sequence[Moment],
    bots: Mapping[str, Bot],
    *,
    rules: AnyRules,
    only: int | None = None,
) -> dict[str, Any]:  # Any: JSON
    """The replay for programs; of what was sent and written, bytes that are no text stand as a backslash and digits."""
    match = result.match
    names = names_by_seat(match)
    return {
        "match": match.number,
        "block": match.block,
        "rotation": match.rotation,
        "game": rules.game,
        "players": [
            {
                "player": player,
                "name": name,
                "seat": match.seat_of[player],
                "digest": bots[name].digest if name in bots else "",
                "score": result.scores[player],
                "place": result.places[player],
                "log": transcript.logs[player].decode("utf-8", "backslashreplace"),
            }
            for player, name in enumerate(match.lineup)
        ],
        "faults": [
            {"player": fault.player, "cause": fault.cause, "decision": fault.decision, "words": fault.words}
            for fault in result.faults
        ],
        "moves": [
            {
                "asked": [_asked_json(each, rules) for each in moment.asked if only in {None, each.player}],
                "outcome": None if moment.outcome is None else rules.describe(moment.outcome),
                "told": [event.words(names) for event in moment.events if event.audience is None],
            }
            for moment in moments
        ],
    }


def _asked_json(each: Asked, rules: AnyRules) -> dict[str, Any]:  # Any: JSON
    return {
        "player": each.player,
        "seat": each.seat,
        "decision": each.decision,
        "sent": each.sent.decode(),
        "answer": None if each.answer is None else each.answer.decode("utf-8", "backslashreplace"),
        "action": None if each.action == FORFEIT else rules.describe(each.action),
        "fault": None if each.fault is None else each.fault.cause,
        "log": each.log.decode("utf-8", "backslashreplace"),
    }
