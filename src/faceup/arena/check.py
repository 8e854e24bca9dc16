"""Whether a program keeps to its protocol: it is tried, and what it does wrong is said in words.

It runs under the referee's own hand, on the terms of a match. What the referee would put it out for is a fault; what it
would put up with, but costs the program something, is advice.
"""

import os
import select
from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any, Final

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.matches import Cause
from faceup.arena.programs import Broken, Program, Programs
from faceup.arena.programs.breaking import quoted
from faceup.arena.protocols import protocol
from faceup.arena.sitters import Table, action_of
from faceup.arena.terms import Terms
from faceup.arena.times import Times, times_of
from faceup.arena.trials import Trial, conversation
from faceup.core import Action, make

SEED: Final = 1
"""Of the trials, so that a fault is found again."""

_STARTS: Final = 0.3
"""Seconds in which a program that speaks before it is asked has most likely started and spoken."""

_PAUSE: Final = 0.06
"""Seconds in which a program that is running has most likely said what it should not."""

_PATIENCE: Final = 1.0
"""Seconds in which a program says what it has kept back, or ends, once its input is closed."""

_MOST: Final = 1 << 20
"""Bytes from a program that are listened to."""

_SHOWN: Final = 2000
"""Bytes of its standard error that are shown."""

_CLOSE: Final = 0.7
"""Share of its time that a program may use before it is told that it is close to the limit."""


class Finding(msgspec.Struct, frozen=True):
    """Something that a program does otherwise than it should.

    Attributes:
        wrong: what it does.
        right: what would be right.
        decision: at which of its decisions in the trial, from 0.
        sent: the lines that it was sent for this decision.
        answered: what came from it, if anything did.
        advice: whether the referee puts up with it.
    """

    wrong: str
    right: str
    decision: int = 0
    sent: tuple[str, ...] = ()
    answered: str = ""
    advice: bool = False


class Tried(msgspec.Struct, frozen=True):
    """What came of a trial.

    Attributes:
        trial: its name.
        decisions: how many the program answered as it should.
        findings: what it did otherwise.
        first: of its first answer, in microseconds from the last byte that it was sent.
        others: the times of its other answers.
        log: the end of what it wrote to its standard error.
    """

    trial: str
    decisions: int
    findings: tuple[Finding, ...] = ()
    first: int = 0
    others: Times = Times()
    log: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing but advice was found."""
        return all(finding.advice for finding in self.findings)


def check(bot: Bot, terms: Terms, trials: Iterable[Trial]) -> Iterator[Tried]:
    """Try a program, trial after trial, each in a process of its own.

    Args:
        bot: the program.
        terms: on which it is to play.
        trials: on what; see `faceup.arena.trials`.

    Raises:
        Malformed: the terms name no game, or no protocol in which it can be played.
    """
    rules = make(terms.game)
    table = Table(terms, rules, protocol(rules, terms.protocol))
    with Programs(msgspec.structs.replace(terms, stopped=False)) as programs:  # so that it can speak when it should not
        for trial in trials:
            yield _Trying(table, programs, bot, trial).run()


def reads_the_other_way(bot: Bot, terms: Terms, trial: Trial) -> bool:
    """Whether a program that fails a trial passes it when the phase comes at the other end of a decision."""
    other = msgspec.structs.replace(bot, phase_last=not bot.phase_last)
    rules = make(terms.game)
    view = next(conversation(rules, trial, SEED))
    spoken = protocol(rules, terms.protocol)
    if spoken.write_ask(rules, view) == spoken.write_ask(rules, view, phase_last=True):
        return False
    [tried] = check(other, terms, [trial])
    return tried.passed


class _Stop(Exception):  # noqa: N818 -- it ends a trial, and nothing is wrong with us
    """The trial ends with this finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.wrong)
        self.finding = finding


