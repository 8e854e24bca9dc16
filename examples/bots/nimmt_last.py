"""A bot for the 6 nimmt! arena, written from its problem statement; it reads the phase line last.

It plays its lowest card if all rows are short, else its highest, and takes the row with the fewest heads.
"""

import sys

ROWS = 4


def cows(card: int) -> int:
    """Return the penalty of a card."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


def numbers() -> list[int]:
    """Return the numbers of the next line; exit at the end of input."""
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return [int(word) for word in line.split()]


players, me = numbers()
while True:
    last = numbers()
    rows = []
    for _ in range(ROWS):
        numbers()  # their number
        rows.append(numbers())
    scores = numbers()
    numbers()
    hand = numbers()
    phase = sys.stdin.readline().strip()
    if phase == "CHOOSE_LINE_TO_PICK":
        cheapest = min(range(ROWS), key=lambda row: sum(map(cows, rows[row])))
        print("PICK", cheapest, flush=True)
    else:
        short = max(map(len, rows)) < 4
        print("PLAY", min(hand) if short else max(hand), flush=True)
        print(f"seat {me} of {players} held {len(hand)} cards, heads {scores}, last {last}", file=sys.stderr)
