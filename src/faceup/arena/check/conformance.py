"""Check whether a program follows its protocol, and explain what it does wrong.

A program is tried in whole matches in every seat and in the game's edge cases. Trials follow the rules, with random
opponents, so every request in a trial can occur in a match. The program runs under the same terms as in a match. A
deviation that the referee tolerates becomes advice. Any other deviation ends the trial, because it would also end the
program's match.
"""

import os
import select
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress
from time import perf_counter
from typing import Any, Final, NamedTuple

import msgspec

from faceup.arena.match.players import parse_action
from faceup.arena.match.protocols import edge_cases, protocol
from faceup.arena.match.result import Cause, LatencyHistogram, histogram_of
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process import Program, ProgramError, ProgramRunner
from faceup.arena.process.errors import quote_output
from faceup.bots import random_policy
from faceup.core import CHANCE, FORFEIT, Action, AnyRules, Seat, SeededGenerator, State, draw, make

MOST: Final = 120
"""The most decisions in one trial. Matches of the arena have fewer; of longer games, only the start is tried."""

_EDGE_CASE_DECISIONS: Final = 12
"""The most decisions in a trial that starts from an edge case, which is enough to reach the next deal."""


class Trial(NamedTuple):
    """A situation in which the program is tried, in a separate process.

    Attributes:
        name: name of the trial.
        seat: the program's seat.
        start: the state to play from.
        decisions: the most decisions that the program is asked for.
        out: the other seats that forfeit, each with the number of the move (from 0) at which it forfeits.
        strict_io: whether to check also that the program writes nothing before it has read a whole request, and nothing
            after its answer.
    """

    name: str
    seat: Seat
    start: State
    decisions: int = MOST
    out: Mapping[Seat, int] = {}
    strict_io: bool = False


def trials(rules: AnyRules) -> Iterator[Trial]:
    """Yield the trials for these rules, with the simplest trial first.

    >>> from faceup.core import make
    >>> [trial.name for trial in trials(make("war"))]
    ['waiting to be asked', 'a match in seat 0', 'a match in seat 1']
    """
    start = rules.start()
    yield Trial("waiting to be asked", 0, start, decisions=4, strict_io=True)
    for name, seat, position in edge_cases(rules):
        yield Trial(name, seat, rules.from_text(position), _EDGE_CASE_DECISIONS)
    for seat in range(min(rules.seats, 4)):
        yield Trial(f"a match in seat {seat}", seat, start)
    if rules.forfeits and rules.seats > 2:
        others = range(1, rules.seats - 1)
        yield Trial("a match in which others are put out", 0, start, out={seat: 2 * seat for seat in others})


def conversation(
    rules: AnyRules, trial: Trial, seed: int
) -> Generator[Any, Action, None]:  # Any: each game has its own view
    """Yield the view of the program's seat for each decision of the program, and receive its action.

    The seed determines the chance outcomes and the actions of the other seats.
    """
    rng, state, moves, decisions = SeededGenerator(seed), trial.start, 0, 0
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        move = {}
        for seat in to_act:
            if seat == trial.seat:
                if decisions == trial.decisions:
                    return
                move[seat] = yield rules.view(state, seat)
                decisions += 1
            elif trial.out.get(seat, moves + 1) <= moves:
                move[seat] = FORFEIT
            else:
                move[seat] = random_policy(rules, rules.view(state, seat), rng)
        state = rules.apply(state, move).state
        moves += 1


SEED: Final = 1
"""The seed of all trials. It is fixed, so that trials are repeatable."""

_STARTUP_SECONDS: Final = 0.3
"""Seconds to wait after the start for output that a program writes before it is asked."""

_QUIET_SECONDS: Final = 0.06
"""Seconds to wait for unexpected output of a program that is already running."""

_EXIT_SECONDS: Final = 1.0
"""Seconds that a program has to write buffered output, or to end, after its input is closed."""

_MOST: Final = 1 << 20
"""The most bytes that are read from a program while the check waits for late or unexpected output."""

_SHOWN: Final = 2000
"""The most bytes of a program's stderr that are shown."""

_NEAR_LIMIT: Final = 0.7
"""A program that needs more than this share of a time limit gets advice."""


class Finding(msgspec.Struct, frozen=True):
    """A deviation of a program from its protocol.

    Attributes:
        wrong: what the program did.
        right: what the program should do instead.
        decision: number of the program's decision in the trial, from 0.
        sent: the lines that the program was sent for this decision.
        answered: what the program wrote, if anything.
        advice: whether the referee tolerates the deviation.
        late: whether it is about the time of an answer, which also depends on how busy the machine is.
    """

    wrong: str
    right: str
    decision: int = 0
    sent: tuple[str, ...] = ()
    answered: str = ""
    advice: bool = False
    late: bool = False