class _Trying:
    """One trial while it goes on."""

    def __init__(self, table: Table, programs: Programs, bot: Bot, trial: Trial) -> None:
        self._table, self._programs, self._bot, self._trial = table, programs, bot, trial
        self._terms, self._rules, self._spoken = table
        self._times: list[int] = []
        self._sent: tuple[str, ...] = ()
        self._asked = 0

    def run(self) -> Tried:
        """All of it; the program is ended, whatever happens."""
        findings: list[Finding] = []
        try:
            program = self._programs.start(self._bot)
        except Broken as broken:
            return Tried(self._trial.name, 0, (Finding(broken.words, "name a program that the system can run"),))
        try:
            self._talk(program)
            if self._trial.manners:
                findings += self._parting(program)
        except _Stop as stop:
            findings.append(stop.finding)
        finally:
            self._programs.drop(program)
        findings += self._close_calls()
        first, *others = self._times or [0]
        log = program.log.kept()[-_SHOWN:].decode("utf-8", "replace")
        return Tried(self._trial.name, self._asked, tuple(findings), first, times_of(others), log)

    def _talk(self, program: Program) -> None:
        talk = conversation(self._rules, self._trial, SEED)
        start = self._spoken.write_start(self._rules, self._trial.seat)
        unsent = _bytes(start)
        if self._trial.manners:
            self._send(program, unsent)
            unsent = b""
            self._expect_silence(program, _STARTS, "before it was asked anything", "wait for the first decision")
        view = next(talk, None)
        while view is not None:
            lines = self._spoken.write_ask(self._rules, view, phase_last=self._bot.phase_last)
            self._sent = (*start, *lines)
            data = unsent + _bytes(lines)
            if self._trial.manners and self._asked:
                data = self._send_most(program, data)
            action = self._ask(program, view, data)
            if self._trial.manners:
                self._expect_silence(program, _PAUSE, "after its answer", "write one line for each decision")
            self._asked += 1
            start, unsent = [], b""
            try:
                view = talk.send(action)
            except StopIteration:
                return

    def _ask(self, program: Program, view: Any, data: bytes) -> Action:  # noqa: ANN401 -- each game has its own
        """The program's decision."""
        program.took = 0
        try:
            answer = self._programs.ask(program, data, self._limit(len(self._times)))
        except Broken as broken:
            raise _Stop(self._broken(program, broken, view)) from None
        self._times.append(program.took)
        try:
            return action_of(self._table, view, answer)
        except Broken as broken:
            raise _Stop(self._finding(broken.words, view, answer)) from None

    def _finding(self, wrong: str, view: Any, answer: bytes = b"", right: str = "") -> Finding:  # noqa: ANN401 -- as above
        known = [self._spoken.write_answer(self._rules, action) for action in view.legal]
        told = " or ".join(known[:2]) if len(known) <= 2 else f"one of {', '.join(known[:12])}"
        return Finding(wrong, right or f"answer with {told}", self._asked, self._sent, _text(answer))

    def _broken(self, program: Program, broken: Broken, view: Any) -> Finding:  # noqa: ANN401 -- as above
        """What the referee puts it out for; where it is late, whether it would have answered at all."""
        if broken.cause is not Cause.LATE:
            return self._finding(broken.words, view, broken.got, _RIGHT.get(broken.cause, ""))
        heard = broken.got
        if not program.took:  # it may still answer
            heard += self._hear(program, max(_PATIENCE, 10 * self._terms.turn), b"\n")[0]
        if program.took or b"\n" in heard:
            return self._finding(broken.words, view, heard, "answer sooner; this came too late")
        program.close_input()
        heard += self._hear(program, _PATIENCE, b"\n")[0]
        if b"\n" in heard:
            right = "flush the output after each line: it came only when the input was closed"
            return self._finding(broken.words, view, heard, right)
        right = "read all lines of a decision, and no more, then answer with a line; an empty hand is an empty line"
        return self._finding(f"{broken.words}; nor did it answer later", view, heard, right)

    def _send(self, program: Program, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(program.stdin, data) :]
        except OSError:  # it has closed its input or ended: asking will tell
            return

    def _send_most(self, program: Program, data: bytes) -> bytes:
        """Send all but the end of a decision, which no program can do without, and give that back."""
        lines = data.splitlines(keepends=True)
        head = b"".join(lines[:-1]) if len(lines) > 1 else data[: len(data) // 2]
        self._send(program, head)
        self._expect_silence(
            program, _PAUSE, "before it had all lines of the decision", "read a decision to the end before answering"
        )
        return data[len(head) :]

    def _expect_silence(self, program: Program, seconds: float, when: str, right: str) -> None:
        if select.select([program.stdout], [], [], seconds)[0]:
            heard = os.read(program.stdout, 4096)
            if heard:
                words = f"it wrote {quoted(heard)} {when}"
                raise _Stop(Finding(words, right, self._asked, self._sent, _text(heard)))

    def _hear(self, program: Program, seconds: float, until: bytes = b"") -> tuple[bytes, bool]:
        """What it writes until it has written that, or its output is closed, or the time is up; and whether it is."""
        end, heard = perf_counter() + seconds, b""
        open_ones = [program.stdout, program.stderr]
        while (left := end - perf_counter()) > 0 and (not until or until not in heard) and len(heard) < _MOST:
            for file in select.select(open_ones, [], [], left)[0]:
                data = os.read(file, 1 << 16)
                if file == program.stderr:
                    program.log.add(data)
                    if not data:
                        open_ones.remove(file)
                    continue
                if not data:
                    return heard, True
                heard += data
        return heard, False

    def _parting(self, program: Program) -> list[Finding]:
        """What it does when nothing more comes."""
        program.close_input()
        heard, ended = self._hear(program, _PATIENCE)
        found = []
        if heard:
            words = f"it wrote {quoted(heard)} when its input had ended"
            right = "stop when there is nothing more to read"
            found.append(Finding(words, right, self._asked, answered=_text(heard[:4096]), advice=True))
        if not ended:
            words = f"it did not end within {_PATIENCE:g} s when its input had ended"
            right = (
                "stop when there is nothing more to read: the referee waits a little for every program, then kills it"
            )
            found.append(Finding(words, right, self._asked, advice=True))
        return found

    def _limit(self, number: int) -> float:
        """Seconds that the program has for so many answers having been given."""
        return self._terms.turn if number else self._terms.first + self._terms.startup

    def _close_calls(self) -> Iterator[Finding]:
        """Answers that were almost late."""
        limits = [self._limit(number) for number in range(len(self._times))]
        shares = [time / 1e6 / limit for time, limit in zip(self._times, limits, strict=True)]
        if shares and max(shares) > _CLOSE:
            at = shares.index(max(shares))
            words = f"it took {self._times[at] / 1000:.0f} of its {limits[at] * 1000:.0f} ms"
            yield Finding(words, "leave room for a machine that is busy", at, advice=True)


_RIGHT: Final = {
    Cause.ENDED: "go on to read and answer until the input ends; its standard error may say why it did not",
    Cause.MALFORMED: "write nothing but one line for each decision, when it is asked for",
    Cause.FLOODED: "write one line for each decision, and little to standard error",
}


def _bytes(lines: Iterable[str]) -> bytes:
    return "".join([f"{line}\n" for line in lines]).encode()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").rstrip("\n")
