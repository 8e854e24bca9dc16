"""Non-blocking I/O with programs, which asks one program for an answer while it reads the stderr of all programs.

The referee waits on file descriptors and never checks at intervals. A program cannot block the referee, because a write
stops when the program's pipe is full, and output over the limit is an error. The referee reads stderr as soon as it
arrives, so that no program has to wait until it can write more.
"""

import os
import select
from collections.abc import Iterable
from time import perf_counter_ns
from typing import Final

from faceup.arena.match.result import Cause
from faceup.arena.process import cpu_credit
from faceup.arena.process.errors import ProgramError, quote_output
from faceup.arena.process.linux import stat
from faceup.arena.process.program import Program

LINE: Final = 4096
"""The most bytes in an answer."""

OUTPUT: Final = 1 << 20
"""The most bytes in all answers of a program in a match."""

LOG: Final = 16 << 20
"""The most bytes that a program may write to stderr in a match. The log may keep fewer of them."""

_SLICE: Final = 100
"""Milliseconds of one wait. If a wait takes far longer, this process did not run, for example because of Ctrl-Z."""

_PAUSE: Final = 250_000_000
"""The least nanoseconds beyond a wait that count as a pause of this process, which is not charged to programs."""

_CHUNK: Final = 1 << 16
_MILLISECOND: Final = 1_000_000
_READY: Final = getattr(select, "POLLIN", 0)  # Windows has no `poll`, but the arena runs no programs there
_IN: Final = _READY | getattr(select, "POLLHUP", 0) | getattr(select, "POLLERR", 0)


