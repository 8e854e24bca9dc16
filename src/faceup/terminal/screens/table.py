"""The live table: who is asked when, and what everybody here may see meanwhile."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType

from faceup.coach import hint, no_hint
from faceup.core import Action, Seat
from faceup.table import Choose, Resume, SatDown, Stale, history_for, to_choose, view_for
from faceup.terminal.boards import Board
from faceup.terminal.clock import StopClock
from faceup.terminal.screens.advice import Advice
from faceup.terminal.screens.curtain import Curtain
from faceup.terminal.screens.ending import Ending
from faceup.terminal.screens.stage import UNTOLD, Stage
from faceup.terminal.session import Session, Told
from faceup.terminal.tempo import Tempo
from faceup.terminal.topline import TopLine

TICK: Final = 0.1
"""Seconds between looks at the clock."""

THINK: Final = 0.25
"""Seconds a bot lets pass before it chooses where nobody plays, so that one can follow."""

BREATH: Final = 0.5
"""Seconds before each choice that is made automatically."""

FRAME: Final = 0.04
"""Seconds of play between two pictures when everything happens at once."""

WATCHING: Final = "Space skips, p pauses and goes on, + and - set the speed."


class TableScreen(Stage):
    """Runs a session to its end. Dismissed with "menu" or "again".

    People here choose one after the other, each with the whole clock; it stands still while a reveal is shown, while
    the curtain is down, and while another page hides the table.

    Args:
        session: the game.
        opening: what happened on the way to the first decision; after a resume, nobody sits down in it.
        clock: the session's.
        tempo: how fast things are shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("a", "auto", "Auto"), Binding("h", "hint", "Hint")]

    def __init__(self, session: Session, opening: Sequence[Told], clock: StopClock, tempo: Tempo) -> None:
        super().__init__(session.table.rules, session.table.names, tempo, attended=bool(session.people))
        self.session = session
        self._clock = clock
        self._news: list[Told] = list(opening)
        self._resumed = not any(isinstance(each.event, SatDown) for each in opening)
        self._answer: asyncio.Future[Action | None] | None = None
        self._asked: Seat | None = None
        self._hidden = False
        self._said = ""
        self.viewer: Seat | None = session.people[0] if len(session.people) == 1 else None

    def on_mount(self) -> None:
        """Begin to play."""
        self.set_interval(TICK, self._tick)
        self._direct()

    def on_screen_suspend(self) -> None:
        """Another page hides the table: the clock stands still."""
        if not self._hidden:
            self._hidden = True
            self._clock.hold()

    def on_screen_resume(self) -> None:
        """The table is to be seen again."""
        if self._hidden:
            self._hidden = False
            self._clock.release()

    # Directing: what happens in which order.

    @work
    async def _direct(self) -> None:
        """Show what happened, have everybody choose, again and again until the game is over."""
        session = self.session
        if self._resumed:
            told = history_for(session.table, self.viewer)
            self.side.retell([each.event.words(self.names) for each in told if not isinstance(each.event, UNTOLD)])
        else:
            self._look(None)
        await self._show_news()
        while not session.over:
            if self._at_once:
                await self._burst()
            else:
                await asyncio.gather(self._bots(), self._people())
                await self._show_news()
        session.save()
        result = view_for(session.table, None).result
        assert result is not None  # noqa: S101 -- the game is over
        answer = await self.app.push_screen_wait(Ending(result, self.names, self.side.sentences[-1]))
        if answer == "look":
            self.prompt("The game is over. Esc for the menu, q to quit.")
        else:
            self.dismiss(answer)

    @property
    def _at_once(self) -> bool:
        """Whether nobody has anything to choose, and nothing is to be shown in between."""
        idle = self.tempo.auto or not self.session.people
        return idle and not self.tempo.speed.factor and not self.tempo.paused

    async def _burst(self) -> None:
        """Play on for a moment, then show where that led; stop for a person who has a real choice."""
        loop = asyncio.get_running_loop()
        session, words, until = self.session, list[str](), loop.time() + FRAME
        stuck = False
        while not session.over and not stuck and loop.time() < until:
            told = [each for batch in session.play_bots() for each in batch]
            stuck = not told
            for seat in self._due():
                legal = session.table.rules.legal(session.table.state, seat)
                if len(legal) == 1:
                    told += session.send(Choose(seat, legal[0]))
                    stuck = False
            words += [
                each.event.words(self.names)
                for each in told
                if each.event.heard_by(self.viewer) and not isinstance(each.event, UNTOLD)
            ]
        self.side.tell(*words)
        self._look(self.viewer)
        await asyncio.sleep(FRAME / 2)
        if stuck and not session.over:
            await self._people()
            await self._show_news()

    async def _bots(self) -> None:
        """Let the bots choose, one after the other, for the open decision."""
        session = self.session
        decision = session.table.decision
        while session.table.decision == decision:
            bots = [seat for seat in to_choose(session.table) if seat not in session.people]
            if not bots:
                return
            if not session.people:
                await self.hold(THINK)
            action = await asyncio.to_thread(session.bot_action, bots[0])
            with suppress(Stale):  # its time ran out while it thought
                self._send(Choose(bots[0], action, decision))

    async def _people(self) -> None:
        """Ask the people here, one after the other, until the open decision is made."""
        session = self.session
        decision = session.table.decision
        alone = len(session.people) == 1
        while session.table.decision == decision and not session.over:
            due = self._due()
            mine = [seat for seat in session.table.deciders if seat in session.people]
            if not mine:
                return
            if due:
                await self._ask(due[0], decision)
            elif alone:  # bots still think, or the clock still runs: one may change one's mind
                await self._ask(mine[0], decision)
            else:
                self.prompt("Everybody here has chosen.")
                if await self._answered((), sealed=True) is None and session.table.decision == decision:
                    self._take(session.tick())

    def _due(self) -> list[Seat]:
        """The people here who have yet to choose."""
        return [seat for seat in to_choose(self.session.table) if seat in self.session.people]

    # Asking one person.

    async def _ask(self, seat: Seat, decision: int) -> None:
        """Have the person choose, behind a curtain if there is something to hide from the others here."""
        session = self.session
        sight, public = view_for(session.table, seat), view_for(session.table, None)
        hidden = self.board.secret(sight.view, public.view)
        if len(session.people) > 1 and hidden:
            self._look(None)
            chosen = [each for each in session.people if session.table.choices[each] is not None]
            seat = await self.app.push_screen_wait(Curtain(seat, self.names, chosen))
            self._send(Resume())
            sight = view_for(session.table, seat)
        self._look(seat if hidden else self.viewer, asked=seat)
        words = self.board.ask(sight.view.legal, sight.choice)
        self._say(words)
        action = await self._answered(sight.view.legal, sealed=sight.choice is not None)
        self._asked = None
        if len(session.people) > 1 and hidden:
            self.board.ask((), None)
            self.board.hide()
        if action is None and session.table.decision == decision:
            self._take(session.time_up(seat))
        elif action is not None:
            with suppress(Stale):  # the same again, or too late by a blink
                self._send(Choose(seat, action, decision))
        if session.table.decision == decision:
            self._look(self.viewer)

    async def _answered(self, legal: tuple[Action, ...], *, sealed: bool) -> Action | None:
        """What the person chooses; None when the time is up, or the decision made without them."""
        if self.tempo.auto and len(legal) == 1 and not sealed:
            await self.hold(BREATH)
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
        self._say(event.words)

    def _resolve(self, action: Action | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(action)

    def _say(self, words: str) -> None:
        """The prompt, with a name where several people need to know who is meant."""
        self._said = words
        several = len(self.session.people) > 1 and self._asked is not None
        self.prompt(f"{self.names[self._asked]}: {words}" if several and self._asked is not None else words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is automatic for people where none are, and nobody gets a hint where the table forbids it."""
        if action == "hint":
            return self.attended and not no_hint(self.rules, allowed=self.session.table.terms.hints)
        return self.attended if action == "auto" else super().check_action(action, parameters)

    def action_hint(self) -> None:
        """Ask the coach what to play."""
        if self._asked is not None and len(self.board.legal) > 1:
            self._advise(self._asked, self.session.table.decision)

    @work(exclusive=True, group="hint")
    async def _advise(self, seat: Seat, decision: int) -> None:
        """Have the coach think beside the game, and show what comes of it if it is still wanted."""
        said = self._said
        self.prompt("The coach is thinking ...")
        view = view_for(self.session.table, seat).view
        advice = await asyncio.to_thread(hint, self.rules, view)
        if self.session.table.decision == decision and self._asked == seat:
            self._say(said)
            await self.app.push_screen_wait(Advice(self.rules, advice, self.names[seat]))

    def action_auto(self) -> None:
        """Choose by itself where there is nothing to choose, or stop that."""
        self.tempo.auto = not self.tempo.auto
        self.say_tempo()
        if self.tempo.auto:
            self._skipped.set()
            if self._answer is not None and len(self.board.legal) == 1:
                self._resolve(self.board.legal[0])

    # Showing.

    def _send(self, command: Choose | Resume) -> None:
        self._take(self.session.send(command))

    def _take(self, told: list[Told]) -> None:
        """Keep what happened to be shown, and show who has chosen."""
        self._news += told
        if all(isinstance(each.event, UNTOLD) for each in told):
            self._seats()
        else:
            self._resolve(None)

    async def _show_news(self) -> None:
        """Show what happened since, while the clock stands still."""
        news, self._news = self._news, []
        self.board.ask((), None)
        self.prompt("" if self.attended else WATCHING)
        with self._clock.held():
            await self.show_events([each.event for each in news if each.event.heard_by(self.viewer)])
        self._look(self.viewer)

    def _look(self, viewer: Seat | None, asked: Seat | None = None) -> None:
        """Show the table as the seat may see it."""
        self._asked = asked
        sight = view_for(self.session.table, viewer)
        self.board.show(sight.view)
        self._seats()
        self.query_one(TopLine).title(self._title, self.board.progress(sight.view))
        self.prompt("" if self.attended else WATCHING)

    def _seats(self) -> None:
        sight = view_for(self.session.table, self.viewer)
        self.side.show(sight, self.board.notes(), self._asked)
        self.board.show_chosen([bool(seat and seat.chosen) for seat in sight.seats])

    @property
    def _title(self) -> str:
        variant = self.game.variant(self.rules.variant).title
        return f"{self.game.title} · {variant}"

    def say_tempo(self) -> None:
        """Say the tempo beside the clock."""
        self._tick()

    def _tick(self) -> None:
        """Show the clock, and do what it is due to do."""
        session = self.session
        whole = session.table.terms.clock
        self.query_one(TopLine).status(session.time_left, whole, self.tempo_words())
        if session.time_left == 0 and not session.over and not self._clock.stopped:
            if self._answer is not None:
                self._resolve(None)
            else:
                self._take(session.tick())