class TrialResult(msgspec.Struct, frozen=True):
    """The result of a trial.

    Attributes:
        trial: name of the trial.
        decisions: the number of correct answers.
        findings: the deviations from the protocol.
        first: microseconds of the program's first answer, from the last byte of the request.
        others: times of the program's other answers.
        log: the end of the program's stderr.
    """

    trial: str
    decisions: int
    findings: tuple[Finding, ...] = ()
    first: int = 0
    others: LatencyHistogram = LatencyHistogram()
    log: str = ""

    @property
    def passed(self) -> bool:
        """Return whether all findings are only advice, or there are none."""
        return all(finding.advice for finding in self.findings)


def check(bot: Bot, terms: MatchTerms, trials: Iterable[Trial]) -> Iterator[TrialResult]:
    """Try a program in these trials, each in a separate process.

    Raises:
        Malformed: there is no such game, or the game has no such protocol.
    """
    # A suspended program cannot write unexpected output, so programs are not suspended between their turns here.
    with ProgramRunner(msgspec.structs.replace(terms, stopped=False)) as programs:
        for trial in trials:
            yield _TrialRun(terms, programs, bot, trial).run()


def passes_with_phase_swapped(bot: Bot, terms: MatchTerms, trial: Trial) -> bool:
    """Return whether a program that fails a trial passes it if the phase is sent at the other end of a decision.

    The bot's setting `phase_last` determines whether the phase is the first or the last line of a decision.
    """
    other = msgspec.structs.replace(bot, phase_last=not bot.phase_last)
    rules = make(terms.game)
    view = next(conversation(rules, trial, SEED))
    text_protocol = protocol(rules, terms.protocol)
    if text_protocol.format_decision(view) == text_protocol.format_decision(view, phase_last=True):
        return False
    return next(check(other, terms, [trial])).passed


