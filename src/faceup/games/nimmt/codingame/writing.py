"""The arena's side of the text protocol: decisions as lines, and a program's answers as actions.

Source: codingame-6-nimmt-arena. The minus signs of -1 (no last card) and -999 (a seat that is out) are lost in the
stored text. The heads are those of the match so far, not negated; while a row is asked for, those before this turn.
"""

from functools import lru_cache
from itertools import chain
from typing import Final

from faceup.core.errors import Malformed
from faceup.core.values import Action, Seat
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.cards import MOST_CARDS, Row
from faceup.games.nimmt.codingame.asks import ARENA, CHOOSE_CARD, CHOOSE_ROW, NO_CARD, OUT_SCORE
from faceup.games.nimmt.state import Turn, View


def write_start(seat: Seat) -> list[str]:
    """The line that a bot gets first of all.

    >>> write_start(2)
    ['4 2']
    """
    return [f"{ARENA.seats} {seat}"]


def write_ask(view: View, *, phase_last: bool = False) -> list[str]:
    """The thirteen lines that ask the seat of this view for its decision.

    Args:
        view: of a seat that is to act, under the rules `nimmt:arena`.
        phase_last: put the phase behind the other lines, as the platform is reported to do.
    """
    hand = view.hand
    lines = [*_shared(view.log[-1:], view.out, view.rows, view.heads), _NUMBERS[len(hand)], _cards(hand)]
    phase = CHOOSE_ROW if view.waiting else CHOOSE_CARD
    return [*lines, phase] if phase_last else [phase, *lines]


@lru_cache(maxsize=64)  # all seats of a turn are told the same, and nearly all of a decision's time would go here
def _shared(
    last_turn: tuple[Turn, ...], gone: tuple[tuple[Seat, ...], ...], rows: tuple[Row, ...], heads: tuple[int, ...]
) -> tuple[str, ...]:
    """The lines that do not depend on who is asked."""
    plays = last_turn[0].plays if last_turn else (0,) * len(heads)
    last = [card or NO_CARD for card in plays]
    scores = list(heads)
    for seat in chain.from_iterable(gone):
        last[seat], scores[seat] = NO_CARD, OUT_SCORE
    return (_spaced(last), *chain.from_iterable(map(_row, rows)), _spaced(scores))


@lru_cache(maxsize=1024)  # most rows stand as they stood the turn before
def _row(row: Row) -> tuple[str, str]:
    return str(len(row)), _cards(row)


def read_answer(view: View, text: str) -> Action:
    """The action that a program's line answers with; a message may follow it.

    Raises:
        Malformed: it is not such a line, or answers another phase; what would be right.

    >>> from faceup.core import make
    >>> view = make("nimmt:arena").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> read_answer(view, "PLAY 46 good luck")
    45
    """
    usual = (_PICKS if view.waiting else _PLAYS).get(text)
    if usual is not None:
        return usual
    verb, number = (*text.split()[:2], "", "")[:2]
    expected = "PICK and a row" if view.waiting else "PLAY and a card"
    if verb != expected.split(maxsplit=1)[0] or not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Malformed(f"expected {expected}, not {text[:60]!r}", what=text, where="answer")
    action = take(int(number)) if view.waiting else play(int(number))
    if not (TAKE <= action < TAKE + ARENA.rows if view.waiting else 0 <= action < ARENA.cards):
        raise Malformed(f"expected {expected} that there is, not {text[:60]!r}", what=text, where="answer")
    return action


_PLAYS: Final = {f"PLAY {card}": play(card) for card in range(1, ARENA.cards + 1)}
_PICKS: Final = {f"PICK {row}": take(row) for row in range(ARENA.rows)}
"""Answers as nearly all programs write them, which need no reading."""

_NUMBERS: Final = tuple(map(str, range(MOST_CARDS + 1)))
"""As text: looked up in a fourth of the time that making it takes, which is most of what a decision's lines take."""


def _cards(cards: Row) -> str:
    return " ".join([_NUMBERS[card] for card in cards])


def _spaced(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
