"""Hostile programs: `python -I -S hostile.py FAULT`. Imports are minimal to start fast.

Each plays correctly except for its own fault, from some decision on.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # to load `typing` would take longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable

    Fault = Callable[[str, str, list[int]], "str | None"]
    """Maps the correct answer, the phase and the hand to the line to write, if any."""


def line() -> str:
    """Return the next line of the input; exit at its end."""
    text = sys.stdin.readline()
    if not text:
        sys.exit(0)
    return text.rstrip("\n")


def write(text: str, file: int = 1) -> None:
    """Write without buffering."""
    os.write(file, text.encode())


def forever() -> None:
    """Do nothing, and never end."""
    while True:
        time.sleep(1000)


def play(fault: Fault | None = None, at: int = 0, times: int = 1000) -> None:
    """Play matches, with the fault in `times` decisions from number `at` on."""
    number = 0
    first = line()
    while True:
        if len(first.split()) == 2:
            first = line()
        lines = [first, *(line() for _ in range(12))]
        phase, hand = lines[0], [int(card) for card in lines[12].split()]
        answer: str | None = f"PLAY {hand[0]}" if phase == "CHOOSE_CARD_TO_PLAY" else "PICK 0"
        if fault and answer and at <= number < at + times:
            answer = fault(answer, phase, hand)
        if answer is not None:
            write(answer + "\n")
        number += 1
        first = line()


def answer_with(text: str) -> Fault:
    """Answer with another text."""
    return lambda *_: text


def answer_after_sleep(seconds: float) -> Fault:
    """Answer correctly after sleeping."""

    def wait(answer: str, *_: object) -> str:
        time.sleep(seconds)
        return answer

    return wait


def work(seconds: float) -> None:
    """Keep a core busy for some seconds of wall-clock time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def answer_after_cpu_time(seconds: float) -> Fault:
    """Answer correctly after this much CPU time."""

    def think(answer: str, *_: object) -> str:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return answer

    return think


def answer_after_work(seconds: float) -> Fault:
    """Answer correctly after computing for this much wall-clock time."""

    def think(answer: str, *_: object) -> str:
        work(seconds)
        return answer

    return think


def in_a_child(seconds: float) -> Fault:
    """Work in a child process."""

    def think(answer: str, *_: object) -> str:
        child = os.fork()
        if not child:
            work(seconds)
            os._exit(0)
        os.waitpid(child, 0)
        return answer

    return think


def in_threads(seconds: float) -> Fault:
    """Work in two threads."""

    def think(answer: str, *_: object) -> str:
        import threading
        from hashlib import pbkdf2_hmac

        end = time.monotonic() + seconds

        def hash_on() -> None:
            while time.monotonic() < end:
                pbkdf2_hmac("sha256", b"x" * 64, b"y" * 64, 10_000)  # lets other threads run

        other = threading.Thread(target=hash_on)
        other.start()
        hash_on()
        other.join()
        return answer

    return think


def crash(*_: object) -> None:
    """Raise an exception."""
    write("I feel unwell\n", 2)
    raise ValueError("the end")


def report(answer: str, *_: object) -> str:
    """Answer correctly and report columns."""
    write("[depth=3]\nthinking\n[depth=4]\n", 2)
    return answer


def write_half_a_line(answer: str, *_: object) -> None:
    """Write an answer without its newline."""
    write(answer)
    forever()


def answer_in_pieces(answer: str, *_: object) -> None:
    """Answer correctly in three writes."""
    for piece in (answer[:3], answer[3:], "\n"):
        write(piece)
        time.sleep(0.002)


def answer_twice(answer: str, *_: object) -> str:
    """Answer answer_twice, with a pause between."""
    write(answer + "\n")
    time.sleep(0.002)
    return answer