class ProgramIO:
    """A reader of what programs write, which also checks the times of their answers.

    Args:
        strict: whether programs get no CPU credit.
        grace: seconds by which an answer may exceed its limit.

    Attributes:
        paused: nanoseconds of all turns during which this process itself was stopped.
    """

    def __init__(self, *, strict: bool, grace: float) -> None:
        self.paused = 0
        self._strict = strict
        self._grace = round(grace * 1e9)
        self._poll = select.poll()
        self._by_stderr: dict[int, Program] = {}
        self._referee_wait = cpu_credit.RefereeWait()

    def add(self, program: Program) -> None:
        """Read this program's stderr from now on."""
        self._by_stderr[program.stderr] = program
        self._poll.register(program.stderr, _IN)

    def remove(self, program: Program) -> None:
        """Stop reading this program's stderr."""
        if self._by_stderr.pop(program.stderr, None):
            self._poll.unregister(program.stderr)

    def close(self) -> None:
        """Close the open files."""
        self._referee_wait.close()

    def ask(self, program: Program, text: bytes, seconds: float) -> bytes:
        """Send a request to a program that was added, and return the answer. See `ProgramRunner.ask`."""
        poll, stdout, referee_wait = self._poll, program.stdout, self._referee_wait
        limit = int(seconds * 1e9) + self._grace
        poll.register(stdout, _IN)
        try:
            if events := poll.poll(0):
                self._refuse_early_output(program, events)
            if program.log.total > LOG:
                self._check_log(program)
            now = perf_counter_ns()
            if now - program.tasks.taken > cpu_credit.FRESH and not self._strict:
                program.tasks.take(now)
            if now - referee_wait.taken > cpu_credit.FRESH:
                referee_wait.take(now)
            program.marks.append(program.log.total)
            left = self._write(program, text)
            start = perf_counter_ns()
            if not left:
                events, pause = self._wait(limit, start)
                start += pause
                if events == [(stdout, _READY)]:
                    output = os.read(stdout, LINE + 1)
                    now = perf_counter_ns()
                    if 0 < output.find(b"\n") + 1 == len(output) and now - start <= limit:
                        program.elapsed_us = (now - start) // 1000
                        program.grace = 0
                        program.written += len(output)
                        if program.written <= OUTPUT:
                            return output[:-1]
                    return self._wait_for_answer(program, b"", start, limit, output)
            return self._wait_for_answer(program, left, start, limit, b"")
        finally:
            poll.unregister(stdout)

    def read_logs(self) -> None:
        """Read what all programs have written to stderr so far, without waiting for more."""
        while events := self._poll.poll(0):
            for file, _ in events:
                self._read_log(file)

    def drain_logs(self, programs: Iterable[Program], nanoseconds: int) -> None:
        """Read the stderr of programs after their input was closed, until each program has ended or the time is up.

        If a program writes to stdout, it has not noticed the end of its input, as in an endless loop, so it is not
        waited for. All these programs are removed, as by `remove`.
        """
        poll = select.poll()
        by_file: dict[int, Program] = {}
        for program in programs:
            for file in (program.stdout, program.stderr):
                by_file[file] = program
                poll.register(file, _IN)
            self.remove(program)
        end = perf_counter_ns() + nanoseconds
        while by_file and (left := end - perf_counter_ns()) > 0:
            for file, _ in poll.poll(left // _MILLISECOND + 1):
                if file not in by_file:  # the program's other stream showed that the program is done
                    continue
                program = by_file[file]
                data = os.read(file, _CHUNK)
                done = [file]
                if data and file == program.stderr:
                    program.log.add(data)
                    done = [program.stdout, program.stderr] if program.log.total > LOG else []
                elif data:
                    done = [program.stdout, program.stderr]
                for done_file in done:
                    if by_file.pop(done_file, None):
                        poll.unregister(done_file)

    def _wait(self, nanoseconds: int, since: int) -> tuple[list[tuple[int, int]], int]:
        """Wait for events. Return them, and the nanoseconds during which this process did not run.

        A stopped process does not notice that, but the clock continues. A pause ends the wait: the caller waits again.

        Args:
            nanoseconds: the most time to wait.
            since: the time at the start of the wait.
        """
        end = since + nanoseconds
        while True:
            left = max(0, (end - since) // _MILLISECOND + 1)
            events = self._poll.poll(min(_SLICE, left))
            now = perf_counter_ns()
            pause = now - since - min(_SLICE, left) * _MILLISECOND
            if pause >= _PAUSE:
                self.paused += pause
                return events, pause
            if events or now >= end:
                return events, 0
            since = now

    def _refuse_early_output(self, program: Program, events: list[tuple[int, int]]) -> None:
        """Read what programs wrote before the request, and raise an error if the asked program wrote to stdout."""
        for file, _ in events:
            if file != program.stdout:
                self._read_log(file)
            elif output := os.read(file, LINE):
                raise ProgramError(
                    Cause.MALFORMED,
                    f"it wrote {quote_output(output)} before it was asked; it must write one line for each decision",
                    output,
                )
            else:
                raise ProgramError(Cause.ENDED, "")

    def _wait_for_answer(self, program: Program, left: bytes, start: int, limit: int, output: bytes) -> bytes:
        """Wait for the answer, which may arrive in pieces.

        Args:
            program: the program that was asked.
            left: the part of the request that is not sent yet.
            start: when the last byte of the request was sent, in nanoseconds.
            limit: nanoseconds that the program has for its answer.
            output: the part of the answer that has arrived.
        """
        poll, now = self._poll, perf_counter_ns()
        check_at = start + limit
        if left:
            poll.register(program.stdin, select.POLLOUT)
        try:
            while b"\n" not in output:
                if now >= check_at:
                    check_at = self._check_deadline(program, now, start, limit, output, reading=not left)
                events, pause = self._wait(check_at - now, now)
                start, check_at = start + pause, check_at + pause
                for file, _ in events:
                    if file == program.stdout:
                        output += self._read_more(program, output)
                    elif file != program.stdin:
                        self._read_log(file)
                    elif not (left := self._write(program, left)):
                        poll.unregister(file)
                        start = perf_counter_ns()
                        check_at = start + limit
                now = perf_counter_ns()
                self._check_log(program)
        finally:
            if left:
                poll.unregister(program.stdin)
        return self._check_answer(program, output, now - start, limit)

    def _read_more(self, program: Program, output: bytes) -> bytes:
        """Read and return the next piece of an answer of which `output` has arrived already."""
        data = os.read(program.stdout, LINE + 1)
        if not data:
            raise ProgramError(Cause.ENDED, "", output)
        if b"\n" not in data and len(output) + len(data) > LINE:
            words = f"its line has more than {LINE:,} bytes, starting with {quote_output(output + data)}"
            raise ProgramError(Cause.FLOODED, words, output + data)
        return data

    def _check_answer(self, program: Program, output: bytes, elapsed: int, limit: int) -> bytes:
        """Return the answer without its newline, if it arrived in time and nothing follows it."""
        line, _, more = output.partition(b"\n")
        program.elapsed_us, program.grace = elapsed // 1000, max(0, elapsed - limit) // 1000
        if elapsed > limit:
            owed = self._owed(program)
            if elapsed - limit > min(cpu_credit.MOST, owed):
                words = f"it answered after {_ms(elapsed)} ms, but only {_ms(limit)} ms were allowed"
                raise _late_error(words, line, late=elapsed - limit, owed=owed)
        if more:
            raise ProgramError(
                Cause.MALFORMED,
                f"it wrote {quote_output(more)} after its answer {quote_output(line)}; an answer must be one line",
                output,
            )
        if len(line) > LINE:
            raise ProgramError(
                Cause.FLOODED, f"its line has more than {LINE:,} bytes, starting with {quote_output(line)}", line
            )
        program.written += len(output)
        if program.written > OUTPUT:
            raise ProgramError(Cause.FLOODED, f"its answers add up to more than {OUTPUT:,} bytes", line)
        return line

    def _check_deadline(
        self, program: Program, now: int, start: int, limit: int, output: bytes, *, reading: bool
    ) -> int:
        """Return when to check again if CPU credit may still excuse a later answer; otherwise raise `ProgramError`.

        The kernel adds a wait to its counters only when the wait is over. So the referee waits for a program that is
        ready to run until the program has run on a core for its full limit. A program that is not ready to run gets
        the credit that the counters show.
        """
        late = now - start - limit
        if reading and not self._strict and late < cpu_credit.MOST:
            credit, waited = program.tasks.since(now), self._referee_wait.since()
            unused = limit + waited - credit.ran
            more = max(unused, _MILLISECOND) if credit.ready and unused > 0 else credit.credit + waited - late
            if more > 0:
                self._referee_wait.take(now)
                return min(now + more, start + limit + cpu_credit.MOST)
        if stat(program.process).state == "Z":  # the program has ended, but a child of it keeps its stdout open
            raise ProgramError(Cause.ENDED, "", output)
        if not reading:
            raise ProgramError(Cause.LATE, f"it did not read what it was sent within {_ms(limit)} ms", output)
        received = f"nothing but {quote_output(output)}, which is not a whole line," if output else "no answer"
        words = f"{received} came within {_ms(now - start)} ms; only {_ms(limit)} ms were allowed"
        raise _late_error(words, output, late=late, owed=self._owed(program))

    def _owed(self, program: Program) -> int:
        """Return the nanoseconds of the present answer for which the machine is responsible."""
        return 0 if self._strict else program.tasks.since(perf_counter_ns()).credit + self._referee_wait.since()

    def _write(self, program: Program, text: bytes) -> bytes:
        """Write as much as the program's pipe takes, and return the rest."""
        try:
            return text[os.write(program.stdin, text) :]
        except BlockingIOError:
            return text
        except BrokenPipeError:
            raise ProgramError(Cause.ENDED, "") from None

    def _read_log(self, file: int) -> None:
        """Read what a program has written to stderr; stop watching stderr at its end, or if it exceeds the limit."""
        program = self._by_stderr[file]
        data = os.read(file, _CHUNK)
        program.log.add(data)
        if not data or program.log.total > LOG:
            self.remove(program)

    def _check_log(self, program: Program) -> None:
        if program.log.total > LOG:
            raise ProgramError(Cause.FLOODED, f"it wrote more than {LOG >> 20} MB to its standard error in one match")


def _late_error(words: str, output: bytes, *, late: int, owed: int) -> ProgramError:
    """Return the error for a late answer. It names the machine if the machine, not the program, took the time."""
    if busy := owed >= late:
        excused = _ms(cpu_credit.MOST)
        words += f"; the machine was busy: the program waited {_ms(owed)} ms for a core, of which {excused} are excused"
    return ProgramError(Cause.LATE, words, output, busy=busy)


def _ms(nanoseconds: int) -> str:
    """Format nanoseconds as milliseconds, with one decimal if they are fewer than 10."""
    milliseconds = nanoseconds / 1e6
    return f"{milliseconds:,.0f}" if milliseconds >= 10 else f"{milliseconds:.1f}"
