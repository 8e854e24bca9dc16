"""Arena bots with one fault, which the first argument names.

Run as `python -I -S faulty_bots.py KIND`. Without a fault it plays its first card, and takes row 0.
"""

import sys
import time

kind = sys.argv[1] if len(sys.argv) > 1 else "right"
source = iter(sys.stdin.readline, "")
held: list[str] = []


def say(text: str, *, flush: bool = True) -> None:
    sys.stdout.write(text)
    if flush:
        sys.stdout.flush()


def line() -> str:
    text: str | None = next(source, None)
    if text is None:
        if kind == "stays":
            time.sleep(60)
        if kind == "prints goodbye":
            say("goodbye\n")
        sys.exit()
    return text.rstrip("\n")


def decision() -> tuple[str, list[str], list[str]]:
    """Return the phase, the lines between, and the hand."""
    if kind == "last":
        lines = [line() for _ in range(13)]
        return lines[12], lines[:11], lines[11].split()
    phase = line()
    between = [line() for _ in range(11)]
    if kind == "guesses" and held:
        return phase, between, held
    if kind == "skips empty lines":  # skips empty lines like a reader of words
        hand = line() or line()
        return phase, between, hand.split()
    return phase, between, line().split()


def main() -> None:  # noqa: C901, PLR0912 -- a branch for each fault
    global held  # noqa: PLW0603 -- a script of few lines, and quick to start
    if kind == "early":
        say("ready\n")
    start = line()
    if kind == "wrong start":
        say(f"hello {start}\n")
    asked = 0
    while True:
        phase, between, hand = decision()
        asked += 1
        scores = between[9].split()
        lengths = [between[row] for row in (1, 3, 5, 7)]
        if kind == "dies of five cards" and lengths == ["5"] * 4:
            raise SystemExit(3)
        if kind == "dies of seats that are out" and "-999" in scores:
            raise SystemExit(4)
        if kind == "dies of large heads" and any(int(score) > 300 for score in scores):
            raise SystemExit(5)
        if kind == "dies in the second deal" and asked > 10 and len(hand) == 10:
            raise SystemExit(6)
        if (kind == "slow first" and asked == 1) or (kind == "slow" and asked == 3):
            time.sleep(0.4)
        if kind == "silent" and asked == 2:
            time.sleep(60)
        if phase == "CHOOSE_LINE_TO_PICK":
            answer = "PICK 4" if kind == "row 4" else "PICK 0"
            if kind == "plays instead":
                answer = "PLAY 1"
        else:
            card = "104" if kind == "card not held" and "104" not in hand else hand[0]
            answer = f"play {card}" if kind == "small letters" else f"PLAY {card}"
            if kind == "message":
                answer += " have at you"
        if kind == "two lines":
            answer += "\nPLAY 1"
        say(f"{answer}\n", flush=kind != "keeps back")
        if kind == "afterthought":
            time.sleep(0.02)
            say("thinking about the next one\n")
        if kind == "guesses":  # the next hand, computed instead of read
            if held:
                line()
            held = [card for card in hand if card != hand[0]]


if __name__ == "__main__":
    main()