def write_endlessly(text: str, file: int) -> Fault:
    """Write output endlessly."""

    def flood(*_: object) -> None:
        while True:
            write(text * ((1 << 16) // len(text)), file)

    return flood


def close_streams(*files: int) -> Fault:
    """Close these streams, and run forever."""

    def close(answer: str, *_: object) -> None:
        for file in files:
            os.close(file)
        if 1 not in files:
            write(answer + "\n")
        forever()

    return close


def leave_children(answer: str, *_: object) -> str:
    """Leave children in the process group and outside it, with a parent and orphaned. None exits on its own."""
    for new_session in (False, True):
        for orphan in (False, True):
            if not os.fork():
                if orphan and os.fork():
                    os._exit(0)
                if new_session:
                    os.setsid()
                forever()
    return answer


def start_generations_of_children(answer: str, *_: object) -> str:
    """Start three generations of children, each in a new session."""

    def start_generation(depth: int) -> None:
        for _ in range(3):
            if not os.fork():
                os.setsid()
                if depth:
                    start_generation(depth - 1)
                forever()

    start_generation(2)
    return answer


def let_a_child_flood(answer: str, *_: object) -> str:
    """Let a child write stderr endlessly, also during other players' turns."""
    if not os.fork():
        write_endlessly("x", 2)("", "", [])
    return answer


def exit_with_child_holding_output(*_: object) -> None:
    """Exit while a child keeps the output open."""
    if os.fork():
        os._exit(3)
    forever()


def send_signal_to_self(name: str) -> Fault:
    """Send a signal to itself."""

    def send(*_: object) -> None:
        import signal

        os.kill(os.getpid(), getattr(signal, name))

    return send


def allocate_endlessly(*_: object) -> None:
    """Allocate memory endlessly."""
    kept = []
    while True:
        kept.append(bytearray(1 << 24))


def play_card_not_held(answer: str, phase: str, hand: list[int]) -> str:
    """Play a card that is not in the hand."""
    del answer, phase
    return f"PLAY {next(card for card in range(1, 105) if card not in hand)}"


def choose_missing_row(answer: str, *_: object) -> str:
    """Choose a row that does not exist."""
    return answer.replace("PICK 0", "PICK 4")


def write_bytes_that_are_not_text(*_: object) -> None:
    """Write bytes that are not text."""
    os.write(1, b"PLAY \xff\xfe\n")


def ignore_signals() -> None:
    """Ignore all signals that can be ignored, play correctly, and keep running at the end of the input."""
    import signal

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    try:
        play()
    except SystemExit:
        forever()


def end_between_matches(answer: str, phase: str, hand: list[int]) -> str | None:
    """Exit if no request follows the last card for a while."""
    import select

    if len(hand) > 1 or phase != "CHOOSE_CARD_TO_PLAY":
        return answer
    write(answer + "\n")
    if not select.select([0], [], [], 0.05)[0]:
        sys.exit(0)
    return None


class Between:
    """A child that computes during other players' turns, and reports its CPU milliseconds."""

    def __init__(self) -> None:
        self.child = os.fork()
        if not self.child:
            while True:
                pass
        self.answered: float | None = None
        self.total = 0.0

    def clock(self) -> float:
        """Return the CPU seconds of the child; the clock ID is computed as the C library does."""
        return time.clock_gettime(~self.child << 3 | 2)

    def answer(self, answer: str, *_: object) -> None:
        """Report the CPU time and answer."""
        if self.answered is not None:
            self.total += self.clock() - self.answered
        write(f"[between={1000 * self.total:.0f}]\n", 2)
        write(answer + "\n")
        self.answered = self.clock()


def answer_endlessly_at_end() -> None:
    """Play correctly, and write answers endlessly after the end of the input."""
    try:
        play()
    except SystemExit:
        write_endlessly("PLAY 0\n", 1)("", "", [])


FAULTS: dict[str, Callable[[], object]] = {
    "instant": play,
    "slow": lambda: play(answer_after_sleep(0.01)),
    "in pieces": lambda: play(answer_in_pieces),
    "carriage return": lambda: play(lambda answer, *_: answer + "\r"),
    "message": lambda: play(lambda answer, *_: answer + " \N{WAVING HAND SIGN} there"),
    "reports": lambda: play(report),
    "ends between matches": lambda: play(end_between_matches),
    "thinks between turns": lambda: play(Between().answer),
    "deaf": ignore_signals,
    "spins": answer_endlessly_at_end,
    "leaves children": lambda: play(leave_children, times=1),
    "multiplies": lambda: play(start_generations_of_children, times=1),
    "just late": lambda: play(answer_after_sleep(0.15), at=2),
    "sleeps": lambda: play(answer_after_sleep(0.15), at=1),
    "needs 12 ms": lambda: play(answer_after_cpu_time(0.012), at=1),
    "thinks": lambda: play(answer_after_work(0.35), at=1),
    "thinks in a child": lambda: play(in_a_child(0.35), at=1),
    "thinks in threads": lambda: play(in_threads(0.35), at=1),
    "crashes": lambda: play(crash, at=3),
    "garbage": lambda: play(answer_with("hello"), at=1),
    "empty line": lambda: play(answer_with("")),
    "half a line": lambda: play(write_half_a_line, at=1),
    "two answers": lambda: play(lambda answer, *_: f"{answer}\n{answer}", at=1),
    "twice": lambda: play(answer_twice, at=1),
    "endless output": lambda: play(write_endlessly("PLAY 1\n", 1), at=1),
    "endless line": lambda: play(write_endlessly("x", 1), at=1),
    "endless log": lambda: play(write_endlessly("x", 2), at=1),
    "endless log of a child": lambda: play(let_a_child_flood, times=1),
    "huge line": lambda: play(lambda answer, *_: f"{answer} {'x' * 100_000}", at=1),
    "NUL": lambda: play(lambda answer, *_: answer + "\0", at=1),
    "not text": lambda: play(write_bytes_that_are_not_text, at=1),
    "wrong phase": lambda: play(lambda answer, *_: answer.replace("PLAY", "PICK")),
    "card not held": lambda: play(play_card_not_held, at=1),
    "row 4": lambda: play(choose_missing_row),
    "silent": lambda: play(lambda *_: forever(), at=1),
    "closes input": lambda: play(close_streams(0), at=1),
    "closes output": lambda: play(close_streams(1), at=1),
    "closes everything": lambda: play(close_streams(0, 1, 2), at=1),
    "exits": lambda: sys.exit(0),
    "exits with 3": lambda: play(lambda *_: os._exit(3), at=1),
    "leaves it to a child": lambda: play(exit_with_child_holding_output, at=1),
    "is killed": lambda: play(send_signal_to_self("SIGSEGV"), at=1),
    "stops": lambda: play(send_signal_to_self("SIGSTOP"), at=1),
    "takes memory": lambda: play(allocate_endlessly, at=1),
    "never reads": forever,
}

if __name__ == "__main__":
    FAULTS[sys.argv[1]]()
