"""Replay a recorded match with what each program was sent, what it answered, and its stderr split by decision.

Requests are not recorded, because they follow from the seed, which determines the deals, and from the answers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from faceup.arena.match.protocols import protocol
from faceup.arena.match.result import Fault, Match, MatchResult, Transcript
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.core import (
    CHANCE,
    FORFEIT,
    Action,
    AnyRules,
    Event,
    Malformed,
    Outcome,
    RulesError,
    Seat,
    SeededGenerator,
    State,
    View,
    draw,
    make,
)
from faceup.core.record import Applied, Chosen, Joined, Record, applied, record_of
from faceup.formatting import strip_control_characters


def split_stderr(kept: bytes, marks: Sequence[int], most: int) -> list[bytes]:
    r"""Split a program's stderr by decision. The first part includes what came before the first decision.

    Args:
        kept: the recorded stderr. If the full stderr was too long, this is its start and its end, separated by a line
            that counts the bytes left out.
        marks: the length of the full stderr at each decision, and at the end of the match; empty if not recorded.
        most: the most bytes that are kept, as in `MatchTerms.log`.

    >>> split_stderr(b"one\ntwo\nthree\n", [0, 4, 8, 14], 100)
    [b'one\n', b'two\n', b'three\n']
    >>> split_stderr(b"abc\n[6 bytes left out]\nxyz", [0, 2, 9, 12], 6)
    [b'ab', b'c[6 bytes left out]', b'xyz']
    """
    if not marks:
        return []
    total, starts = marks[-1], [0, *marks[1:-1]]
    return [_between(kept, start, end, total, most // 2) for start, end in zip(starts, marks[1:], strict=True)]


def _between(kept: bytes, start: int, end: int, total: int, half: int) -> bytes:
    """Return the recorded part of the bytes from `start` to `end` of a program's full stderr.

    Args:
        kept: the recorded stderr.
        start: where the range starts.
        end: where the range ends.
        total: length of the full stderr.
        half: the most bytes that are kept of its start, and of its end.
    """
    missing = total - 2 * half
    if missing <= 0:
        return kept[start:end]
    line = b"[%d bytes left out]" % missing
    gap_at = kept.find(b"\n%b\n" % line)
    head, tail = kept[start : min(end, half, gap_at)] if start < half else b"", b""
    if end > total - half:
        tail = kept[len(kept) - (total - max(start, total - half)) : len(kept) - (total - end)]
    gap = line if start < total - half and end > half else b""
    return head + gap + tail


class RecordedMatch(msgspec.Struct, frozen=True):
    """A recorded match with all that is needed to replay it.

    Attributes:
        result: result of the match.
        transcript: what the programs wrote.
        terms: terms of the match.
        seed: the seed of the schedule.
        bots: the bots of the lineup by name.
    """

    result: MatchResult
    transcript: Transcript
    terms: MatchTerms
    seed: int
    bots: Mapping[str, Bot]


class RecordedDecision(msgspec.Struct, frozen=True):
    """A decision that a player was asked for.

    Attributes:
        player: index of the player in the lineup.
        seat: index of the player's seat.
        decision: number among the player's own decisions, from 0.
        view: the player's view.
        sent: the lines that the player was sent for this decision; for the first decision, also the start lines.
        answer: the player's answer without the newline; None if there was none.
        action: the action that was played; `FORFEIT` if the player is out from this decision on.
        fault: how the player broke the terms at this decision; None if it did not.
        log: the player's recorded stderr from this decision to its next decision.
    """

    player: int
    seat: Seat
    decision: int
    view: View
    sent: bytes
    answer: bytes | None
    action: Action
    fault: Fault | None = None
    log: bytes = b""


class ReplayStep(msgspec.Struct, frozen=True):
    """One move of the match, which is a chance outcome or the decisions of all players who were to act.

    Attributes:
        before: the state before the move.
        decisions: the decisions in the order in which the players were asked; empty for a chance outcome.
        outcome: the chance outcome; None if players decided.
        after: the state after the move.
        events: the events of the move.
    """

    before: State
    decisions: tuple[RecordedDecision, ...]
    outcome: Outcome | None
    after: State
    events: tuple[Event, ...]


def replay(recorded: RecordedMatch) -> Iterator[ReplayStep]:
    """Yield the match move by move.

    Raises:
        Malformed: the recorded answers do not fit the deals, for example because the match was played with another
            version of the rules.
    """
    match, rules = recorded.result.match, make(recorded.terms.game)
    reader = _AnswerReader(rules, recorded)
    chance = SeededGenerator(recorded.seed, match.block)
    state: State = rules.start()
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            outcome = draw(rules, state, chance)
            after, events = rules.apply(state, outcome)
            yield ReplayStep(state, (), outcome, after, events)
        else:
            decisions = tuple(reader.ask(state, to_act))
            if any(decision.fault for decision in decisions) and not rules.forfeits:
                yield ReplayStep(state, decisions, None, state, ())
                return
            after, events = _applied(rules, state, decisions, match)
            yield ReplayStep(state, decisions, None, after, events)
        state = after


class _AnswerReader:
    """A reader of a match's recorded answers, in the order in which players are asked."""

    def __init__(self, rules: AnyRules, recorded: RecordedMatch) -> None:
        result, transcript, terms = recorded.result, recorded.transcript, recorded.terms
        self._rules = rules
        self._protocol = protocol(rules, terms.protocol)
        self._match = result.match
        self._answers = transcript.answers
        self._faults = {(fault.player, fault.decision): fault for fault in result.faults}
        self._phase_last = [name in recorded.bots and recorded.bots[name].phase_last for name in self._match.lineup]
        self._counts = [0] * len(self._match.lineup)
        self._logs = [
            split_stderr(log, marks, terms.log) for log, marks in zip(transcript.logs, transcript.marks, strict=False)
        ]

    def ask(self, state: State, seats: Iterable[Seat]) -> Iterator[RecordedDecision]:
        """Yield the decisions of these seats, without the seats that were not asked because the match had ended."""
        player_in = self._match.player_in
        for seat in seats:
            player = player_in[seat]
            decision = self._counts[player]
            self._counts[player] += 1
            fault = self._faults.get((player, decision))
            answers = self._answers[player]
            if decision >= len(answers) and fault is None:
                if self._rules.forfeits or not self._faults:
                    raise _mismatch(self._match, f"player {player} has no answer to decision {decision}")
                continue
            view: View = self._rules.view(state, seat)
            answer = answers[decision] if decision < len(answers) else None
            action = FORFEIT if fault or answer is None else self._action(view, answer)
            sent = self._sent(view, seat, player, first=decision == 0)
            yield RecordedDecision(
                player, seat, decision, view, sent, answer, action, fault, self._log(player, decision)
            )

    def _log(self, player: int, decision: int) -> bytes:
        logs = self._logs[player] if player < len(self._logs) else []
        return logs[decision] if decision < len(logs) else b""

    def _action(self, view: View, answer: bytes) -> Action:
        try:
            return self._protocol.parse_action(view, answer.decode().removesuffix("\r"))
        except ValueError as error:
            raise _mismatch(self._match, str(error)) from None

    def _sent(self, view: View, seat: Seat, player: int, *, first: bool) -> bytes:
        lines = self._protocol.format_decision(view, phase_last=self._phase_last[player])
        if first:
            lines = [*self._protocol.format_start(seat), *lines]
        return "".join([f"{line}\n" for line in lines]).encode()


