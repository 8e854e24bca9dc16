"""One decision as the arena's text protocol asks for it, and the line that answers it.

Source: codingame-6-nimmt-arena. The same for every bot: once `4 playerId`, then thirteen lines for each decision. The
phase is the first of them or the last, which the lines themselves show. Nothing here needs more than Python's own
library, so that an exported bot is made of the same source.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from faceup.core.errors import Malformed
from faceup.core.values import Action, Seat
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import MOST_CARDS, Card, Row

CHOOSE_CARD: Final = "CHOOSE_CARD_TO_PLAY"
CHOOSE_ROW: Final = "CHOOSE_LINE_TO_PICK"
LINES: Final = 13
"""Lines of a decision."""

NO_CARD: Final = -1
"""The last card of a seat that has played none in this deal, or is out."""

OUT_SCORE: Final = -999
"""The score of a seat that is out."""


class Arena(NamedTuple):
    """What the protocol takes for granted, under the names that the rules have for it."""

    seats: int = 4
    cards: int = MOST_CARDS
    rows: int = 4
    capacity: int = 5
    hand: int = 10


ARENA: Final = Arena()


class Ask(NamedTuple):
    """What the thirteen lines say.

    Attributes:
        phase: `CHOOSE_CARD` or `CHOOSE_ROW`.
        last: the last card of each seat, `NO_CARD` for none.
        rows: the rows as they stand.
        scores: of each seat as written: heads of either sign, or `OUT_SCORE`.
        hand: the cards of the hand, ascending.
        line: the number of the line of the last cards in the input, from 1, for messages.
    """

    phase: str
    last: tuple[int, ...]
    rows: tuple[Row, ...]
    scores: tuple[int, ...]
    hand: Row
    line: int = 2


def read_start(text: str) -> Seat:
    """The seat that the first line of all gives to the bot.

    Raises:
        Malformed: it is not `4 playerId`.

    >>> read_start("4 2")
    2
    """
    numbers = _numbers(text, 1, "`4 playerId`, with a player from 0 to 3")
    if len(numbers) != 2 or numbers[0] != ARENA.seats or not 0 <= numbers[1] < ARENA.seats:
        raise _unexpected(text, 1, "`4 playerId`, with a player from 0 to 3")
    return numbers[1]


def read_ask(lines: Sequence[str], line: int = 2) -> Ask:
    """The decision that thirteen lines ask for, the phase first or last among them.

    Args:
        lines: without their ends.
        line: the number of the first of them in the input.

    Raises:
        Malformed: the line that cannot be read, and what was expected there; or there are not thirteen.
    """
    first = _is_phase(lines[0]) if lines else True
    at = line + 1 if first else line
    names = ("the phase", *_NAMES) if first else (*_NAMES, "the phase")
    if len(lines) != LINES:
        missing = names[len(lines)] if len(lines) < LINES else "nothing more"
        raise Malformed(f"line {line + len(lines)}: the input ends where {missing} was expected", where="decision")
    body = lines[1:] if first else lines[:-1]
    phase = (lines[0] if first else lines[-1]).strip()
    if phase not in {CHOOSE_CARD, CHOOSE_ROW}:
        raise _unexpected(phase, line if first else line + LINES - 1, f"{CHOOSE_CARD} or {CHOOSE_ROW}")
    last = _numbers(body[0], at, names[1] if first else names[0], ARENA.seats)
    for card in last:
        if card != NO_CARD and not 1 <= card <= ARENA.cards:
            raise _unexpected(body[0], at, f"last cards, each 1 to {ARENA.cards} or {NO_CARD}")
    rows = tuple(
        _cards(body[1 + 2 * index], body[2 + 2 * index], at + 1 + 2 * index, f"row {index}")
        for index in range(ARENA.rows)
    )
    scores = _numbers(body[9], at + 9, "a score for each seat", ARENA.seats)
    hand = tuple(sorted(_cards(body[10], body[11], at + 10, "the hand")))
    return Ask(phase, last, rows, scores, hand, at)


_NAMES: Final = (
    "the last card of each seat",
    *(name for row in range(4) for name in (f"the length of row {row}", f"the cards of row {row}")),
    "a score for each seat",
    "the size of the hand",
    "the hand",
)


def check_ask(ask: Ask, seat: Seat) -> None:
    """Refuse what no game could show, though every line of it can be read.

    Raises:
        Malformed: the line that contradicts another or itself, and what was expected there.
    """
    at, low = ask.line, ask.last[seat]
    for index, row in enumerate(ask.rows):
        if not 1 <= len(row) <= ARENA.capacity or list(row) != sorted(set(row)):
            expected = f"row {index} to be 1 to {ARENA.capacity} cards that ascend"
            raise _unexpected(" ".join(map(str, row)), at + 2 + 2 * index, expected)
    seen = {card: at + 2 + 2 * index for index, row in enumerate(ask.rows) for card in row}
    if len(seen) < sum(map(len, ask.rows)):
        raise Malformed(f"line {at + 2}: expected rows without a card in common", what=ask.rows, where="rows")
    if ask.phase == CHOOSE_ROW:
        if low == NO_CARD or any(row[-1] < low for row in ask.rows):
            raise _unexpected(str(low), at, f"the last card of seat {seat}, who is to take a row, to be below all rows")
        seen |= dict.fromkeys((card for card in ask.last if card != NO_CARD), at)
    elif not ask.hand:
        raise _unexpected("", at + 11, "a hand to choose a card from")
    for card in ask.hand:
        if card in seen:
            raise _unexpected(str(card), at + 11, f"a hand without the cards of line {seen[card]}")
    if len(set(ask.hand)) < len(ask.hand):
        raise _unexpected(" ".join(map(str, ask.hand)), at + 11, "a hand of different cards")


def write_answer(action: Action) -> str:
    """The line that answers with this action.

    >>> write_answer(56), write_answer(106)
    ('PLAY 57', 'PICK 2')
    """
    return f"PLAY {action + 1}" if action < TAKE else f"PICK {action - TAKE}"


def rescue(lines: Sequence[str]) -> str | None:
    """An answer to a decision that cannot be read as a whole, if what can be read allows one.

    >>> rescue(["CHOOSE_LINE_TO_PICK", "what?"])
    'PICK 0'
    >>> rescue(["CHOOSE_CARD_TO_PLAY", *["?"] * 11, "7 44"])
    'PLAY 7'
    """
    phases = [line.strip() for line in lines]
    if CHOOSE_ROW in phases:
        return write_answer(TAKE)
    if CHOOSE_CARD not in phases or len(lines) < LINES:
        return None
    hand = lines[-1] if phases[0] == CHOOSE_CARD else lines[-2]
    cards = [int(word) for word in hand.split() if word.isascii() and word.isdecimal() and len(word) < 4]
    return next((write_answer(card - 1) for card in sorted(cards) if 1 <= card <= ARENA.cards), None)


def _is_phase(line: str) -> bool:
    """Whether it is the phase, rather than the last cards."""
    return any(character.isalpha() for character in line)


def _numbers(text: str, line: int, expected: str, count: int | None = None) -> tuple[int, ...]:
    words = text.split()
    if (count is not None and len(words) != count) or not all(map(_is_number, words)):
        raise _unexpected(text, line, expected if count is None else f"{count} integers, {expected}")
    return tuple(map(int, words))


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < 7


def _cards(size: str, cards: str, line: int, name: str) -> tuple[Card, ...]:
    [count] = _numbers(size, line, f"the number of cards of {name}", 1)
    numbers = _numbers(cards, line + 1, f"the cards of {name}")
    if len(numbers) != count:
        raise _unexpected(cards, line + 1, f"{count} cards of {name}, as line {line} says")
    if any(not 1 <= card <= ARENA.cards for card in numbers):
        raise _unexpected(cards, line + 1, f"cards of {name}, each 1 to {ARENA.cards}")
    return numbers


def _unexpected(text: str, line: int, expected: str) -> Malformed:
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return Malformed(f"line {line}: expected {expected}, not {shown!r}", what=text, where=f"line {line}")
