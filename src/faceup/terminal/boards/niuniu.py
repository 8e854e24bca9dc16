"""The board of Niu Niu: everyone's five dice, the triple marked, and what they are worth."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content

from faceup.core import AnyRules, Event, Seat, View
from faceup.games.niuniu import NiuNiuView, score
from faceup.games.niuniu.hand import DICE, Hand
from faceup.games.niuniu.state import MatchWon, Threw, ThrowDrawn, ThrowWon
from faceup.terminal.boards.cards import side_by_side
from faceup.terminal.boards.dice import FLAT_DIE, PIPS, SMALL_DIE, Mark, die_lines
from faceup.terminal.boards.part import Part
from faceup.terminal.boards.press import PressBoard
from faceup.terminal.side import Side

AIR: Final = 0.7
LAND: Final = 0.9
DECIDE: Final = 2.0
"""Seconds at the usual speed."""

ASIDE: Final = 34
"""Cells that the side panel and the margins need."""


class Hands(Part):
    """A band for each seat: its name, what its dice are worth, and the dice.

    Attributes:
        names: by seat.
        hands: by seat, what has landed; a seat whose dice are in the air is missing.
        thrown: whether there is a throw to show at all.
        best: the seats with the most points, once all dice have landed.
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
        """The bands, one below the other."""
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
        return Content.assemble(
            (f"{sign} {self.names[seat]}  ", "bold $accent" if won else "bold"),
            (hand.name if hand else "", "bold $accent" if won else ""),
            (sums if self.look.height > 1 else "", "$foreground-muted"),
        )


class NiuNiuBoard(PressBoard):
    """Everyone throws at once; the dice land seat by seat."""

    DEFAULT_CSS = """
    NiuNiuBoard Horizontal { height: 1fr; }
    NiuNiuBoard #middle { width: 1fr; align: center middle; }
    NiuNiuBoard Side { width: 35%; min-width: 28; }
    """

    def __init__(self, rules: AnyRules, names: Sequence[str], side: Side) -> None:
        super().__init__(rules, names, side)
        self.hands = Hands(names)
        self._won: list[int] = [0] * len(names)
        self._sums: list[int] = [0] * len(names)
        self._fresh = True

    def compose(self) -> ComposeResult:
        """Dice and side panel."""
        with Horizontal():
            with Container(id="middle"):
                yield self.hands
            yield self.side

    def on_resize(self, event: events.Resize) -> None:
        """Dice as large as there is room for."""
        width, height = event.size
        seats = len(self.names)
        self.hands.look, self.hands.gap = FLAT_DIE, seats * 2 < height
        for look, gap in ((PIPS, True), (PIPS, False), (SMALL_DIE, True), (SMALL_DIE, False)):
            if seats * (look.height + 1 + gap) - gap <= height and DICE * look.width <= width - ASIDE:
                self.hands.look, self.hands.gap = look, gap
                break
        self.hands.redraw()

    def show(self, view: View) -> None:
        """The last throw, as it landed."""
        assert isinstance(view, NiuNiuView)  # noqa: S101 -- for the type checker: the registry pairs board and game
        self._won, self._sums = list(view.won), list(view.statistics)
        last = view.log[-1] if view.log else ()
        self.hands.thrown = bool(last) or view.in_air
        self.hands.hands = {seat: (dice, self._score(dice)) for seat, dice in enumerate(last)}
        if view.in_air:
            self.hands.hands = {}
        points = [hand.points for _, hand in self.hands.hands.values()]
        self.hands.best = tuple(seat for seat, each in enumerate(points) if each == max(points))
        self._fresh = True
        self.hands.redraw()

    def _score(self, dice: tuple[int, ...]) -> Hand:
        rules = self.rules
        return score(dice, rules.faces, rules.baozi)  # type: ignore[attr-defined]  # this board is for Niu Niu's rules

    def notes(self) -> tuple[str, ...]:
        """Throws won, and the sum of the statistics scores."""
        return tuple(f"{won} won, Σ {sums}" for won, sums in zip(self._won, self._sums, strict=True))

    def progress(self, view: View) -> str:
        """The throw."""
        assert isinstance(view, NiuNiuView)  # noqa: S101 -- as above
        throws: int = self.rules.throws  # type: ignore[attr-defined]  # as above
        return f"throw {min(view.played + 1, throws)} of {throws}"

    def play(self, event: Event) -> Iterator[float]:
        """All dice in the air, then down, seat by seat, then who has won."""
        match event:
            case Threw(seat=seat, dice=dice, hand=hand):
                if self._fresh:
                    self._fresh = False
                    self.hands.thrown, self.hands.hands, self.hands.best = True, {}, ()
                    yield from self._held(AIR)
                self.hands.hands[seat] = (dice, hand)
                self._sums[seat] += hand.statistics
                yield from self._held(LAND)
            case ThrowWon(seat=seat):
                self.hands.best = (seat,)
                self._won[seat] += 1
                yield from self._held(DECIDE)
            case ThrowDrawn(seats=seats):
                self.hands.best = seats
                yield from self._held(DECIDE)
            case MatchWon():
                yield from self._held(DECIDE)

    def _held(self, seconds: float) -> Iterator[float]:
        self.hands.redraw()
        yield seconds


def triple_marks(dice: Sequence[int], hand: Hand | None) -> list[Mark]:
    """Which dice are the triple's: the first three places that read as it does and leave the rest.

    >>> triple_marks((5, 2, 4, 6, 3), score((5, 2, 4, 6, 3)))
    ['triple', 'triple', 'rest', 'rest', 'triple']
    """
    if hand is None or hand.triple is None:
        return ["plain"] * len(dice)
    for places in combinations(range(len(dice)), 3):
        if tuple(dice[place] for place in places) == hand.triple:
            return ["triple" if place in places else "rest" for place in range(len(dice))]
    return ["plain"] * len(dice)