def _applied(
    rules: AnyRules, state: State, decisions: Sequence[RecordedDecision], match: Match
) -> tuple[State, tuple[Event, ...]]:
    try:
        return rules.apply(state, {decision.seat: decision.action for decision in decisions})
    except RulesError as error:
        raise _mismatch(match, error.message) from None


def _mismatch(match: Match, why: str) -> Malformed:
    return Malformed(
        f"the recorded answers of match {match.number} do not fit its deals ({why}); the match may have been "
        "played with another version of the rules",
        what=match.number,
        where="match",
    )


def sent_to(steps: Iterable[ReplayStep], player: int) -> bytes:
    """Return all lines that the player was sent."""
    return b"".join(decision.sent for step in steps for decision in step.decisions if decision.player == player)


def names_by_seat(match: Match) -> tuple[str, ...]:
    """Return the bots' names by seat, without control characters. If a bot has several seats, its names are numbered.

    >>> names_by_seat(Match(0, 0, ("a", "b", "b"), 1))
    ('b (2)', 'a', 'b')
    """
    lineup = [strip_control_characters(name) for name in match.lineup]
    names = [
        name if lineup[:player].count(name) == 0 else f"{name} ({lineup[:player].count(name) + 1})"
        for player, name in enumerate(lineup)
    ]
    return tuple([names[player] for player in match.player_in])


def to_record(match: Match, steps: Sequence[ReplayStep], rules: AnyRules, bots: Mapping[str, Bot]) -> Record:
    """Convert a match to a record for review and replay.

    Args:
        match: the match.
        steps: all moves of the match.
        rules: the rules of the match.
        bots: the bots of the match by name.
    """
    names = names_by_seat(match)
    entries: list[Joined | Chosen | Applied] = []
    for seat, player in enumerate(match.player_in):
        bot = bots.get(match.lineup[player])
        entries.append(Joined(0, seat, names[seat], (bot and bot.player) or "program"))
    for step in steps:
        if step.outcome is not None:
            entries.append(applied(rules, 0, step.outcome))
            continue
        if step.decisions and any(decision.fault for decision in step.decisions) and not rules.forfeits:
            break  # the match ended here, because the rules have no forfeits
        move = {decision.seat: decision.action for decision in step.decisions}
        entries += [Chosen(0, seat, rules.describe(action)) for seat, action in move.items()]
        entries.append(applied(rules, 0, move))
    state = steps[-1].after if steps else rules.start()
    return record_of(rules, tuple(entries), state)
