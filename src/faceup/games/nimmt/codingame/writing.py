"""The arena's side of the text protocol: decisions as lines, and a program's answers as actions.

Source: codingame-6-nimmt-arena. The minus signs of -1 (no last card) and -999 (a seat that is out) are lost in the
stored text. The heads are those of the match so far, not negated; while a row is asked for, those before this turn.
"""

from itertools import chain

from faceup.core.errors import Malformed
from faceup.core.values import Action, Seat
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.codingame.asks import ARENA, CHOOSE_CARD, CHOOSE_ROW, NO_CARD, OUT_SCORE
from faceup.games.nimmt.state import View


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
    out = set(chain(*view.out))
    plays = view.log[-1].plays if view.log else (0,) * len(view.heads)
    last = [NO_CARD if seat in out or not card else card for seat, card in enumerate(plays)]
    scores = [OUT_SCORE if seat in out else heads for seat, heads in enumerate(view.heads)]
    lines = [_spaced(last)]
    for row in view.rows:
        lines += [str(len(row)), _spaced(row)]
    lines += [_spaced(scores), str(len(view.hand)), _spaced(view.hand)]
    phase = CHOOSE_ROW if view.waiting else CHOOSE_CARD
    return [*lines, phase] if phase_last else [phase, *lines]


def read_answer(view: View, text: str) -> Action:
    """The action that a program's line answers with; a message may follow it.

    Raises:
        Malformed: it is not such a line, or answers another phase; what would be right.

    >>> from faceup.core import make
    >>> view = make("nimmt:arena").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> read_answer(view, "PLAY 46 good luck")
    45
    """
    verb, number = (*text.split()[:2], "", "")[:2]
    expected = "PICK and a row" if view.waiting else "PLAY and a card"
    if verb != expected.split(maxsplit=1)[0] or not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise Malformed(f"expected {expected}, not {text[:60]!r}", what=text, where="answer")
    action = take(int(number)) if view.waiting else play(int(number))
    if not (TAKE <= action < TAKE + ARENA.rows if view.waiting else 0 <= action < ARENA.cards):
        raise Malformed(f"expected {expected} that there is, not {text[:60]!r}", what=text, where="answer")
    return action


def _spaced(numbers: "list[int] | tuple[int, ...]") -> str:
    return " ".join(map(str, numbers))
