"""Programs that make trouble, each in its own way: `python -I -S hostile.py WAY`, with nothing loaded that is not used.

Each plays rightly but for its own trouble, from some decision on.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # to load `typing` would take longer than all the rest
if TYPE_CHECKING:
    from collections.abc import Callable

    Trouble = Callable[[str, str, list[int]], "str | None"]
    """From the right answer, the phase and the hand to what is written as a line, if anything is."""


def line() -> str:
    """The next line of the input; where there is none, the end of the program."""
    text = sys.stdin.readline()
    if not text:
        sys.exit(0)
    return text.rstrip("\n")


def write(text: str, file: int = 1) -> None:
    """Write at once."""
    os.write(file, text.encode())


def forever() -> None:
    """Do nothing, and never end."""
    while True:
        time.sleep(1000)


def play(trouble: Trouble | None = None, at: int = 0, times: int = 1000) -> None:
    """Play matches, with trouble in so many decisions from the given one on."""
    number = 0
    first = line()
    while True:
        if len(first.split()) == 2:
            first = line()
        lines = [first, *(line() for _ in range(12))]
        phase, hand = lines[0], [int(card) for card in lines[12].split()]
        answer: str | None = f"PLAY {hand[0]}" if phase == "CHOOSE_CARD_TO_PLAY" else "PICK 0"
        if trouble and answer and at <= number < at + times:
            answer = trouble(answer, phase, hand)
        if answer is not None:
            write(answer + "\n")
        number += 1
        first = line()


def instead(text: str) -> Trouble:
    """Another answer."""
    return lambda *_: text


def later(seconds: float) -> Trouble:
    """The right answer, but later."""

    def wait(answer: str, *_: object) -> str:
        time.sleep(seconds)
        return answer

    return wait


def work(seconds: float) -> None:
    """Keep a core busy, for so long by the clock."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def thinking(seconds: float) -> Trouble:
    """The right answer after so much time, all of it spent on a core."""

    def think(answer: str, *_: object) -> str:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return answer

    return think


def busy(seconds: float) -> Trouble:
    """The right answer after so much time, as much of it on a core as can be had."""

    def think(answer: str, *_: object) -> str:
        work(seconds)
        return answer

    return think


def in_a_child(seconds: float) -> Trouble:
    """The same in another process."""

    def think(answer: str, *_: object) -> str:
        child = os.fork()
        if not child:
            work(seconds)
            os._exit(0)
        os.waitpid(child, 0)
        return answer

    return think


def in_threads(seconds: float) -> Trouble:
    """The same in two threads at a time."""

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
    """An exception."""
    write("I feel unwell\n", 2)
    raise ValueError("the end")


def report(answer: str, *_: object) -> str:
    """The right answer, and figures."""
    write("[depth=3]\nthinking\n[depth=4]\n", 2)
    return answer


def half_a_line(answer: str, *_: object) -> None:
    """An answer that does not end."""
    write(answer)
    forever()


def in_pieces(answer: str, *_: object) -> None:
    """A right answer, in three writes."""
    for piece in (answer[:3], answer[3:], "\n"):
        write(piece)
        time.sleep(0.002)


def twice(answer: str, *_: object) -> str:
    """The answer, and a little later again."""
    write(answer + "\n")
    time.sleep(0.002)
    return answer