class _Stop(Exception):  # noqa: N818 -- control flow, not an error
    """An exception that ends the trial with this finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.wrong)
        self.finding = finding


class _TrialRun:
    """A run of one trial."""

    def __init__(self, terms: MatchTerms, programs: ProgramRunner, bot: Bot, trial: Trial) -> None:
        self._terms, self._rules = terms, make(terms.game)
        self._protocol = protocol(self._rules, terms.protocol)
        self._programs, self._bot, self._trial = programs, bot, trial
        self._times: list[int] = []
        self._sent: tuple[str, ...] = ()
        self._decision = 0

    def run(self) -> TrialResult:
        """Run the trial and end the program, whatever happens."""
        findings: list[Finding] = []
        try:
            program = self._programs.start(self._bot)
        except ProgramError as error:
            return TrialResult(self._trial.name, 0, (Finding(error.message, "name a program that the system can run"),))
        try:
            self._ask_all(program)
            if self._trial.strict_io:
                findings += self._check_exit(program)
        except _Stop as stop:
            findings.append(stop.finding)
        finally:
            self._programs.kill(program)
        findings += self._near_timeouts()
        first, *others = self._times or [0]
        log = program.log.content()[-_SHOWN:].decode("utf-8", "replace")
        return TrialResult(self._trial.name, self._decision, tuple(findings), first, histogram_of(others), log)

    def _ask_all(self, program: Program) -> None:
        requests = conversation(self._rules, self._trial, SEED)
        start = self._protocol.format_start(self._trial.seat)
        unsent = _bytes(start)
        if self._trial.strict_io:
            self._send(program, unsent)
            unsent = b""
            self._expect_silence(program, _STARTUP_SECONDS, "before its first decision", "wait for the first decision")
        view = next(requests, None)
        while view is not None:
            lines = self._protocol.format_decision(view, phase_last=self._bot.phase_last)
            self._sent = (*start, *lines)
            data = unsent + _bytes(lines)
            if self._trial.strict_io and self._decision:
                data = self._send_most(program, data)
            action = self._ask(program, view, data)
            if self._trial.strict_io:
                self._expect_silence(program, _QUIET_SECONDS, "after its answer", "write one line for each decision")
            self._decision += 1
            start, unsent = [], b""
            try:
                view = requests.send(action)
            except StopIteration:
                return

    def _ask(self, program: Program, view: Any, data: bytes) -> Action:  # noqa: ANN401 -- each game has its own
        """Ask the program for its decision and return the action; raise `_Stop` if the program broke the terms."""
        program.elapsed_us = 0
        try:
            answer = self._programs.ask(program, data, self._limit(len(self._times)))
        except ProgramError as error:
            raise _Stop(self._explain_error(program, error, view)) from None
        self._times.append(program.elapsed_us)
        try:
            return parse_action(self._protocol, view, answer)
        except ProgramError as error:
            raise _Stop(self._finding(error.message, view, answer)) from None

    def _finding(self, wrong: str, view: Any, answer: bytes, right: str = "") -> Finding:  # noqa: ANN401 -- as above
        legal_answers = [self._protocol.format_action(action) for action in view.legal]
        answers = (
            " or ".join(legal_answers[:2]) if len(legal_answers) <= 2 else f"one of {', '.join(legal_answers[:12])}"
        )
        return Finding(wrong, right or f"answer with {answers}", self._decision, self._sent, _text(answer))

    def _explain_error(self, program: Program, error: ProgramError, view: Any) -> Finding:  # noqa: ANN401 -- as above
        """Convert an error to a finding. If the program was late, find out why."""
        if error.cause is not Cause.LATE:
            return self._finding(error.message, view, error.output, _EXPECTED.get(error.cause, ""))
        return msgspec.structs.replace(self._explain_late(program, error, view), late=True)

    def _explain_late(self, program: Program, error: ProgramError, view: Any) -> Finding:  # noqa: ANN401 -- as above
        """Convert the error of a late program, after waiting to find out whether it would answer at all."""
        output = error.output
        if not program.elapsed_us:  # the program has not answered, but may still do so
            output += self._read_output(program, max(_EXIT_SECONDS, 10 * self._terms.turn), b"\n")[0]
        if program.elapsed_us or b"\n" in output:
            right = _BUSY if error.busy else "answer sooner; this answer came too late"
            return self._finding(error.message, view, output, right)
        program.close_input()
        output += self._read_output(program, _EXIT_SECONDS, b"\n")[0]
        if b"\n" in output:
            right = "flush the output after each line, because the answer came only when the input was closed"
            return self._finding(error.message, view, output, right)
        right = "read all lines of a decision, and no more, then answer with one line; an empty hand is an empty line"
        return self._finding(f"{error.message}; nor did it answer later", view, output, right)

    def _send(self, program: Program, data: bytes) -> None:
        with suppress(OSError):  # the program has closed its input or ended, which `ask` reports
            while data:
                data = data[os.write(program.stdin, data) :]

    def _send_most(self, program: Program, data: bytes) -> bytes:
        """Send a request without its end, check that the program does not answer yet, and return the unsent end."""
        lines = data.splitlines(keepends=True)
        head = b"".join(lines[:-1]) if len(lines) > 1 else data[: len(data) // 2]
        self._send(program, head)
        self._expect_silence(
            program,
            _QUIET_SECONDS,
            "before it had all lines of the decision",
            "read a decision to the end before answering",
        )
        return data[len(head) :]

    def _expect_silence(self, program: Program, seconds: float, when: str, right: str) -> None:
        readable = select.select([program.stdout], [], [], seconds)[0]
        if readable and (output := os.read(program.stdout, 4096)):
            wrong = f"it wrote {quote_output(output)} {when}"
            raise _Stop(Finding(wrong, right, self._decision, self._sent, _text(output)))

    def _read_output(self, program: Program, seconds: float, until: bytes = b"") -> tuple[bytes, bool]:
        """Read the program's output until it contains `until`, ends, or the time is up.

        Returns:
            The output, and whether it ended.
        """
        end, output = perf_counter() + seconds, b""
        open_files = [program.stdout, program.stderr]
        while (left := end - perf_counter()) > 0 and (not until or until not in output) and len(output) < _MOST:
            for file in select.select(open_files, [], [], left)[0]:
                data = os.read(file, 1 << 16)
                if file == program.stderr:
                    program.log.add(data)
                    if not data:
                        open_files.remove(file)
                    continue
                if not data:
                    return output, True
                output += data
        return output, False

    def _check_exit(self, program: Program) -> list[Finding]:
        """Check that the program ends when its input ends, and writes nothing more."""
        program.close_input()
        output, ended = self._read_output(program, _EXIT_SECONDS)
        findings = []
        if output:
            wrong = f"it wrote {quote_output(output)} after the end of its input"
            right = "stop when there is nothing more to read"
            findings.append(Finding(wrong, right, self._decision, answered=_text(output[:4096]), advice=True))
        if not ended:
            wrong = f"it did not end within {_EXIT_SECONDS:g} s after the end of its input"
            right = "stop when there is nothing more to read, because the referee soon kills a program that does not"
            findings.append(Finding(wrong, right, self._decision, advice=True))
        return findings

    def _limit(self, number: int) -> float:
        """Return the time limit in seconds for the answer with this number, from 0."""
        return self._terms.turn if number else self._terms.first + self._terms.startup

    def _near_timeouts(self) -> Iterator[Finding]:
        """Yield advice about answers that were almost late."""
        limits = [self._limit(number) for number in range(len(self._times))]
        shares = [time / 1e6 / limit for time, limit in zip(self._times, limits, strict=True)]
        if shares and max(shares) > _NEAR_LIMIT:
            at = shares.index(max(shares))
            wrong = f"it took {self._times[at] / 1000:.0f} of the {limits[at] * 1000:.0f} ms that were allowed"
            yield Finding(wrong, "leave a margin for a busy machine", at, advice=True, late=True)


_BUSY: Final = (
    "repeat this when the machine is idle, because the program had to wait for a core; see `faceup arena doctor`"
)

_EXPECTED: Final = {
    Cause.ENDED: "read and answer until the input ends; see its stderr for why it ended",
    Cause.MALFORMED: "write one line for each decision when asked, and nothing else",
    Cause.FLOODED: "write one line for each decision, and less to stderr",
}


def _bytes(lines: Iterable[str]) -> bytes:
    return "".join([f"{line}\n" for line in lines]).encode()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").rstrip("\n")
