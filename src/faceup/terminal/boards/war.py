"""The board of War: two piles, the cards between them, and how the deck is shared."""

from collections.abc import Iterator, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content

from faceup.core import AnyRules, Event, Seat, View
from faceup.games.war import WarView
from faceup.games.war.cards import RANKS, Card
from faceup.games.war.events import (
    Collected,
    Dealt,
    Drawn,
    Reshuffled,
    SuddenDeath,
    Turned,
    Undecided,
    WarDeclared,
    Won,
)
from faceup.terminal.boards.cards import Look, back_lines, gap_lines, side_by_side
from faceup.terminal.boards.part import Part
from faceup.terminal.boards.press import PressBoard
from faceup.terminal.side import Side

FLIP: Final = 0.5
DOWN: Final = 0.35
UP: Final = 0.9
WAR: Final = 1.4
COLLECT: Final = 0.6
NEWS: Final = 1.5
"""Seconds at the usual speed."""

CARD: Final = Look(7, 5)
SUIT_SIGNS: Final = "♣♦♥♠"
ROOM: Final = 41
"""Cells beside a pile for the cards played; those that do not fit are counted."""

EDGE: Final = 3
"""Cells of a card that is seen under the next."""

BANNERS: Final[dict[type[Event], str]] = {
    Undecided: "Undecided: all cards are dealt anew.",
    Reshuffled: "Both piles are reshuffled.",
    SuddenDeath: "Sudden death!",
    Won: "The game is over.",
    Drawn: "A draw!",
}


