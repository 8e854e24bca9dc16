"""The screen of a live table, which prompts players in order and shows only what everyone present may see."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType
from textual.timer import Timer

from faceup.coach import hint, no_hint
from faceup.core import Action, Event, Seat
from faceup.table import Choose, view_for
from faceup.table.commands import RestartClock
from faceup.table.errors import StaleCommandError
from faceup.table.events import SeatTaken
from faceup.table.views import visible_history
from faceup.terminal.boards import Board
from faceup.terminal.clock import PausableClock
from faceup.terminal.event_text import event_text
from faceup.terminal.playback import Playback
from faceup.terminal.screens.dialogs import GameOverDialog, HintDialog
from faceup.terminal.screens.game_screen import NOT_SHOWN, GameScreen, TopLine
from faceup.terminal.screens.hand_over_screen import HandOverScreen
from faceup.terminal.session import TerminalSession, TimedEvent
from faceup.terminal.words import game_title, text, variant_title
from faceup.translations.environment import environment_language

TICK: Final = 1.0
"""Seconds between checks of the clock; the last check is at the end of the time."""

BOT_DELAY: Final = 0.25
"""Seconds before a bot chooses if only bots play, so that spectators can follow the game."""

AUTO_DELAY: Final = 0.5
"""Seconds before each automatic choice."""

FRAME: Final = 0.04
"""Seconds of play between two updates of the screen if the speed is instant."""

WATCHING: Final = text("prompt.watching")


class TableScreen(GameScreen):
    """The screen that runs a session to its end; it returns "menu" or "again", as the player chooses.

    Players at this terminal choose one after the other, each with the full time. The clock is paused during a reveal,
    behind the hand-over screen and behind other screens.

    Args:
        session: the game.
        opening: the events before the first decision; a resumed game has no `SeatTaken` among them.
        clock: the session's clock.
        playback: the playback speed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "auto", text("key.auto")),
        Binding("h", "hint", text("key.hint")),
    ]

    def __init__(
        self, session: TerminalSession, opening: Sequence[TimedEvent], clock: PausableClock, playback: Playback
    ) -> None:
        super().__init__(session.table.rules, session.table.names, playback, attended=bool(session.people))
        self.session = session
        self._clock = clock
        self._unshown: list[TimedEvent] = list(opening)
        self._resumed = not any(isinstance(entry.event, SeatTaken) for entry in opening)
        self._answer: asyncio.Future[Action | None] | None = None
        self._asked: Seat | None = None
        self._hidden = False
        self._prompt_text = ""
        self._timer: Timer | None = None
        self.viewer: Seat | None = session.people[0] if len(session.people) == 1 else None

    def on_mount(self) -> None:
        """Start the game loop and the clock, which is paused while Ctrl-Z stops the process."""
        # Immediately, because the process is stopped before the next message is handled.
        self.app.app_suspend_signal.subscribe(self, lambda _: self.on_screen_suspend(), immediate=True)
        self.app.app_resume_signal.subscribe(self, lambda _: self._on_process_resume())
        self._tick()
        self._game_loop()

    def on_screen_suspend(self) -> None:
        """Pause the clock while another screen hides the table."""
        if not self._hidden:
            self._hidden = True
            self._clock.hold()

    def on_screen_resume(self) -> None:
        """Continue the clock."""
        if self._hidden:
            self._hidden = False
            self._clock.release()
            self._tick()

    def _on_process_resume(self) -> None:
        """Continue the clock, unless another screen hides the table."""
        if self.is_current:
            self.on_screen_resume()

    # Methods of the game loop.

    @work
    async def _game_loop(self) -> None:
        """Show events and collect choices until the game is over."""
        session = self.session
        if self._resumed:
            events = visible_history(session.table, self.viewer)
            self.side.replace_log(
                [self._sentence(entry.event) for entry in events if not isinstance(entry.event, NOT_SHOWN)]
            )
        else:
            self._show_table(None)
        await self._show_new_events()
        while not session.over:
            if self._unattended:
                await self._play_unattended()
            else:
                await asyncio.gather(self._bots(), self._people())
                await self._show_new_events()
        session.save()
        result = view_for(session.table, None).result
        assert result is not None  # noqa: S101 -- the game is over
        answer = await self.app.push_screen_wait(GameOverDialog(result, self.names, self.side.sentences[-1]))
        if answer == "look":
            self.prompt(text("prompt.over"))
        else:
            self.dismiss(answer)

    @property
    def _unattended(self) -> bool:
        """Return whether the game runs without prompts and animation."""
        idle = self.playback.auto or not self.session.people
        return idle and not self.playback.speed.factor and not self.playback.paused

    async def _play_unattended(self) -> None:
        """Play for a moment, then show the table; prompt the players if no choice can be made without a person."""
        loop = asyncio.get_running_loop()
        session, words, until = self.session, list[str](), loop.time() + FRAME
        stuck = False
        while not session.over and not stuck and loop.time() < until:
            events = [entry for batch in session.play_bots() for entry in batch]
            stuck = not events
            for seat in self._due():
                legal = session.table.rules.legal(session.table.state, seat)
                if len(legal) == 1:
                    events += session.send(Choose(seat, legal[0]))
                    stuck = False
            words += [
                self._sentence(entry.event)
                for entry in events
                if entry.event.is_visible_to(self.viewer) and not isinstance(entry.event, NOT_SHOWN)
            ]
        self.side.add_to_log(*words)
        self._show_table(self.viewer)
        await asyncio.sleep(FRAME / 2)
        if stuck and not session.over:
            await self._people()
            await self._show_new_events()

    async def _bots(self) -> None:
        """Let the bots choose for the open decision, one after the other."""
        session = self.session
        decision = session.table.decision
        while session.table.decision == decision:
            bots = [seat for seat in session.table.waiting if seat not in session.people]
            if not bots:
                return
            if not session.people:
                await self.hold(BOT_DELAY)
            action = await asyncio.to_thread(session.bot_action, bots[0])
            with suppress(StaleCommandError):  # the bot's time ran out, so its choice no longer counts
                self._send(Choose(bots[0], action, decision))

    async def _people(self) -> None:
        """Prompt the humans here one after the other until the open decision is made."""
        session = self.session
        decision = session.table.decision
        alone = len(session.people) == 1
        while session.table.decision == decision and not session.over:
            due = self._due()
            present = [seat for seat in session.table.deciders if seat in session.people]
            if not present:
                return
            if due:
                await self._ask(due[0], decision)
            elif alone:  # the only human can change the choice until the bots have chosen or the time is up
                await self._ask(present[0], decision)
            else:
                self.prompt(text("prompt.chosen"))
                if await self._answered((), sealed=True) is None and session.table.decision == decision:
                    self._queue_events(session.expire_deadline())

    def _due(self) -> list[Seat]:
        """Return the seats of the humans at this terminal who have not chosen."""
        return [seat for seat in self.session.table.waiting if seat in self.session.people]

    # Methods that prompt one person.

    async def _ask(self, seat: Seat, decision: int) -> None:
        """Prompt a person for a choice; if others here must not see the hand, show a hand-over screen first."""
        session = self.session
        table_view, public = view_for(session.table, seat), view_for(session.table, None)
        hidden = self.board.secret(table_view.view, public.view)
        if len(session.people) > 1 and hidden:
            self._show_table(None)
            chosen = [seat for seat in session.people if session.table.choices[seat] is not None]
            seat = await self.app.push_screen_wait(HandOverScreen(seat, self.names, chosen))
            self._send(RestartClock())
            table_view = view_for(session.table, seat)
        self._show_table(seat if hidden else self.viewer, asked=seat)
        words = self.board.ask(table_view.view.legal, table_view.choice)
        self._show_prompt(words)
        action = await self._answered(table_view.view.legal, sealed=table_view.choice is not None)
        self._asked = None
        if len(session.people) > 1 and hidden:
            self.board.ask((), None)
            self.board.hide()
        if action is None and session.table.decision == decision:
            self._queue_events(session.expire_seat(seat))
        elif action is not None:
            with suppress(StaleCommandError):  # the choice did not change, or came too late
                self._send(Choose(seat, action, decision))
        if session.table.decision == decision:
            self._show_table(self.viewer)

    async def _answered(self, legal: tuple[Action, ...], *, sealed: bool) -> Action | None:
        """Wait for the person's choice; return None if the time is up or the decision was made without it."""
        if self.playback.auto and len(legal) == 1 and not sealed:
            await self.hold(AUTO_DELAY)
            return legal[0]
        self._answer = asyncio.get_running_loop().create_future()
        try:
            return await self._answer
        finally:
            self._answer = None

    @on(Board.Chosen)
    def _chosen(self, event: Board.Chosen) -> None:
        self._resolve(event.action)

    @on(Board.Hint)
    def _hinted(self, event: Board.Hint) -> None:
        self._show_prompt(event.words)

    def _resolve(self, action: Action | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(action)

    def _show_prompt(self, words: str) -> None:
        """Show a prompt, with the player's name if several people share the terminal."""
        self._prompt_text = words
        several = len(self.session.people) > 1 and self._asked is not None
        self.prompt(f"{self.names[self._asked]}: {words}" if several and self._asked is not None else words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable automatic play if no humans play here, and hints if they are not allowed."""
        if action == "hint":
            return self.attended and not no_hint(self.rules, allowed=self.session.table.terms.hints)
        return self.attended if action == "auto" else super().check_action(action, parameters)

    def action_hint(self) -> None:
        """Ask the coach for a hint."""
        if self._asked is not None and len(self.board.legal) > 1:
            self._advise(self._asked, self.session.table.decision)

    @work(exclusive=True, group="hint")
    async def _advise(self, seat: Seat, decision: int) -> None:
        """Compute a hint in a thread, and show it unless the decision has been made in the meantime."""
        prompt = self._prompt_text
        self.prompt(text("prompt.coach"))
        view = view_for(self.session.table, seat).view
        advice = await asyncio.to_thread(hint, self.rules, view, language=environment_language())
        if self.session.table.decision == decision and self._asked == seat:
            self._show_prompt(prompt)
            await self.app.push_screen_wait(HintDialog(self.rules, advice, self.names[seat]))

    def action_auto(self) -> None:
        """Turn automatic play of choices with only one legal action on or off."""
        self.playback.auto = not self.playback.auto
        self.show_playback()
        if self.playback.auto:
            self._skipped.set()
            if self._answer is not None and len(self.board.legal) == 1:
                self._resolve(self.board.legal[0])

    # Methods that update the display.

    def _send(self, command: Choose | RestartClock) -> None:
        self._queue_events(self.session.send(command))

    def _queue_events(self, events: list[TimedEvent]) -> None:
        """Add events to the queue of events that wait to be shown, and show who has chosen."""
        self._unshown += events
        if all(isinstance(entry.event, NOT_SHOWN) for entry in events):
            self._seats()
        else:
            self._resolve(None)

    async def _show_new_events(self) -> None:
        """Animate the queued events while the clock is paused."""
        events, self._unshown = self._unshown, []
        self.board.ask((), None)
        self.prompt("" if self.attended else WATCHING)
        with self._clock.held():
            await self.show_events([entry.event for entry in events if entry.event.is_visible_to(self.viewer)])
        self._show_table(self.viewer)
        self._tick()

    def _show_table(self, viewer: Seat | None, asked: Seat | None = None) -> None:
        """Show the table from a seat's point of view."""
        self._asked = asked
        table_view = view_for(self.session.table, viewer)
        self.board.show(table_view.view)
        self._seats()
        self.query_one(TopLine).title(self._title, self.board.progress(table_view.view))
        self.prompt("" if self.attended else WATCHING)

    def _seats(self) -> None:
        table_view = view_for(self.session.table, self.viewer)
        self.side.show(table_view, self.board.notes(), self._asked)
        self.board.show_chosen([bool(seat and seat.chosen) for seat in table_view.seats])

    @property
    def _title(self) -> str:
        variant = self.game.variant(self.rules.variant)
        return f"{game_title(self.game)} · {variant_title(self.game, variant)}"

    def _sentence(self, event: Event) -> str:
        return event_text(self.rules.game, event, self.names)

    def show_playback(self) -> None:
        """Show the playback state next to the clock."""
        self._tick()

    def _tick(self) -> None:
        """Update the clock, apply timeouts, and set the timer of the next check, unless no time passes."""
        session = self.session
        total, left = session.table.terms.clock, session.time_left
        self.query_one(TopLine).status(left, total, self.playback_text())
        if self._timer is not None:
            self._timer.stop()
        if total is None or session.over or self._clock.stopped:
            return
        # The shown seconds change when a whole second is left.
        self._timer = self.set_timer((left % 1000 or 1000) / 1000 if left else TICK, self._tick)
        if left == 0:
            if self._answer is not None:
                self._resolve(None)
            else:
                self._queue_events(session.expire_deadline())
