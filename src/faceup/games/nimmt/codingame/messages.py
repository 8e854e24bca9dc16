"""The messages of the CodinGame arena's text protocol.

A bot first reads `4 playerId`, and then thirteen lines for each decision. The phase is either the first or the last of
the thirteen lines; the parser tells these cases apart by the content of the lines. A score is a seat's heads in the
match so far, written without a minus sign. When a seat must choose a row, the scores do not yet include this turn.
Parsing needs only Python's standard library, so that an exported bot can share the code.

Source: codingame-6-nimmt-arena. Its text has lost the minus signs of -1 (no last card) and -999 (a seat that is out).
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

from faceup.core.errors import Malformed
from faceup.core.values import Action, Seat
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.cards import MOST_CARDS, Card, Row
from faceup.games.nimmt.state import Turn, View

CHOOSE_CARD: Final = "CHOOSE_CARD_TO_PLAY"
CHOOSE_ROW: Final = "CHOOSE_LINE_TO_PICK"
LINES: Final = 13
"""Number of lines of a decision."""

NO_CARD: Final = -1
"""The number written as the last card of a seat that has played no card in this deal, or is out."""

OUT_SCORE: Final = -999
"""The number written as the score of a seat that is out."""


class Arena(NamedTuple):
    """The fixed parameters of the protocol, with the names that the rules use."""

    seats: int = 4
    cards: int = MOST_CARDS
    rows: int = 4
    capacity: int = 5
    hand: int = 10
    deals: int = 5

    def is_last_deal(self, view: View) -> bool:
        """Return whether the match ends with the deal of a view or `Knowledge`."""
        return len(view.earlier) + 1 >= self.deals


ARENA: Final = Arena()


class DecisionMessage(NamedTuple):
    """The content of the thirteen lines of a decision.

    Attributes:
        phase: `CHOOSE_CARD` or `CHOOSE_ROW`.
        last: each seat's last card, or `NO_CARD`.
        rows: the rows on the table.
        scores: each seat's score as it was written: its heads, with or without a minus sign, or `OUT_SCORE`.
        hand: the cards of the hand, ascending.
        line: number of the input line that has the last cards, from 1; error messages are based on it.
    """

    phase: str
    last: tuple[int, ...]
    rows: tuple[Row, ...]
    scores: tuple[int, ...]
    hand: Row
    line: int = 2


def parse_start(text: str) -> Seat:
    """Parse the first line and return the bot's seat.

    Raises:
        Malformed: the line is not `4 playerId`.

    >>> parse_start("4 2")
    2
    """
    numbers = _numbers(text, 1, "`4 playerId`, with a player from 0 to 3")
    if len(numbers) != 2 or numbers[0] != ARENA.seats or not 0 <= numbers[1] < ARENA.seats:
        raise _unexpected(text, 1, "`4 playerId`, with a player from 0 to 3")
    return numbers[1]


def parse_decision(lines: Sequence[str], line: int = 2) -> DecisionMessage:
    """Parse a decision of thirteen lines, with the phase first or last.

    Args:
        lines: the lines without line ends.
        line: number of the first of these lines in the input, from 1.

    Raises:
        Malformed: a line is unreadable, or there are not thirteen lines; the message names the expected content.
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
        _read_cards(body[1 + 2 * index], body[2 + 2 * index], at + 1 + 2 * index, f"row {index}")
        for index in range(ARENA.rows)
    )
    scores = _numbers(body[9], at + 9, "a score for each seat", ARENA.seats)
    hand = tuple(sorted(_read_cards(body[10], body[11], at + 10, "the hand")))
    return DecisionMessage(phase, last, rows, scores, hand, at)


_NAMES: Final = (
    "the last card of each seat",
    *(name for row in range(4) for name in (f"the length of row {row}", f"the cards of row {row}")),
    "a score for each seat",
    "the size of the hand",
    "the hand",
)


def check_decision(message: DecisionMessage, seat: Seat) -> None:
    """Raise `Malformed` for a readable but impossible decision.

    Raises:
        Malformed: a line contradicts itself or another line; the message names the expected content.
    """
    at, low = message.line, message.last[seat]
    for index, row in enumerate(message.rows):
        if not 1 <= len(row) <= ARENA.capacity or list(row) != sorted(set(row)):
            expected = f"row {index} to be 1 to {ARENA.capacity} cards that ascend"
            raise _unexpected(" ".join(map(str, row)), at + 2 + 2 * index, expected)
    seen = {card: at + 2 + 2 * index for index, row in enumerate(message.rows) for card in row}
    if len(seen) < sum(map(len, message.rows)):
        raise Malformed(f"line {at + 2}: expected rows without a card in common", what=message.rows, where="rows")
    if message.phase == CHOOSE_ROW:
        if low == NO_CARD or any(row[-1] < low for row in message.rows):
            raise _unexpected(
                str(low), at, f"the last card of seat {seat}, which must take a row, to be below all rows"
            )
        seen |= dict.fromkeys((card for card in message.last if card != NO_CARD), at)
    elif not message.hand:
        raise _unexpected("", at + 11, "a hand to choose a card from")
    for card in message.hand:
        if card in seen:
            raise _unexpected(str(card), at + 11, f"a hand without the cards of line {seen[card]}")
    if len(set(message.hand)) < len(message.hand):
        raise _unexpected(" ".join(map(str, message.hand)), at + 11, "a hand of different cards")


def format_action(action: Action) -> str:
    """Return the answer line for an action.

    >>> format_action(56), format_action(106)
    ('PLAY 57', 'PICK 2')
    """
    return f"PLAY {action + 1}" if action < TAKE else f"PICK {action - TAKE}"


