"""One program is asked, and all are listened to meanwhile.

Everything waits on descriptors. Nothing is looked at again after a while, and nothing that a program does or omits
keeps the referee from what it has to do next: a program that does not read is not written to, one that writes without
end is cut short, and what programs write to their logs is taken from them at once, so that none waits for it.
"""

import os
import select
from collections.abc import Iterable
from time import perf_counter_ns
from typing import Final

from faceup.arena.matches import Cause
from faceup.arena.programs import waiting
from faceup.arena.programs.breaking import Broken, quoted
from faceup.arena.programs.kernel import stat
from faceup.arena.programs.program import Program

LINE: Final = 4096
"""The most bytes of an answer."""

OUTPUT: Final = 1 << 20
"""The most bytes of all answers of a match."""

LOG: Final = 16 << 20
"""The most bytes that a program may write to its log in a match, whatever of it is kept."""

_CHUNK: Final = 1 << 16
_MILLISECOND: Final = 1_000_000
_READY: Final = getattr(select, "POLLIN", 0)  # 0: on Windows, where the arena runs no programs
_IN: Final = _READY | getattr(select, "POLLHUP", 0) | getattr(select, "POLLERR", 0)


class Listener:
    """Hears what programs write, and judges when their answers came.

    Args:
        strict: whether nothing is put down to the machine.
        grace: seconds allowed beyond each limit.
    """

    def __init__(self, *, strict: bool, grace: float) -> None:
        self._strict = strict
        self._grace = round(grace * 1e9)
        self._poll = select.poll()
        self._by_log: dict[int, Program] = {}
        self._own = waiting.Own()

    def add(self, program: Program) -> None:
        """Hear its log from now on."""
        self._by_log[program.stderr] = program
        self._poll.register(program.stderr, _IN)

    def remove(self, program: Program) -> None:
        """Hear it no longer."""
        if self._by_log.pop(program.stderr, None):
            self._poll.unregister(program.stderr)

    def close(self) -> None:
        """Let go of what the system lent."""
        self._own.close()

    def ask(self, program: Program, text: bytes, seconds: float) -> bytes:
        """A program's answer: one line, without its end.

        Args:
            program: one that was added.
            text: what it is sent.
            seconds: how long it has, from the last byte of the text.

        Raises:
            Broken: there is no answer, or not only one, or not in time.
        """
        poll, stdout, own = self._poll, program.stdout, self._own
        limit = int(seconds * 1e9) + self._grace
        poll.register(stdout, _IN)
        try:
            if found := poll.poll(0):
                self._before(program, found)
            if program.log.total > LOG:
                self._check_log(program)
            now = perf_counter_ns()
            if now - program.tasks.taken > waiting.FRESH and not self._strict:
                program.tasks.take(now)
            if now - own.taken > waiting.FRESH:
                own.take(now)
            program.marks.append(program.log.total)
            left = self._write(program, text)
            start = perf_counter_ns()
            if not left:
                found = poll.poll(limit // _MILLISECOND + 1)
                if found == [(stdout, _READY)]:
                    got = os.read(stdout, LINE + 1)
                    now = perf_counter_ns()
                    if 0 < got.find(b"\n") + 1 == len(got) and now - start <= limit:
                        program.took = (now - start) // 1000
                        program.grace = 0
                        program.written += len(got)
                        if program.written <= OUTPUT:
                            return got[:-1]
                    return self._listen(program, b"", start, limit, got)
            return self._listen(program, left, start, limit, b"")
        finally:
            poll.unregister(stdout)

    def hear(self) -> None:
        """Take what there is of all logs, without waiting for more."""
        while found := self._poll.poll(0):
            for file, _ in found:
                self._hear(file)

    def last_words(self, programs: Iterable[Program], patience: int) -> None:
        """Hear the logs of programs whose input was closed, until each has ended or the time is up.

        Whoever still writes answers has not noticed, as many a bot that reads in an endless loop: it is not waited for.

        Args:
            programs: which; they are heard no longer afterwards.
            patience: nanoseconds.
        """
        poll = select.poll()
        of: dict[int, Program] = {}
        for program in programs:
            for file in (program.stdout, program.stderr):
                of[file] = program
                poll.register(file, _IN)
            self.remove(program)
        end = perf_counter_ns() + patience
        while of and (left := end - perf_counter_ns()) > 0:
            for file, _ in poll.poll(left // _MILLISECOND + 1):
                if file not in of:  # its other stream said enough, just now
                    continue
                program = of[file]
                data = os.read(file, _CHUNK)
                done = [file]
                if data and file == program.stderr:
                    program.log.add(data)
                    done = [program.stdout, program.stderr] if program.log.total > LOG else []
                elif data:
                    done = [program.stdout, program.stderr]
                for each in done:
                    if of.pop(each, None):
                        poll.unregister(each)

    def _before(self, program: Program, found: list[tuple[int, int]]) -> None:
        """Take what came before the program is asked."""
        for file, _ in found:
            if file != program.stdout:
                self._hear(file)
            elif early := os.read(file, LINE):
                raise Broken(
                    Cause.MALFORMED,
                    f"it wrote {quoted(early)} before it was asked: one line answers one decision",
                    early,
                )
            else:
                raise Broken(Cause.ENDED, "")

    def _listen(self, program: Program, left: bytes, start: int, limit: int, got: bytes) -> bytes:
        """Wait for the answer, in whatever pieces it comes.

        Args:
            program: which was asked.
            left: what it has not been sent yet.
            start: when the last byte was sent.
            limit: nanoseconds that it has.
            got: what has come of its answer.
        """
        poll, now = self._poll, perf_counter_ns()
        look = start + limit
        if left:
            poll.register(program.stdin, select.POLLOUT)
        try:
            while b"\n" not in got:
                if now >= look:
                    look = self._overdue(program, now, start, limit, got, reading=not left)
                for file, _ in poll.poll((look - now) // _MILLISECOND + 1):
                    if file == program.stdout:
                        got += self._more(program, got)
                    elif file != program.stdin:
                        self._hear(file)
                    elif not (left := self._write(program, left)):
                        poll.unregister(file)
                        start = perf_counter_ns()
                        look = start + limit
                now = perf_counter_ns()
                self._check_log(program)
        finally:
            if left:
                poll.unregister(program.stdin)
        return self._judged(program, got, now - start, limit)

    def _more(self, program: Program, got: bytes) -> bytes:
        """What comes of an answer behind what there is of it."""
        data = os.read(program.stdout, LINE + 1)
        if not data:
            raise Broken(Cause.ENDED, "", got)
        if b"\n" not in data and len(got) + len(data) > LINE:
            words = f"its line has more than {LINE:,} bytes, and begins with {quoted(got + data)}"
            raise Broken(Cause.FLOODED, words, got + data)
        return data

    def _judged(self, program: Program, got: bytes, took: int, limit: int) -> bytes:
        """The line that came, if it came in time and alone."""
        line, _, more = got.partition(b"\n")
        program.took, program.grace = took // 1000, max(0, took - limit) // 1000
        if took > limit:
            owed = 0 if self._strict else program.tasks.since(perf_counter_ns()).owed + self._own.since()
            if took - limit > min(waiting.MOST, owed):
                raise Broken(Cause.LATE, f"it answered after {_ms(took)} ms, {_ms(limit)} ms were allowed", line)
        if more:
            raise Broken(
                Cause.MALFORMED, f"it wrote {quoted(more)} after the end of its answer: one line is one answer", got
            )
        if len(line) > LINE:
            raise Broken(Cause.FLOODED, f"its line has more than {LINE:,} bytes, and begins with {quoted(line)}", line)
        program.written += len(got)
        if program.written > OUTPUT:
            raise Broken(Cause.FLOODED, f"its answers add up to more than {OUTPUT:,} bytes", line)
        return line

    def _overdue(self, program: Program, now: int, start: int, limit: int, got: bytes, *, reading: bool) -> int:
        """When to look again, if a line that comes later may still be excused; else it is late.

        The kernel adds a wait to its figures only when the wait is over. So a program that is ready to run is waited
        for as long as it has not had all of its limit on a core; one that is not is owed what the figures say.
        """
        late = now - start - limit
        if reading and not self._strict and late < waiting.MOST:
            account, own = program.tasks.since(now), self._own.since()
            unused = limit + own - account.ran
            more = max(unused, _MILLISECOND) if account.ready and unused > 0 else account.owed + own - late
            if more > 0:
                self._own.take(now)
                return min(now + more, start + limit + waiting.MOST)
        if stat(program.process).state == "Z":  # what it started still holds its output
            raise Broken(Cause.ENDED, "", got)
        if not reading:
            raise Broken(Cause.LATE, f"it did not read what it was sent within {_ms(limit)} ms", got)
        came = f"nothing but {quoted(got)}, which is not a whole line," if got else "no answer"
        raise Broken(Cause.LATE, f"{came} came within {_ms(now - start)} ms, {_ms(limit)} ms were allowed", got)

    def _write(self, program: Program, text: bytes) -> bytes:
        """Send as much as the program's pipe takes; what is left."""
        try:
            return text[os.write(program.stdin, text) :]
        except BlockingIOError:
            return text
        except BrokenPipeError:
            raise Broken(Cause.ENDED, "") from None

    def _hear(self, file: int) -> None:
        """Take what came of a log; when it has ended, or is too much, listen no longer."""
        program = self._by_log[file]
        data = os.read(file, _CHUNK)
        program.log.add(data)
        if not data or program.log.total > LOG:
            self.remove(program)

    def _check_log(self, program: Program) -> None:
        if program.log.total > LOG:
            raise Broken(Cause.FLOODED, f"it wrote more than {LOG >> 20} MB to its standard error in one match")


def _ms(nanoseconds: int) -> str:
    """In milliseconds, with as many digits as matter."""
    milliseconds = nanoseconds / 1e6
    return f"{milliseconds:,.0f}" if milliseconds >= 10 else f"{milliseconds:.1f}"