class Lane(Part):
    """One seat's side: its pile, and the cards it has played in this round, overlapping.

    Attributes:
        pile: cards in the draw pile.
        played: the round's cards; None is face down.
        won: whether the round's cards go to this seat.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.look = CARD
        self.name_ = name
        self.pile = 0
        self.played: list[Card | None] = []
        self.won = False

    def lines(self) -> list[Content]:
        """The name and count, then the cards."""
        count = f"{self.pile} card{'' if self.pile == 1 else 's'}"
        head = Content.assemble(
            (f"{self.name_}  ", "bold $accent" if self.won else "bold"),
            (count, "$foreground-muted"),
            ("   ★ collects" if self.won else "", "bold $accent"),
        )
        pile = back_lines(CARD) if self.pile else gap_lines(CARD)
        space = [Content("    ")] * CARD.height
        return [head, *side_by_side([pile, space, *self._stack()])]

    def _stack(self) -> list[list[Content]]:
        """The last card whole, of those under it the left edges, of those that do not fit the number."""
        if not self.played:
            return [gap_lines(CARD)]
        cards = [back_lines(CARD) if card is None else playing_card(card) for card in self.played]
        edges = [[line[:EDGE] for line in card] for card in cards[:-1]]
        most = (ROOM - 2 * CARD.width) // EDGE
        hidden = max(len(edges) - most, 0)
        count = [gap_lines(CARD, f"+{hidden}")] if hidden else []
        return [*count, *edges[hidden:], cards[-1]]


class Balance(Part):
    """A cell for each card of the deck: whose it is, and which are in play.

    Attributes:
        piles: cards in each pile.
        between: cards on the table.
    """

    def __init__(self) -> None:
        super().__init__()
        self.piles = (0, 0)
        self.between = 0
        self.banner = ""

    def lines(self) -> list[Content]:
        """The bar, and the banner below."""
        mine, theirs = self.piles
        bar = Content.assemble(("█" * mine, "$primary"), ("▒" * self.between, "$accent"), ("░" * theirs, "$secondary"))
        return [bar, Content.styled(self.banner, "bold $accent")]


class WarBoard(PressBoard):
    """Seat 0 above, seat 1 below, the balance between them."""

    DEFAULT_CSS = """
    WarBoard Horizontal { height: 1fr; }
    WarBoard #middle { width: 1fr; align: center middle; }
    WarBoard #cards { width: 52; height: auto; }
    WarBoard Balance { margin: 1 0; }
    WarBoard Side { width: 30%; min-width: 22; }
    """

    def __init__(self, rules: AnyRules, names: Sequence[str], side: Side) -> None:
        super().__init__(rules, names, side)
        self.lanes = (Lane(names[0]), Lane(names[1]))
        self.balance = Balance()
        self._done = True

    def compose(self) -> ComposeResult:
        """Lanes, balance, side panel."""
        with Horizontal():
            with Container(id="middle"), Vertical(id="cards"):
                yield self.lanes[0]
                yield self.balance
                yield self.lanes[1]
            yield self.side

    def show(self, view: View) -> None:
        """Piles as they are; the last round's cards stay until the next flip."""
        assert isinstance(view, WarView)  # noqa: S101 -- for the type checker: the registry pairs board and game
        for seat, lane in enumerate(self.lanes):
            lane.pile = len(view.draw[seat])
            if view.table[seat]:
                lane.played = [card if card in view.turned else None for card in view.table[seat]]
                lane.won = False
            elif view.log:
                lane.played = list(view.log[-1][seat::2][-1:])
                lane.won = view.log[-1][-2:][seat] >> 2 > view.log[-1][-2:][1 - seat] >> 2
            else:
                lane.played, lane.won = [], False
        self._done = not view.table[0]
        self.balance.banner = "" if self._done else "War: turn up again."
        self._redraw()

    def progress(self, view: View) -> str:
        """Rounds and wars."""
        assert isinstance(view, WarView)  # noqa: S101 -- as above
        return f"round {view.rounds + (view.due != 'over')}, {view.wars} war{'' if view.wars == 1 else 's'}"

    def notes(self) -> tuple[str, ...]:
        """Cards in each pile."""
        return tuple(f"{lane.pile:>2} cards" for lane in self.lanes)

    def play(self, event: Event) -> Iterator[float]:
        """Cards down, cards up, wars, and who collects."""
        match event:
            case Dealt(each=each):
                for lane in self.lanes:
                    lane.pile, lane.played, lane.won = each, [], False
                yield from self._held(NEWS)
            case Turned(cards=cards, added=added):
                yield from self._turned(cards, added)
            case WarDeclared():
                self.balance.banner = "W A R !"
                yield from self._held(WAR)
            case Collected(seat=seat, count=count):
                self.lanes[seat].won = True
                self.balance.banner = ""
                yield from self._held(COLLECT)
                self._done = True
                self.lanes[seat].pile += count
                self.balance.banner = ""
            case _ if type(event) in BANNERS:
                self.balance.banner = BANNERS[type(event)]
                yield from self._held(NEWS)

    def _turned(self, cards: tuple[Card, Card], added: tuple[int, int]) -> Iterator[float]:
        if self._done:
            self._done = False
            for lane in self.lanes:
                lane.played, lane.won = [], False
        for _ in range(max(added) - 1):
            for seat in (0, 1):
                if added[seat] > 1:
                    self._put(seat, None)
            yield from self._held(DOWN)
        down = [len(lane.played) for lane in self.lanes]
        for seat in (0, 1):
            if added[seat]:
                self._put(seat, cards[seat])
        self.balance.banner = ""
        yield from self._held(UP if max(down) else FLIP)

    def _put(self, seat: Seat, card: Card | None) -> None:
        self.lanes[seat].pile -= 1
        self.lanes[seat].played.append(card)

    def _held(self, seconds: float) -> Iterator[float]:
        self._redraw()
        yield seconds

    def _redraw(self) -> None:
        self.balance.piles = (self.lanes[0].pile, self.lanes[1].pile)
        self.balance.between = 0 if self._done else sum(len(lane.played) for lane in self.lanes)
        for part in (*self.lanes, self.balance):
            part.redraw()


def playing_card(card: Card) -> list[Content]:
    r"""A playing card, a content for each line.

    >>> print(*[line.plain for line in playing_card(51)], sep="\n")
    ╭─────╮
    │A    │
    │  ♠  │
    │    A│
    ╰─────╯
    """
    rank = RANKS[card >> 2].replace("T", "10")
    suit = SUIT_SIGNS[card & 3]
    style = "bold $error on $card" if card & 3 in {1, 2} else "bold $foreground on $card"
    rows = ("╭─────╮", f"│{rank:<5}│", f"│  {suit}  │", f"│{rank:>5}│", "╰─────╯")
    return [Content.styled(row, style) for row in rows]
