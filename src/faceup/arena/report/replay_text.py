"""Format a replay as text for a terminal, move by move, and as JSON.

Seats are numbered from 0, as in the programs' protocol. In text, a program's decisions are numbered from 1, as in the
messages of the other commands; in JSON, from 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rich.text import Text

from faceup.arena.match.replay import RecordedDecision, ReplayStep, names_by_seat
from faceup.arena.match.rerun import AnswerReceived, ProgramExited, QuerySent, RerunEvent, StderrLine, UnexpectedLine
from faceup.arena.match.result import Match, MatchResult, Transcript
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.report.formatting import format_answer, sanitize_output
from faceup.core import FORFEIT, AnyRules, Malformed, plural
from faceup.formatting import format_microseconds, ordinal, strip_control_characters

_SENT: Final = "  → "
_ANSWERED: Final = "  ← "
_LOGGED: Final = "  ! "


def player_of(match: Match, word: str) -> int:
    """Return the player that a word means, which is the player's index in the lineup or the name of its bot.

    Raises:
        Malformed: there is no such player, or more than one.

    >>> player_of(Match(0, 0, ("ann", "bob"), 0), "bob"), player_of(Match(0, 0, ("ann", "bob"), 0), "0")
    (1, 0)
    """
    players = ", ".join(f"{player} {name}" for player, name in enumerate(match.lineup))
    if word.isascii() and word.isdecimal() and len(word) < 6 and int(word) < len(match.lineup):
        return int(word)
    matching = [player for player, name in enumerate(match.lineup) if name == word]
    if len(matching) > 1:
        raise Malformed(
            f"{word} has several seats in match {match.number}; give one of these numbers: {players}", what=word
        )
    if not matching:
        raise Malformed(f"match {match.number} has no bot {word!r}; its bots are {players}", what=word)
    return matching[0]


def format_pause(result: MatchResult) -> str:
    """Say how long the referee itself was stopped."""
    return f"the referee was stopped for {result.paused / 1000:.1f} s, which no player was charged for"


def format_heading(result: MatchResult, terms: MatchTerms, seed: int) -> Iterator[Text]:
    """Yield the lines of the heading, with the match and its result."""
    match = result.match
    yield Text.assemble(
        (f"match {match.number}", "bold"),
        f"  {terms.game}, block {match.block}, rotation {match.rotation}, seed {seed}",
    )
    names = names_by_seat(match)
    width = max(map(len, names))
    for seat, player in enumerate(match.player_in):
        line = Text(f"  player {player} in seat {seat}  ")
        line.append(names[seat].ljust(width), "bold")
        line.append(f"  {result.scores[player]:>4}, {ordinal(result.places[player])}")
        if result.times and result.times[player].count:
            times = result.times[player]
            line.append(
                f"   {format_microseconds(times.mean)} an answer, {format_microseconds(times.most)} at most", "dim"
            )
        yield line
    if result.paused:
        yield Text(f"  {format_pause(result)}", "dim")
    for fault in result.faults:
        words = f"{match.lineup[fault.player]} forfeited at its decision {fault.decision + 1}: {fault.message}"
        yield Text(f"  {strip_control_characters(words)}", "red")


def format_step(
    number: int, step: ReplayStep, rules: AnyRules, names: Sequence[str], only: int | None
) -> Iterator[Text]:
    """Yield the lines of one move, with its requests, answers and events.

    Args:
        number: number of the move, from 0.
        step: the move.
        rules: the rules of the match.
        names: the bots' names by seat.
        only: the player to show the decisions of, without events; None to show everything.
    """
    asked = [decision for decision in step.decisions if only is None or decision.player == only]
    if asked or only is None:
        yield Text(f"── {number} ".ljust(64, "─"), "dim")
    for decision in asked:
        yield from _decision(decision, rules, names)
    for event in step.events if only is None else ():
        if event.audience is None:
            yield Text(f"  {event.words(names)}", "cyan")


def _decision(decision: RecordedDecision, rules: AnyRules, names: Sequence[str]) -> Iterator[Text]:
    yield Text.assemble(
        (names[decision.seat], "bold"), (f"  seat {decision.seat}, its decision {decision.decision + 1}", "dim")
    )
    yield from _lines(_SENT, decision.sent.removesuffix(b"\n"), "dim")
    if decision.log:
        yield from _lines(_LOGGED, decision.log.removesuffix(b"\n"), "yellow")
    if decision.fault is not None:
        yield Text(f"{_ANSWERED}{format_answer(decision.answer)}", "bold red")
        yield Text(f"    {decision.fault.cause}: {strip_control_characters(decision.fault.message)}", "red")
        return
    read = f"   {rules.describe(decision.action)}" if decision.action != FORFEIT else ""
    yield Text.assemble((f"{_ANSWERED}{format_answer(decision.answer)}", "bold green"), (read, "dim"))


def _lines(sign: str, written: bytes, style: str) -> Iterator[Text]:
    for line in sanitize_output(written).split("\n"):
        yield Text(f"{sign}{line}", style)


def format_logs(match: Match, transcript: Transcript, only: int | None) -> Iterator[Text]:
    """Yield the lines of each program's stderr, if it was not split by decision when it was recorded."""
    for player, log in enumerate(transcript.logs):
        if log and not transcript.marks and only in {None, player}:
            yield Text(
                f"── stderr of {strip_control_characters(match.lineup[player])}, player {player} ".ljust(64, "─"),
                "dim",
            )
            yield from _lines(_LOGGED, log.removesuffix(b"\n"), "yellow")


