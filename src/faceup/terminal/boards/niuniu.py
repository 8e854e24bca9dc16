"""The board of Niu Niu: for each seat, five dice with the triple marked, and their points."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from textual import events
from textual.content import Content

from faceup.core import AnyRules, Event, Seat, View
from faceup.games.niuniu import NiuNiuView, score
from faceup.games.niuniu.hand import DICE, Hand
from faceup.games.niuniu.state import DiceThrown, MatchWon, ThrowDrawn, ThrowWon
from faceup.terminal.boards.art import FLAT_DIE, PIPS, SMALL_DIE, BoardWidget, Mark, die_lines, side_by_side
from faceup.terminal.boards.board import SingleActionBoard
from faceup.terminal.event_text import hand_name
from faceup.terminal.side_panel import SidePanel
from faceup.terminal.text import shorten
from faceup.terminal.words import text

AIR: Final = 0.7
LAND: Final = 0.9
DECIDE: Final = 2.0
"""The durations of the animation's steps, in seconds at normal speed."""

ASIDE: Final = 34
"""Width in cells that the side panel and the margins need."""


class Hands(BoardWidget):
    """A band for each seat, with its name, points and dice.

    Attributes:
        names: player names by seat.
        hands: by seat, the dice that have landed.
        thrown: whether there is a throw to show.
        best: the seats with the most points; empty until all dice have landed.
    """

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.look = SMALL_DIE
        self.names = names
        self.hands: dict[Seat, tuple[tuple[int, ...], Hand]] = {}
        self.thrown = False
        self.best: tuple[Seat, ...] = ()
        self.gap = True

    def lines(self) -> list[Content]:
        """Return the lines of all bands."""
        lines: list[Content] = []
        for seat in range(len(self.names)):
            lines += [Content("")] * (self.gap and seat > 0)
            lines += self._band(seat)
        return lines

    def _band(self, seat: Seat) -> list[Content]:
        dice, hand = self.hands.get(seat, ((0,) * DICE, None))
        marks = triple_marks(dice, hand)
        blocks = [die_lines(die, self.look, mark) for die, mark in zip(dice, marks, strict=True)]
        if not self.thrown:
            blocks = [[Content(" " * self.look.width)] * self.look.height] * DICE
        words = self._words(seat, hand)
        dice_lines = side_by_side(blocks)
        return [Content("  ").join([dice_lines[0], words])] if self.look.height == 1 else [words, *dice_lines]

    def _words(self, seat: Seat, hand: Hand | None) -> Content:
        won = seat in self.best
        sign = ("★" if len(self.best) == 1 else "=") if won else " "
        sums = ""
        if hand and hand.triple and hand.rest:
            sums = f"  {'+'.join(map(str, hand.triple))}, {'+'.join(map(str, hand.rest))} = {sum(hand.rest)}"
        name = shorten(self.names[seat], 12 if self.look.height == 1 else 20)  # the hand's name must fit behind it
        return Content.assemble(
            (f"{sign} {name}  ", "bold $accent" if won else "bold"),
            (hand_name(hand.name) if hand else "", "bold $accent" if won else ""),
            (sums if self.look.height > 1 else "", "$foreground-muted"),
        )


class NiuNiuBoard(SingleActionBoard):
    """Dice that land seat by seat after everyone has thrown."""

    DEFAULT_CSS = """
    NiuNiuBoard SidePanel { width: 35%; min-width: 28; }
    """

    def __init__(self, rules: AnyRules, names: Sequence[str], side: SidePanel) -> None:
        super().__init__(rules, names, side)
        self.hands = Hands(names)
        self.parts = (self.hands,)
        self._won: list[int] = [0] * len(names)
        self._drawn: list[int] = [0] * len(names)
        self._sums: list[int] = [0] * len(names)
        self._fresh = True

    def on_resize(self, event: events.Resize) -> None:
        """Choose the largest die size that fits."""
        width, height = event.size
        seats = len(self.names)
        self.hands.look, self.hands.gap = FLAT_DIE, seats * 2 < height
        for look, gap in ((PIPS, True), (PIPS, False), (SMALL_DIE, True), (SMALL_DIE, False)):
            if seats * (look.height + 1 + gap) - gap <= height and DICE * look.width <= width - ASIDE:
                self.hands.look, self.hands.gap = look, gap
                break
        self.redraw()

    def show(self, view: View) -> None:
        """Show the last throw."""
        assert isinstance(view, NiuNiuView)  # noqa: S101 -- for the type checker: the registry pairs board and game
        self._won, self._drawn, self._sums = list(view.won), list(view.drawn), list(view.statistics)
        last = view.log[-1] if view.log else ()
        self.hands.thrown = bool(last) or view.in_air
        self.hands.hands = {seat: (dice, self._score(dice)) for seat, dice in enumerate(last)}
        if view.in_air:
            self.hands.hands = {}
        points = [hand.points for _, hand in self.hands.hands.values()]
        self.hands.best = tuple(seat for seat, value in enumerate(points) if value == max(points))
        self._fresh = True
        self.redraw()

    def _score(self, dice: tuple[int, ...]) -> Hand:
        rules = self.rules
        return score(dice, rules.faces, rules.baozi)  # type: ignore[attr-defined]  # these are Niu Niu's rules

    def notes(self) -> tuple[str, ...]:
        """Return for each seat the throws won (★), the throws drawn (=) and the sum of the statistics points (Σ)."""
        counts = zip(self._won, self._drawn, self._sums, strict=True)
        return tuple(f"★{won} ={drawn} Σ{sums}" for won, drawn, sums in counts)

    def progress(self, view: View) -> str:
        """Return the number of the throw."""
        assert isinstance(view, NiuNiuView)  # noqa: S101 -- as above
        throws: int = self.rules.throws  # type: ignore[attr-defined]  # as above
        return text("niuniu.throw", throw=min(view.played + 1, throws), throws=throws)

    def play(self, event: Event) -> Iterator[float]:
        """Animate a throw: the dice land seat by seat, then the winner is marked."""
        match event:
            case DiceThrown(seat=seat, dice=dice, hand=hand):
                if self._fresh:
                    self._fresh = False
                    self.hands.thrown, self.hands.hands, self.hands.best = True, {}, ()
                    yield from self.pause(AIR)
                self.hands.hands[seat] = (dice, hand)
                self._sums[seat] += hand.statistics
                yield from self.pause(LAND)
            case ThrowWon(seat=seat):
                self.hands.best = (seat,)
                self._won[seat] += 1
                yield from self.pause(DECIDE)
            case ThrowDrawn(seats=seats):
                self.hands.best = seats
                for seat in seats:
                    self._drawn[seat] += 1
                yield from self.pause(DECIDE)
            case MatchWon():
                yield from self.pause(DECIDE)


def triple_marks(dice: Sequence[int], hand: Hand | None) -> list[Mark]:
    """Return the mark of each die; the first three dice with the numbers of the hand's triple are marked as the triple.

    >>> triple_marks((5, 2, 4, 6, 3), score((5, 2, 4, 6, 3)))
    ['triple', 'triple', 'rest', 'rest', 'triple']
    """
    if hand is None or hand.triple is None:
        return ["plain"] * len(dice)
    for places in combinations(range(len(dice)), 3):
        if tuple(dice[place] for place in places) == hand.triple:
            return ["triple" if place in places else "rest" for place in range(len(dice))]
    return ["plain"] * len(dice)