def fallback_action(lines: Sequence[str]) -> str | None:
    """Return an answer to a decision that is only partly readable, or None if too little of it is readable.

    >>> fallback_action(["CHOOSE_LINE_TO_PICK", "what?"])
    'PICK 0'
    >>> fallback_action(["CHOOSE_CARD_TO_PLAY", *["?"] * 11, "7 44"])
    'PLAY 7'
    """
    phases = [line.strip() for line in lines]
    if CHOOSE_ROW in phases:
        return format_action(TAKE)
    if CHOOSE_CARD not in phases or len(lines) < LINES:
        return None
    hand = lines[-1] if phases[0] == CHOOSE_CARD else lines[-2]
    cards = [int(word) for word in hand.split() if word.isascii() and word.isdecimal() and len(word) < 4]
    return next((format_action(card - 1) for card in sorted(cards) if 1 <= card <= ARENA.cards), None)


def _is_phase(line: str) -> bool:
    """Return whether the line is the phase, rather than the last card of each seat."""
    return any(character.isalpha() for character in line)


def _numbers(text: str, line: int, expected: str, count: int | None = None) -> tuple[int, ...]:
    words = text.split()
    if (count is not None and len(words) != count) or not all(map(_is_number, words)):
        raise _unexpected(text, line, expected if count is None else f"{count} integers, {expected}")
    return tuple(map(int, words))


def _is_number(word: str) -> bool:
    digits = word.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) < 7


def _read_cards(size: str, cards: str, line: int, name: str) -> tuple[Card, ...]:
    [count] = _numbers(size, line, f"the number of cards of {name}", 1)
    numbers = _numbers(cards, line + 1, f"the cards of {name}")
    if len(numbers) != count:
        raise _unexpected(cards, line + 1, f"{count} cards of {name}, the number in line {line}")
    if any(not 1 <= card <= ARENA.cards for card in numbers):
        raise _unexpected(cards, line + 1, f"cards of {name}, each 1 to {ARENA.cards}")
    return numbers


def _unexpected(text: str, line: int, expected: str) -> Malformed:
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    return Malformed(f"line {line}: expected {expected}; got {shown!r}", what=text, where=f"line {line}")


def format_start(seat: Seat) -> list[str]:
    """Return the line that a bot reads first.

    >>> format_start(2)
    ['4 2']
    """
    return [f"{ARENA.seats} {seat}"]


def format_decision(view: View, *, phase_last: bool = False) -> list[str]:
    """Return the thirteen lines that ask this view's seat for a decision.

    Args:
        view: view of a seat that is to act, under the rules `nimmt:arena`.
        phase_last: whether to put the phase after the other lines, as the platform is reported to do.
    """
    hand = view.hand
    lines = [*_shared(view.log[-1:], view.out, view.rows, view.heads), _NUMBERS[len(hand)], _format_cards(hand)]
    phase = CHOOSE_ROW if view.waiting else CHOOSE_CARD
    return [*lines, phase] if phase_last else [phase, *lines]


# All seats of a turn share these lines, and formatting them takes most of the time of a decision.
@lru_cache(maxsize=64)
def _shared(
    last_turn: tuple[Turn, ...], out: tuple[tuple[Seat, ...], ...], rows: tuple[Row, ...], heads: tuple[int, ...]
) -> tuple[str, ...]:
    """Return the lines that do not depend on the seat."""
    plays = last_turn[0].plays if last_turn else (0,) * len(heads)
    last = [card or NO_CARD for card in plays]
    scores = list(heads)
    for seat in chain.from_iterable(out):
        last[seat], scores[seat] = NO_CARD, OUT_SCORE
    return (_spaced(last), *chain.from_iterable(map(_row, rows)), _spaced(scores))


@lru_cache(maxsize=1024)  # most rows are unchanged since the last turn
def _row(row: Row) -> tuple[str, str]:
    return str(len(row)), _format_cards(row)


def parse_action(view: View, text: str) -> Action:
    """Parse a bot's answer as an action; a message may follow the answer on its line.

    Raises:
        Malformed: the text is not an answer, or it answers the other phase; the message names the accepted input.

    >>> from faceup.core import make
    >>> view = make("nimmt:arena").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> parse_action(view, "PLAY 46 good luck")
    45
    """
    usual = (_PICKS if view.waiting else _PLAYS).get(text)
    if usual is not None:
        return usual
    verb, number = (*text.split()[:2], "", "")[:2]
    expected = "PICK and a row" if view.waiting else "PLAY and a card"
    if verb != expected.split(maxsplit=1)[0] or not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Malformed(f"expected {expected}; got {text[:60]!r}", what=text, where="answer")
    action = take(int(number)) if view.waiting else play(int(number))
    if not (TAKE <= action < TAKE + ARENA.rows if view.waiting else 0 <= action < ARENA.cards):
        raise Malformed(f"expected {expected} that exists; got {text[:60]!r}", what=text, where="answer")
    return action


_PLAYS: Final = {f"PLAY {card}": play(card) for card in range(1, ARENA.cards + 1)}
_PICKS: Final = {f"PICK {row}": take(row) for row in range(ARENA.rows)}
"""The actions of usual answers, which are looked up because this is faster than parsing."""

_NUMBERS: Final = tuple(map(str, range(MOST_CARDS + 1)))
"""Numbers as text, because looking a number up is four times as fast as formatting it.

Formatting takes most of the time of a decision.
"""


def _format_cards(cards: Row) -> str:
    return " ".join([_NUMBERS[card] for card in cards])


def _spaced(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
