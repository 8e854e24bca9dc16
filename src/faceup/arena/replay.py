"""A match played again from what is kept of it: what each program was sent, byte by byte, and what it answered.

What was sent is not kept. It follows from the deals, which follow from the seed, and from the answers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.log_parts import parts
from faceup.arena.matches import Fault, Match, Result, Transcript
from faceup.arena.protocols import protocol
from faceup.arena.terms import Terms
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
    Seeded,
    State,
    View,
    draw,
    make,
)
from faceup.core.record import Applied, Chosen, Joined, Record, applied, record_of
from faceup.games.svg import clean


class Watched(msgspec.Struct, frozen=True):
    """A match as it is kept, and all that is needed to play it again.

    Attributes:
        result: how it ended.
        transcript: what the players wrote.
        terms: on which it was played.
        seed: of the schedule.
        bots: by name, all that are in the lineup.
    """

    result: Result
    transcript: Transcript
    terms: Terms
    seed: int
    bots: Mapping[str, Bot]


class Asked(msgspec.Struct, frozen=True):
    """A decision that a player was asked for.

    Attributes:
        player: which of the lineup.
        seat: where it sits.
        decision: which of its own decisions, from 0.
        view: what it could know.
        sent: all that was written to it for this decision; before the first one, also how the match begins.
        answer: the line that came, without its end; None if none came.
        action: what was played for it; `FORFEIT` if it was out from here on.
        fault: how it lost its seat here, if it did.
        log: what it wrote to its standard error from here to its next decision, as far as it was kept.
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


class Moment(msgspec.Struct, frozen=True):
    """One move of the match: what chance did, or the decisions of all who were to act.

    Attributes:
        before: the state in which it was made.
        asked: the decisions, in the order in which they were asked for; none for a move of chance.
        outcome: what chance did; None for decisions.
        after: the state that it led to.
        events: what happened.
    """

    before: State
    asked: tuple[Asked, ...]
    outcome: Outcome | None
    after: State
    events: tuple[Event, ...]


def replay(watched: Watched) -> Iterator[Moment]:
    """The match, move by move.

    Raises:
        Malformed: the answers are not those of this match, or another version of the rules played it.
    """
    match, rules = watched.result.match, make(watched.terms.game)
    asking = _Asking(rules, watched)
    chance = Seeded(watched.seed, match.block)
    state: State = rules.start()
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            outcome = draw(rules, state, chance)
            after, events = rules.apply(state, outcome)
            yield Moment(state, (), outcome, after, events)
        else:
            asked = tuple(asking.ask(state, to_act))
            if any(each.fault for each in asked) and not rules.forfeits:
                yield Moment(state, asked, None, state, ())
                return
            after, events = _applied(rules, state, asked, match)
            yield Moment(state, asked, None, after, events)
        state = after


class _Asking:
    """How far the answers of a match have been read."""

    def __init__(self, rules: AnyRules, watched: Watched) -> None:
        result, transcript, terms = watched.result, watched.transcript, watched.terms
        self._rules = rules
        self._spoken = protocol(rules, terms.protocol)
        self._match = result.match
        self._answers = transcript.answers
        self._faults = {(fault.player, fault.decision): fault for fault in result.faults}
        self._phase_last = [name in watched.bots and watched.bots[name].phase_last for name in self._match.lineup]
        self._asked = [0] * len(self._match.lineup)
        self._logs = [
            parts(log, marks, terms.log) for log, marks in zip(transcript.logs, transcript.marks, strict=False)
        ]

    def ask(self, state: State, seats: Iterable[Seat]) -> Iterator[Asked]:
        """The decisions of these seats; those that were not asked for, since the match ended before, are left out."""
        player_in = self._match.player_in
        for seat in seats:
            player = player_in[seat]
            decision = self._asked[player]
            self._asked[player] += 1
            fault = self._faults.get((player, decision))
            written = self._answers[player]
            if decision >= len(written) and fault is None:
                if self._rules.forfeits or not self._faults:
                    raise _does_not_fit(self._match, f"player {player} has no answer to decision {decision}")
                continue
            view: View = self._rules.view(state, seat)
            answer = written[decision] if decision < len(written) else None
            action = FORFEIT if fault or answer is None else self._action(view, answer)
            sent = self._sent(view, seat, player, first=decision == 0)
            yield Asked(player, seat, decision, view, sent, answer, action, fault, self._log(player, decision))

    def _log(self, player: int, decision: int) -> bytes:
        logs = self._logs[player] if player < len(self._logs) else []
        return logs[decision] if decision < len(logs) else b""

    def _action(self, view: View, answer: bytes) -> Action:
        try:
            return self._spoken.read_answer(self._rules, view, answer.decode().removesuffix("\r"))
        except ValueError as error:
            raise _does_not_fit(self._match, str(error)) from None

    def _sent(self, view: View, seat: Seat, player: int, *, first: bool) -> bytes:
        lines = self._spoken.write_ask(self._rules, view, phase_last=self._phase_last[player])
        if first:
            lines = [*self._spoken.write_start(self._rules, seat), *lines]
        return "".join([f"{line}\n" for line in lines]).encode()


def _applied(rules: AnyRules, state: State, asked: Sequence[Asked], match: Match) -> tuple[State, tuple[Event, ...]]:
    try:
        return rules.apply(state, {each.seat: each.action for each in asked})
    except RulesError as error:
        raise _does_not_fit(match, error.message) from None


def _does_not_fit(match: Match, why: str) -> Malformed:
    return Malformed(
        f"the answers kept of match {match.number} are not those of its deals ({why}); another version of the rules "
        f"may have played it",
        what=match.number,
        where="match",
    )


def sent_to(moments: Iterable[Moment], player: int) -> bytes:
    """All that was written to the player, as its program read it."""
    return b"".join(each.sent for moment in moments for each in moment.asked if each.player == player)


def names_by_seat(match: Match) -> tuple[str, ...]:
    """Who sits where, as it may be shown anywhere; a bot that sits in several seats has its seats told apart.

    >>> names_by_seat(Match(0, 0, ("a", "b", "b"), 1))
    ('b (2)', 'a', 'b')
    """
    lineup = [clean(name) for name in match.lineup]
    told = [
        name if lineup[:player].count(name) == 0 else f"{name} ({lineup[:player].count(name) + 1})"
        for player, name in enumerate(lineup)
    ]
    return tuple([told[player] for player in match.player_in])


def as_record(match: Match, moments: Sequence[Moment], rules: AnyRules, bots: Mapping[str, Bot]) -> Record:
    """The match as a record, which `faceup review` judges and `faceup replay` shows.

    Args:
        match: which match.
        moments: all of it.
        rules: by which it was played.
        bots: by name.
    """
    names = names_by_seat(match)
    entries: list[Joined | Chosen | Applied] = []
    for seat, player in enumerate(match.player_in):
        bot = bots.get(match.lineup[player])
        entries.append(Joined(0, seat, names[seat], (bot and bot.player) or "program"))
    for moment in moments:
        if moment.outcome is not None:
            entries.append(applied(rules, 0, moment.outcome))
            continue
        if moment.asked and any(each.fault for each in moment.asked) and not rules.forfeits:
            break  # the match ended here, and by the rules nobody may leave it
        move = {each.seat: each.action for each in moment.asked}
        entries += [Chosen(0, seat, rules.describe(action)) for seat, action in move.items()]
        entries.append(applied(rules, 0, move))
    state = moments[-1].after if moments else rules.start()
    return record_of(rules, tuple(entries), state)
