"""The board of War: two piles, the cards in play, and a bar that shows how many cards each seat has."""

from collections.abc import Iterator, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from faceup.core import AnyRules, Event, Seat, View
from faceup.games.war import WarView
from faceup.games.war.cards import RANKS, Card
from faceup.games.war.events import (
    Collected,
    DeckDealt,
    Drawn,
    GameWon,
    Reshuffled,
    SuddenDeath,
    Turned,
    Undecided,
    WarDeclared,
)
from faceup.terminal.boards.art import BoardWidget, CardSize, back_lines, gap_lines, side_by_side
from faceup.terminal.boards.board import SingleActionBoard
from faceup.terminal.side_panel import SidePanel
from faceup.terminal.text import shorten
from faceup.terminal.words import message, text

FLIP: Final = 0.5
DOWN: Final = 0.35
UP: Final = 0.9
WAR: Final = 1.4
COLLECT: Final = 0.6
NEWS: Final = 1.5
"""The durations of the animation's steps, in seconds at normal speed."""

CARD: Final = CardSize(7, 5)
SUIT_SIGNS: Final = "♣♦♥♠"
ROOM: Final = 41
"""Width in cells of a pile and its played cards; of the played cards that do not fit, only the number is shown."""

EDGE: Final = 3
"""Visible cells of a card that is under another one."""

BANNERS: Final[dict[type[Event], str]] = {
    Undecided: text("war.banner.undecided"),
    Reshuffled: text("war.banner.reshuffled"),
    SuddenDeath: text("war.banner.sudden_death"),
    GameWon: text("war.banner.over"),
    Drawn: text("war.banner.drawn"),
}


class Lane(BoardWidget):
    """One seat's pile, and the overlapping cards it has played in this round.

    Attributes:
        pile: the number of cards in the draw pile.
        played: the cards of this round; None is a card that is face down.
        won: whether the seat wins the round.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.look = CARD
        self.name_ = name
        self.pile = 0
        self.played: list[Card | None] = []
        self.won = False

    def lines(self) -> list[Content]:
        """Return the seat's name, the number of cards in its pile, and its cards."""
        count = message("war.cards", count=self.pile)
        head = Content.assemble(
            (f"{shorten(self.name_, 28)}  ", "bold $accent" if self.won else "bold"),
            (count, "$foreground-muted"),
            (f"   ★ {text('war.collects')}" if self.won else "", "bold $accent"),
        )
        pile = back_lines(CARD) if self.pile else gap_lines(CARD)
        space = [Content("    ")] * CARD.height
        return [head, *side_by_side([pile, space, *self._stack()])]

    def _stack(self) -> list[list[Content]]:
        """Return the overlapping cards, and the number of the cards that do not fit."""
        if not self.played:
            return [gap_lines(CARD)]
        cards = [back_lines(CARD) if card is None else playing_card(card) for card in self.played]
        edges = [[line[:EDGE] for line in card] for card in cards[:-1]]
        most = (ROOM - 2 * CARD.width) // EDGE
        hidden = max(len(edges) - most, 0)
        count = [gap_lines(CARD, f"+{hidden}")] if hidden else []
        return [*count, *edges[hidden:], cards[-1]]


class Balance(BoardWidget):
    """A bar with a cell for each card of the deck; it shows the share of each seat and of the cards in play.

    Attributes:
        piles: the number of cards in each pile.
        between: the number of cards in play.
    """

    def __init__(self) -> None:
        super().__init__()
        self.piles = (0, 0)
        self.between = 0
        self.banner = ""

    def lines(self) -> list[Content]:
        """Return the bar, and the banner that announces an event."""
        own_cards, other_cards = self.piles
        bar = Content.assemble(
            ("█" * own_cards, "$primary"), ("▒" * self.between, "$accent"), ("░" * other_cards, "$secondary")
        )
        return [bar, Content.styled(self.banner, "bold $accent")]


class WarBoard(SingleActionBoard):
    """The first seat's lane above, the second seat's lane below, and the bar between them."""

    DEFAULT_CSS = """
    WarBoard #cards { width: 52; height: auto; }
    WarBoard Balance { margin: 1 0; }
    WarBoard SidePanel { width: 30%; min-width: 22; }
    """

    def __init__(self, rules: AnyRules, names: Sequence[str], side: SidePanel) -> None:
        super().__init__(rules, names, side)
        self.lanes = (Lane(names[0]), Lane(names[1]))
        self.balance = Balance()
        self.parts = (self.lanes[0], self.balance, self.lanes[1])
        self._done = True

    def compose_middle(self) -> ComposeResult:
        """Add the lanes and the bar between them."""
        with Vertical(id="cards"):
            yield from self.parts

    def show(self, view: View) -> None:
        """Show the piles; the last round's cards stay until the next flip."""
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
        self.balance.banner = "" if self._done else text("war.banner.again")
        self.redraw()

    def progress(self, view: View) -> str:
        """Return the number of the round and the number of wars."""
        assert isinstance(view, WarView)  # noqa: S101 -- as above
        wars = message("war.wars", count=view.wars)
        return text("war.round", round=view.rounds + (view.due != "over"), wars=wars)

    def notes(self) -> tuple[str, ...]:
        """Return the number of cards in each pile."""
        return tuple(message("war.cards", count=lane.pile) for lane in self.lanes)

    def play(self, event: Event) -> Iterator[float]:
        """Animate an event of a round: cards are played, a war starts, or the winner collects the cards."""
        match event:
            case DeckDealt(each=each):
                for lane in self.lanes:
                    lane.pile, lane.played, lane.won = each, [], False
                yield from self.pause(NEWS)
            case Turned(cards=cards, added=added):
                yield from self._turned(cards, added)
            case WarDeclared():
                self.balance.banner = text("war.banner.war")
                yield from self.pause(WAR)
            case Collected(seat=seat, count=count):
                self.lanes[seat].won = True
                self.balance.banner = ""
                yield from self.pause(COLLECT)
                self._done = True
                self.lanes[seat].pile += count
                self.balance.banner = ""
            case _ if type(event) in BANNERS:
                self.balance.banner = BANNERS[type(event)]
                yield from self.pause(NEWS)

    def _turned(self, cards: tuple[Card, Card], added: tuple[int, int]) -> Iterator[float]:
        if self._done:
            self._done = False
            for lane in self.lanes:
                lane.played, lane.won = [], False
        for _ in range(max(added) - 1):
            for seat in (0, 1):
                if added[seat] > 1:
                    self._put(seat, None)
            yield from self.pause(DOWN)
        down = [len(lane.played) for lane in self.lanes]
        for seat in (0, 1):
            if added[seat]:
                self._put(seat, cards[seat])
        self.balance.banner = ""
        yield from self.pause(UP if max(down) else FLIP)

    def _put(self, seat: Seat, card: Card | None) -> None:
        self.lanes[seat].pile -= 1
        self.lanes[seat].played.append(card)

    def redraw(self) -> None:
        """Update the bar, and draw all parts again."""
        self.balance.piles = (self.lanes[0].pile, self.lanes[1].pile)
        self.balance.between = 0 if self._done else sum(len(lane.played) for lane in self.lanes)
        super().redraw()


def playing_card(card: Card) -> list[Content]:
    r"""Return the lines of a playing card.

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