def format_rerun_event(event: RerunEvent) -> Iterator[Text]:
    """Yield the lines for an event of a rerun, which show where an answer differs from the recorded answer."""
    match event:
        case QuerySent(asked):
            yield Text(f"── its decision {asked.decision + 1} ".ljust(64, "─"), "dim")
            yield from _lines(_SENT, asked.sent.removesuffix(b"\n"), "dim")
        case AnswerReceived(asked, line, same):
            yield Text(f"{_ANSWERED}{format_answer(line)}", "bold green" if same else "bold red")
            if not same:
                yield Text(f"    different from the recorded answer: {format_answer(asked.answer)}", "red")
        case StderrLine(line):
            yield from _lines(_LOGGED, line, "yellow")
        case UnexpectedLine(line):
            yield Text(f"{_ANSWERED}{format_answer(line)}", "bold red")
            yield Text("    unexpected line: it was not asked", "red")
        case ProgramExited(status, left):
            how = (
                "was killed because it did not exit at the end of its input"
                if status is None
                else f"exited with status {status}"
            )
            yield Text(
                f"── it {how}" + (f", with {plural(left, 'decision')} left" if left else ""), "red" if left else "dim"
            )


def as_json(
    result: MatchResult,
    transcript: Transcript,
    steps: Sequence[ReplayStep],
    bots: Mapping[str, Bot],
    *,
    rules: AnyRules,
    only: int | None,
) -> dict[str, Any]:  # Any: JSON
    """Return the replay as JSON data. In program output, bytes that are not UTF-8 become backslash escapes."""
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
            {"player": fault.player, "cause": fault.cause, "decision": fault.decision, "message": fault.message}
            for fault in result.faults
        ],
        "moves": [
            {
                "decisions": [
                    _decision_json(decision, rules) for decision in step.decisions if only in {None, decision.player}
                ],
                "outcome": None if step.outcome is None else rules.describe(step.outcome),
                "events": [event.words(names) for event in step.events if event.audience is None],
            }
            for step in steps
        ],
    }


def _decision_json(decision: RecordedDecision, rules: AnyRules) -> dict[str, Any]:  # Any: JSON
    return {
        "player": decision.player,
        "seat": decision.seat,
        "decision": decision.decision,
        "sent": decision.sent.decode(),
        "answer": None if decision.answer is None else decision.answer.decode("utf-8", "backslashreplace"),
        "action": None if decision.action == FORFEIT else rules.describe(decision.action),
        "fault": None if decision.fault is None else decision.fault.cause,
        "log": decision.log.decode("utf-8", "backslashreplace"),
    }