def endless(text: str, file: int) -> Trouble:
    """Output without end."""

    def flood(*_: object) -> None:
        while True:
            write(text * ((1 << 16) // len(text)), file)

    return flood


def closing(*files: int) -> Trouble:
    """Nothing more is read or written there."""

    def close(answer: str, *_: object) -> None:
        for file in files:
            os.close(file)
        if 1 not in files:
            write(answer + "\n")
        forever()

    return close


def leave_children(answer: str, *_: object) -> str:
    """Children in the group and outside of it, with a parent and without: none of them ends by itself."""
    for new_session in (False, True):
        for orphan in (False, True):
            if not os.fork():
                if orphan and os.fork():
                    os._exit(0)
                if new_session:
                    os.setsid()
                forever()
    return answer


def multiply(answer: str, *_: object) -> str:
    """Children that have children that have children, each in a session of its own."""

    def sprout(depth: int) -> None:
        for _ in range(3):
            if not os.fork():
                os.setsid()
                if depth:
                    sprout(depth - 1)
                forever()

    sprout(2)
    return answer


def let_a_child_flood(answer: str, *_: object) -> str:
    """A log without end, whoever is to answer."""
    if not os.fork():
        endless("x", 2)("", "", [])
    return answer


def leave_it_to_a_child(*_: object) -> None:
    """The program ends, but its output does not."""
    if os.fork():
        os._exit(3)
    forever()


def signal_itself(name: str) -> Trouble:
    """Ended or stopped by a signal."""

    def send(*_: object) -> None:
        import signal

        os.kill(os.getpid(), getattr(signal, name))

    return send


def take_memory(*_: object) -> None:
    """All of it."""
    kept = []
    while True:
        kept.append(bytearray(1 << 24))


def not_held(answer: str, phase: str, hand: list[int]) -> str:
    """A card that it does not hold."""
    del answer, phase
    return f"PLAY {next(card for card in range(1, 105) if card not in hand)}"


def row_4(answer: str, *_: object) -> str:
    """A row that is not there, when it is to choose one."""
    return answer.replace("PICK 0", "PICK 4")


def not_text(*_: object) -> None:
    """Bytes that are no letters."""
    os.write(1, b"PLAY \xff\xfe\n")


def deaf() -> None:
    """Ignores all signals that can be ignored, plays well, and does not end with its input."""
    import signal

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    try:
        play()
    except SystemExit:
        forever()


def end_between_matches(answer: str, phase: str, hand: list[int]) -> str | None:
    """Nobody asks for more for a while after the last card: then it is over."""
    import select

    if len(hand) > 1 or phase != "CHOOSE_CARD_TO_PLAY":
        return answer
    write(answer + "\n")
    if not select.select([0], [], [], 0.05)[0]:
        sys.exit(0)
    return None


class Between:
    """A child that thinks on while others are asked; reports for how many milliseconds it had a core then."""

    def __init__(self) -> None:
        self.child = os.fork()
        if not self.child:
            while True:
                pass
        self.answered: float | None = None
        self.total = 0.0

    def clock(self) -> float:
        """For how long the child has had a core; the number of its clock is made as the C library makes it."""
        return time.clock_gettime(~self.child << 3 | 2)

    def answer(self, answer: str, *_: object) -> None:
        """Report, and answer."""
        if self.answered is not None:
            self.total += self.clock() - self.answered
        write(f"[between={1000 * self.total:.0f}]\n", 2)
        write(answer + "\n")
        self.answered = self.clock()


def spin() -> None:
    """Plays well, and when the input has ended answers on without end, as a loop that does not look."""
    try:
        play()
    except SystemExit:
        endless("PLAY 0\n", 1)("", "", [])


WAYS: dict[str, Callable[[], object]] = {
    "instant": play,
    "slow": lambda: play(later(0.01)),
    "in pieces": lambda: play(in_pieces),
    "carriage return": lambda: play(lambda answer, *_: answer + "\r"),
    "message": lambda: play(lambda answer, *_: answer + " \N{WAVING HAND SIGN} there"),
    "reports": lambda: play(report),
    "ends between matches": lambda: play(end_between_matches),
    "thinks between turns": lambda: play(Between().answer),
    "deaf": deaf,
    "spins": spin,
    "leaves children": lambda: play(leave_children, times=1),
    "multiplies": lambda: play(multiply, times=1),
    "just late": lambda: play(later(0.15), at=2),
    "sleeps": lambda: play(later(0.15), at=1),
    "needs 12 ms": lambda: play(thinking(0.012), at=1),
    "thinks": lambda: play(busy(0.35), at=1),
    "thinks in a child": lambda: play(in_a_child(0.35), at=1),
    "thinks in threads": lambda: play(in_threads(0.35), at=1),
    "crashes": lambda: play(crash, at=3),
    "garbage": lambda: play(instead("hello"), at=1),
    "empty line": lambda: play(instead("")),
    "half a line": lambda: play(half_a_line, at=1),
    "two answers": lambda: play(lambda answer, *_: f"{answer}\n{answer}", at=1),
    "twice": lambda: play(twice, at=1),
    "endless output": lambda: play(endless("PLAY 1\n", 1), at=1),
    "endless line": lambda: play(endless("x", 1), at=1),
    "endless log": lambda: play(endless("x", 2), at=1),
    "endless log of a child": lambda: play(let_a_child_flood, times=1),
    "huge line": lambda: play(lambda answer, *_: f"{answer} {'x' * 100_000}", at=1),
    "NUL": lambda: play(lambda answer, *_: answer + "\0", at=1),
    "not text": lambda: play(not_text, at=1),
    "wrong phase": lambda: play(lambda answer, *_: answer.replace("PLAY", "PICK")),
    "card not held": lambda: play(not_held, at=1),
    "row 4": lambda: play(row_4),
    "silent": lambda: play(lambda *_: forever(), at=1),
    "closes input": lambda: play(closing(0), at=1),
    "closes output": lambda: play(closing(1), at=1),
    "closes everything": lambda: play(closing(0, 1, 2), at=1),
    "exits": lambda: sys.exit(0),
    "exits with 3": lambda: play(lambda *_: os._exit(3), at=1),
    "leaves it to a child": lambda: play(leave_it_to_a_child, at=1),
    "is killed": lambda: play(signal_itself("SIGSEGV"), at=1),
    "stops": lambda: play(signal_itself("SIGSTOP"), at=1),
    "takes memory": lambda: play(take_memory, at=1),
    "never reads": forever,
}

if __name__ == "__main__":
    WAYS[sys.argv[1]]()
