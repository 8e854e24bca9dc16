"""Players of a match: bot programs, which are asked through pipes, and built-in bots, which are called."""

from abc import ABC, abstractmethod
from time import perf_counter_ns
from typing import Any

from faceup.arena.match.protocols import Protocol
from faceup.arena.match.result import Cause, Fault
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process import Program, ProgramError, ProgramRunner
from faceup.arena.process.errors import quote_output
from faceup.arena.process.pause import PAUSE
from faceup.characters import remove_bom
from faceup.core import FORFEIT, Action, AnyRules, Generator, Malformed, Policy, Seat


class MatchPlayer(ABC):
    """One player of a match.

    Attributes:
        answers: the player's answers as lines; if the player is out, the last one may be invalid output.
        times: microseconds of each answer.
        grace: microseconds by which answers exceeded their limits, which CPU credit covered.
        program: the player's process; None for a built-in bot, and for a program that is not started yet or could not
            be started.
    """

    __slots__ = ("answers", "grace", "program", "times")

    def __init__(self, program: Program | None = None) -> None:
        self.answers: list[bytes] = []
        self.times: list[int] = []
        self.grace = 0
        self.program = program

    @abstractmethod
    def decide(self, view: Any) -> Action:  # noqa: ANN401 -- each game has its own
        """Return the player's decision, or `FORFEIT` if the player broke the terms."""


class BuiltinPlayer(MatchPlayer):
    """A built-in bot, which never breaks the terms.

    Args:
        rules: the rules of the game.
        protocol: the protocol in which the bot's answers are recorded.
        policy: the function that chooses the bot's actions.
        rng: the bot's own source of random numbers.
    """

    __slots__ = ("_policy", "_protocol", "_rng", "_rules")

    def __init__(self, rules: AnyRules, protocol: Protocol, policy: Policy, rng: Generator) -> None:
        super().__init__()
        self._policy, self._rng, self._rules, self._protocol = policy, rng, rules, protocol

    def decide(self, view: Any) -> Action:  # noqa: ANN401 -- each game has its own
        """Return the bot's decision."""
        with PAUSE:
            start = perf_counter_ns()
            action = self._policy(self._rules, view, self._rng)
            self.times.append((perf_counter_ns() - start) // 1000)
        self.answers.append(self._protocol.format_action(action).encode())
        return action


class ProgramPlayer(MatchPlayer):
    """A bot program. It is started when it is first asked, so that it has a core to itself from the start.

    Args:
        terms: the terms of the match.
        protocol: the protocol in which the program is asked.
        programs: the runner of the referee's programs.
        bot: the bot.
        program: a process that was kept alive after another match; None to start a new one.
        player: index of the player in the lineup.
        seat: index of the player's seat.
        faults: the list to which the fault is added if the program breaks the terms.
    """

    __slots__ = ("_bot", "_faults", "_player", "_programs", "_protocol", "_seat", "_terms")

    def __init__(
        self,
        terms: MatchTerms,
        protocol: Protocol,
        programs: ProgramRunner,
        bot: Bot,
        program: Program | None = None,
        *,
        player: int,
        seat: Seat,
        faults: list[Fault],
    ) -> None:
        super().__init__(program)
        self._terms, self._protocol, self._programs, self._bot = terms, protocol, programs, bot
        self._player, self._seat, self._faults = player, seat, faults

    def decide(self, view: Any) -> Action:  # noqa: ANN401 -- each game has its own
        """Return the program's decision, or `FORFEIT` if the program broke the terms."""
        terms, protocol = self._terms, self._protocol
        seconds = terms.turn
        lines = protocol.format_decision(view, phase_last=self._bot.phase_last)
        try:
            if not self.answers:
                lines = [*protocol.format_start(self._seat), *lines]
                seconds = terms.first
            if self.program is None:
                seconds += terms.startup
                self.program = self._programs.start(self._bot)
            program = self.program
            lines.append("")
            line = self._programs.ask(program, "\n".join(lines).encode(), seconds)
            self.times.append(program.elapsed_us)
            self.grace += program.grace
            action = parse_action(protocol, view, line)
        except ProgramError as error:
            return self._forfeit(error)
        self.answers.append(line)
        return action

    def _forfeit(self, error: ProgramError) -> Action:
        self._faults.append(Fault(self._player, error.cause, len(self.answers), error.message))
        if error.output:
            self.answers.append(error.output)
        # Killed, not reused: after a fault, what it writes next could be taken for the answer to another question.
        if self.program:
            self._programs.kill(self.program)
        return FORFEIT


def parse_action(protocol: Protocol, view: Any, line: bytes) -> Action:  # noqa: ANN401 -- each game has its own
    """Parse an answer. Raises `ProgramError` if it is not an action, or the action is not legal."""
    try:
        text = remove_bom(line).decode()
    except UnicodeDecodeError:
        raise ProgramError(Cause.MALFORMED, f"{quote_output(line)} is not text in UTF-8", line) from None
    if "\0" in text:
        raise ProgramError(Cause.MALFORMED, f"{quote_output(line)} contains a NUL byte; an answer must be text", line)
    try:
        action = protocol.parse_action(view, text.removesuffix("\r"))
    except Malformed as error:
        raise ProgramError(Cause.MALFORMED, error.message, line) from None
    except RecursionError:
        raise ProgramError(Cause.MALFORMED, f"{quote_output(line)} is nested too deeply", line) from None
    if action not in view.legal:
        legal = ", ".join(protocol.format_action(action) for action in view.legal)
        message = f"{protocol.format_action(action)} is not legal now; legal answers: {legal}"
        raise ProgramError(Cause.ILLEGAL, message, line)
    return action
