"""The board of 6 nimmt!."""

import math
from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from faceup.core import Action, AnyRules, Event, View
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.events import DealOver, Opened, Placed, Revealed, SetAside, Took
from faceup.games.nimmt.placing import row_for
from faceup.games.nimmt.state import View as NimmtView
from faceup.terminal.boards.art import FLAT, HEAD, LARGE, SMALL
from faceup.terminal.boards.board import Board
from faceup.terminal.boards.nimmt_widgets import FaceUp, HandWidget, Picked, Rows, TakenCardsDialog
from faceup.terminal.side_panel import SidePanel
from faceup.terminal.words import message, text

REVEAL: Final = 1.4
PLACE: Final = 0.8
TAKE_ROW: Final = 1.8
"""The durations of the animation's steps, in seconds at normal speed."""


class NimmtBoard(Board, can_focus=True):
    """The rows, the cards face up and the player's hand."""

    DEFAULT_CSS = """
    NimmtBoard { padding: 0 1; }
    NimmtBoard #table { height: auto; }
    NimmtBoard Rows { margin-right: 1; }
    NimmtBoard FaceUp, NimmtBoard HandWidget { margin-left: 3; }
    NimmtBoard .space { height: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", text("key.card"), key_display="←→"),
        Binding("right", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("home", "move(-99)", show=False),
        Binding("end", "move(99)", show=False),
        Binding("enter", "choose", text("key.choose")),
        Binding("t", "taken", text("key.taken")),
    ]

    def __init__(self, rules: AnyRules, names: Sequence[str], side: SidePanel) -> None:
        super().__init__(rules, names, side)
        self.rows = Rows(rules.rows, rules.capacity)  # type: ignore[attr-defined]  # these are nimmt's rules
        self.face_up = FaceUp(names)
        self.hand = HandWidget()
        self.parts = (self.rows, self.face_up, self.hand)
        self._heads: list[int] = []
        self._taken: list[tuple[int, ...]] = []
        self._out: set[int] = set()
        self._typed = ""

    def compose(self) -> ComposeResult:
        """Add the rows, the side panel, the cards face up and the hand."""
        with Horizontal(id="table"):
            yield self.rows
            yield self.side
        yield Static(classes="space")
        yield self.face_up
        yield Static(classes="space")
        yield self.hand

    def on_resize(self, event: events.Resize) -> None:
        """Choose the largest card size that fits."""
        width, height = event.size
        count, capacity = self.rows.count, self.rows.capacity
        places = max(len(self.names), 10)
        room = [
            look
            for look in (LARGE, SMALL)
            if count * look.height + 2 * look.height + 1 <= height
            and capacity * look.width + 50 <= width + 12
            and places * look.width + 5 <= width
        ]
        best = room[0] if room else SMALL
        self.face_up.look = self.hand.look = best
        self.rows.look = best if room else FLAT
        self.face_up.room = width - 5
        self.query_one("#table").styles.height = self.rows.look.height * count
        spare = height - count * self.rows.look.height - 2 * best.height - 1
        self.query(".space").set(display=spare >= 2)
        self.redraw()

    def show(self, view: View) -> None:
        """Show the rows and the hand; cards that wait until a player chooses a row stay face up."""
        assert isinstance(view, NimmtView)  # noqa: S101 -- for the type checker: the registry pairs board and game
        self.rows.rows, self.hand.cards = view.rows, view.hand
        self.rows.placed, self.rows.takers, self.rows.cursor, self.rows.ghost = -1, {}, -1, None
        self.hand.cursor, self.hand.sealed = -1, None
        self.face_up.plays = {seat: card for card, seat in view.waiting}
        self.face_up.gone = set()
        self.face_up.placing = view.waiting[0][1] if view.waiting else -1
        self._heads, self._taken = list(view.heads), list(view.taken)
        self._out = {seat for group in view.out for seat in group}
        self.legal, self._typed = (), ""
        self.redraw()

    def show_last_turn(self, view: View) -> None:
        """Show the cards of the last turn face up."""
        assert isinstance(view, NimmtView)  # noqa: S101 -- as above
        self.face_up.plays = {seat: card for seat, card in enumerate(view.log[-1].plays if view.log else ()) if card}
        self.face_up.redraw()

    def hide(self) -> None:
        """Hide the hand."""
        self.hand.cards, self.rows.ghost = (), None
        self.redraw()

    def show_chosen(self, chosen: Sequence[bool]) -> None:
        """Show a card face down for each seat that has chosen."""
        self.face_up.chosen = () if self.face_up.plays else chosen
        self.face_up.redraw()

    def notes(self) -> tuple[str, ...]:
        """Return the heads and the number of taken cards of each seat."""
        return tuple(
            " ".join(
                [
                    f"{heads:>2}{HEAD}",
                    *([text("nimmt.note.cards", cards=len(taken))] if taken else ()),
                    *([text("nimmt.note.out")] if seat in self._out else ()),
                ]
            )
            for seat, (heads, taken) in enumerate(zip(self._heads, self._taken, strict=True))
        )

    def progress(self, view: View) -> str:
        """Return the number of the turn, and of the deal if the game has several deals."""
        assert isinstance(view, NimmtView)  # noqa: S101 -- as above
        hand: int = self.rules.hand  # type: ignore[attr-defined]  # as above
        deals: int = self.rules.deals  # type: ignore[attr-defined]  # as above
        turn = min(hand - max(view.sizes) + 1, hand)
        context = "" if deals == 1 else "deal"
        return text("nimmt.turn", turn=turn, turns=hand, deal=len(view.earlier) + 1, context=context)

    def secret(self, view: View, public: View) -> bool:
        """Return whether the view shows a hand; when a player chooses a row, no hand is shown."""
        assert isinstance(view, NimmtView)  # noqa: S101 -- as above
        return not view.waiting and super().secret(view, public)

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Offer the cards of the hand, or the rows."""
        super().ask(legal, choice)
        self.hand.sealed = None if choice is None or choice >= TAKE else choice + 1
        self.hand.cursor = self.rows.cursor = -1
        self.rows.ghost = None
        if self._taking:
            self.rows.cursor = 0
        elif legal:
            self.hand.cursor = 0 if choice is None else self.hand.cards.index(choice + 1)
        self._preview_row()
        self.refresh_bindings()
        return self._prompt()

    @property
    def _taking(self) -> bool:
        return bool(self.legal) and self.legal[0] >= TAKE

    def _prompt(self) -> str:
        """Return a sentence about what the selected choice would do with the current rows."""
        if not self.legal:
            return ""
        if self._taking:
            heads = _heads(self.rows.rows[self.rows.cursor])
            return text("nimmt.take", last=len(self.legal), row=self.rows.cursor + 1, heads=heads)
        card = self.hand.cards[self.hand.cursor]
        row_index = row_for(self.rows.rows, card)
        if row_index < 0:
            return text("nimmt.would.low", card=card)
        row = self.rows.rows[row_index]
        if len(row) >= self.rows.capacity:
            return text("nimmt.would.take", card=card, place=len(row) + 1, row=row_index + 1, heads=_heads(row))
        return text("nimmt.would.fit", card=card, row=row_index + 1, tail=row[-1])

    def _preview_row(self) -> None:
        """Preview where the selected card would go."""
        if self.hand.cursor >= 0:
            card = self.hand.cards[self.hand.cursor]
            row = row_for(self.rows.rows, card)
            fits = row >= 0 and len(self.rows.rows[row]) < self.rows.capacity
            self.rows.ghost = (row, card) if fits else None
        self.redraw()

    def _moved(self) -> None:
        self._preview_row()
        self.post_message(self.Hint(self._prompt()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable keys that have no effect now."""
        return bool(self.legal) if action in {"move", "choose"} else super().check_action(action, parameters)

    def action_move(self, by: int) -> None:
        """Move the cursor in the hand or the rows."""
        self._typed = ""
        if self._taking:
            self.rows.cursor = min(max(self.rows.cursor + by, 0), len(self.legal) - 1)
        elif self.legal:
            self.hand.cursor = min(max(self.hand.cursor + by, 0), len(self.hand.cards) - 1)
        self._moved()

    def action_choose(self) -> None:
        """Choose the card or row under the cursor."""
        if self._taking:
            self.post_message(self.Chosen(take(self.rows.cursor)))
        elif self.legal:
            self.post_message(self.Chosen(play(self.hand.cards[self.hand.cursor])))

    def action_taken(self) -> None:
        """Show the cards that each seat has taken."""
        self.app.push_screen(TakenCardsDialog(self.names, self._taken))

    def on_key(self, event: events.Key) -> None:
        """Take the row with the typed number (from 1), or select the card that starts with the typed digits."""
        digit = event.character or ""
        if not self.legal or not digit.isdecimal() or not digit.isascii():
            return
        event.stop()
        if self._taking:
            row = int(digit) - 1
            if row >= 0 and take(row) in self.legal:
                self.post_message(self.Chosen(take(row)))
            return
        for typed in (self._typed + digit, digit):
            matches = [index for index, card in enumerate(self.hand.cards) if str(card).startswith(typed)]
            if matches:
                exact = [index for index in matches if str(self.hand.cards[index]) == typed]
                self._typed, self.hand.cursor = typed, (exact or matches)[0]
                self._moved()
                return
        self._typed = ""

    @on(Picked)
    def _picked(self, event: Picked) -> None:
        event.stop()
        self.focus()
        if event.part is self.rows and self._taking:
            self.post_message(self.Chosen(take(event.index)))
        elif event.part is self.hand and self.legal and not self._taking:
            if event.index == self.hand.cursor:
                self.action_choose()
            else:
                self.hand.cursor = event.index
                self._moved()

    def play(self, event: Event) -> Iterator[float]:
        """Animate an event that reveals, places or takes cards."""
        self.rows.placed, self.rows.takers = -1, {}
        self.face_up.placing = -1
        match event:
            case Opened(cards=cards):
                self.rows.rows = tuple((card,) for card in cards)
                self.face_up.plays, self.face_up.gone, self.face_up.chosen = {}, set(), ()
                self._taken = [()] * len(self._taken)
                yield from self.pause(PLACE)
            case Revealed(plays=plays):
                self.face_up.plays = {seat: card for seat, card in enumerate(plays) if card}
                self.face_up.gone = set()
                self.hand.cards = tuple(card for card in self.hand.cards if card not in plays)
                yield from self.pause(REVEAL)
            case Placed(seat=seat, row=row, card=card):
                self.face_up.placing = seat
                yield from self.pause(PLACE / 2)
                self._put(row, (*self.rows.rows[row], card), seat)
                yield from self.pause(PLACE)
            case Took(seat=seat, row=row, card=card, cards=cards):
                self.face_up.placing = seat
                self.rows.cursor = row
                self.rows.takers = {row: self.names[seat]}
                yield from self.pause(TAKE_ROW)
                self._put(row, (card,), seat)
                self._taken[seat] += cards
                self._heads[seat] += total(cards)
                yield from self.pause(PLACE)
            case SetAside(seat=seat):
                self.face_up.gone.add(seat)
                yield from self.pause(PLACE)
            case DealOver(heads=heads, match=match) if heads != match or self.rules.deals != 1:  # type: ignore[attr-defined]
                yield from self.pause(math.inf)

    def _put(self, row: int, cards: tuple[int, ...], seat: int) -> None:
        rows = self.rows.rows
        self.rows.rows = (*rows[:row], cards, *rows[row + 1 :])
        self.rows.placed, self.rows.cursor = row, -1
        self.face_up.gone.add(seat)


def _heads(row: tuple[int, ...]) -> str:
    return message("nimmt.heads", count=total(row))
