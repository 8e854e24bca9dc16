"""Who sits in the seats during a match: programs, which are asked over pipes, and players of ours, which are called."""

from collections.abc import Sequence
from time import perf_counter_ns
from typing import Any, NamedTuple
from typing import Protocol as Interface

from faceup.arena.bots import Bot
from faceup.arena.matches import Cause, Fault
from faceup.arena.programs import Broken, Program, Programs
from faceup.arena.programs.breaking import quoted
from faceup.arena.protocols import Protocol
from faceup.arena.terms import Terms
from faceup.core import FORFEIT, Action, AnyRules, Generator, Malformed, Policy, Seat


class Table(NamedTuple):
    """What all sitters share.

    Attributes:
        terms: on which they play.
        rules: of the game.
        protocol: in which programs are talked to, and in which answers are kept.
    """

    terms: Terms
    rules: AnyRules
    protocol: Protocol


class Sitter(Interface):
    """One player of a match.

    Attributes:
        answers: its decisions as lines; the last may be what came instead of an answer.
        times: how long each answer took, in microseconds.
        grace: how much of that was put down to the machine.
        program: what runs for it; None for a player of ours, before it is started, and if it could not be.
    """

    answers: list[bytes]
    times: list[int]
    grace: int
    program: Program | None

    def decide(self, view: Any) -> Action:  # noqa: ANN401 -- each game has its own
        """Its decision, or `FORFEIT` if it broke the terms."""
        ...


class Insider:
    """A player of ours.

    Args:
        table: where it sits.
        policy: what it plays by.
        rng: its own source of random numbers.
    """

    __slots__ = ("_policy", "_rng", "_rules", "_write", "answers", "grace", "program", "times")

    def __init__(self, table: Table, policy: Policy, rng: Generator) -> None:
        self._policy, self._rng, self._rules, self._write = policy, rng, table.rules, table.protocol.write_answer
        self.answers: list[bytes] = []
        self.times: list[int] = []
        self.grace = 0
        self.program: Program | None = None

    def decide(self, view: Any) -> Action:  # noqa: ANN401 -- each game has its own
        """As `Sitter.decide`; it keeps to the terms."""
        start = perf_counter_ns()
        action = self._policy(self._rules, view, self._rng)
        self.times.append((perf_counter_ns() - start) // 1000)
        self.answers.append(self._write(self._rules, action).encode())
        return action


class Outsider:
    """A program. It is started when it is first asked, so that it has the core to itself from its first moment on.

    Args:
        table: where it sits.
        programs: of the referee.
        bot: whose program it is.
        program: one that was kept from another match; None if it is to be started.
        player: which of the lineup.
        seat: which of the table.
        faults: where it is entered if it breaks the terms.
    """

    __slots__ = (
        "_bot", "_faults", "_player", "_programs", "_seat", "_table", "answers", "grace", "program", "times",
    )  # fmt: skip

    def __init__(
        self,
        table: Table,
        programs: Programs,
        bot: Bot,
        program: Program | None,
        *,
        player: int,
        seat: Seat,
        faults: list[Fault],
    ) -> None:
        self._table, self._programs, self._bot = table, programs, bot
        self._player, self._seat, self._faults = player, seat, faults
        self.answers: list[bytes] = []
        self.times: list[int] = []
        self.grace = 0
        self.program = program

    def decide(self, view: Any) -> Action:  # noqa: ANN401 -- each game has its own
        """As `Sitter.decide`."""
        terms, rules, protocol = self._table
        seconds = terms.turn
        lines = protocol.write_ask(rules, view, phase_last=self._bot.phase_last)
        try:
            if not self.answers:
                lines = [*protocol.write_start(rules, self._seat), *lines]
                seconds = terms.first
            if self.program is None:
                seconds += terms.startup
                self.program = self._programs.start(self._bot)
            program = self.program
            lines.append("")
            line = self._programs.ask(program, "\n".join(lines).encode(), seconds)
            self.times.append(program.took)
            self.grace += program.grace
            action = action_of(self._table, view, line)
        except Broken as broken:
            return self._out(broken)
        self.answers.append(line)
        return action

    def _out(self, broken: Broken) -> Action:
        self._faults.append(Fault(self._player, broken.cause, len(self.answers), broken.words))
        if broken.got:
            self.answers.append(broken.got)
        if self.program:
            self._programs.drop(self.program)
        return FORFEIT


def action_of(table: Table, view: Any, line: bytes) -> Action:  # noqa: ANN401 -- each game has its own
    """The action that a line answers with. Raises `Broken` if it is none, or not one for now."""
    _, rules, protocol = table
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Broken(Cause.MALFORMED, f"{quoted(line)} is not text in UTF-8", line) from None
    if "\0" in text:
        raise Broken(Cause.MALFORMED, f"{quoted(line)} holds a NUL byte: an answer is text", line)
    try:
        action = protocol.read_answer(rules, view, text.removesuffix("\r"))
    except Malformed as error:
        raise Broken(Cause.MALFORMED, error.message, line) from None
    except RecursionError:
        raise Broken(Cause.MALFORMED, f"{quoted(line)} is nested too deeply to be read", line) from None
    if action not in view.legal:
        raise Broken(Cause.ILLEGAL, _not_now(table, view.legal, action), line)
    return action


def _not_now(table: Table, legal: Sequence[Action], action: Action) -> str:
    _, rules, protocol = table
    words = ", ".join(protocol.write_answer(rules, each) for each in legal)
    return f"{protocol.write_answer(rules, action)} is not legal now; legal: {words}"
