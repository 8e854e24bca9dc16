"""Line mode: play a game as plain text or JSON lines, for pipes, screen readers and dumb terminals."""

import queue
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import sleep
from typing import Any, Final, Protocol, TextIO

import msgspec

from faceup.coach import Hint, hint, no_hint, ranking
from faceup.coach.report import option_json
from faceup.core import Action, Malformed, RulesError, Seat, View, action_text, find_game
from faceup.table import Choose, view_for
from faceup.table.events import ChoiceWithdrawn, Chose, DeadlineExtended, SeatTaken
from faceup.table.views import visible_history
from faceup.terminal.event_text import event_text
from faceup.terminal.replay_frames import Replay
from faceup.terminal.session import TerminalSession, TimedEvent
from faceup.terminal.text import fit, fit_right, wrap
from faceup.terminal.words import (
    choice_text,
    draw_view,
    error_text,
    game_guide,
    game_title,
    message,
    text,
    variant_title,
)
from faceup.translations.actions import split_action, translate_actions
from faceup.translations.environment import environment_language

_END: Final = None
_LONGEST: Final = 1000
"""The maximum number of characters in a line, so that input cannot exhaust memory."""


class Lines:
    """Read lines of standard input in a daemon thread, so that reads can time out on every system."""

    def __init__(self, source: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while line := self._source.readline(_LONGEST):
                self._lines.put(line.rstrip("\r\n"))
                while line and not line.endswith("\n"):
                    line = self._source.readline(_LONGEST)
        except (OSError, ValueError):  # input that is closed or cannot be read or decoded counts as ended
            pass
        self._lines.put(_END)

    def next(self, milliseconds: int | None = None) -> str | None:
        """Return the next line, or None if no line arrives within the given milliseconds; None waits without limit.

        Raises:
            EOFError: the input has ended.
        """
        if self._ended:
            raise EOFError
        try:
            seconds = None if milliseconds is None else min(milliseconds / 1000, threading.TIMEOUT_MAX)
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is _END:
            self._ended = True
            raise EOFError
        return line


_PRESENCE_EVENTS: Final = (SeatTaken, Chose, ChoiceWithdrawn, DeadlineExtended)
"""Events that are not written, because they matter only on a screen that shows who is choosing."""


class Output(Protocol):
    """The output format of a game: text for people or JSON lines for programs."""

    @property
    def notation(self) -> bool:
        """Whether prompts and answers are in notation, which counts rows from 0; otherwise, words count rows from 1."""
        ...

    def show_event(self, session: TerminalSession, timed: TimedEvent, viewer: Seat | None) -> None:
        """Report an event."""

    def show(self, session: TerminalSession, viewer: Seat | None) -> None:
        """Show the table."""

    def say(self, words: str) -> None:
        """Print a message."""

    def ask(self, session: TerminalSession, seat: Seat) -> None:
        """Prompt a seat for its choice."""

    def advise(self, session: TerminalSession, advice: Hint) -> None:
        """Show a hint."""


class TextOutput:
    """Write sentences and text drawings."""

    notation: Final = False

    def show_event(self, session: TerminalSession, timed: TimedEvent, viewer: Seat | None) -> None:
        """Print the event as a sentence."""
        del viewer
        print(event_text(session.table.rules.game, timed.event, session.table.names))

    def show(self, session: TerminalSession, viewer: Seat | None) -> None:
        """Print the game's text drawing."""
        table = session.table
        view = view_for(table, viewer).view
        print()
        print(draw_view(table.rules, view, table.names))

    def say(self, words: str) -> None:
        """Print the message."""
        print(words)

    def ask(self, session: TerminalSession, seat: Seat) -> None:
        """Print a prompt with the choices and the seconds left, rounded up."""
        table = session.table
        view = view_for(table, seat).view
        choices = ", ".join(short_choices(table.rules, view, notation=self.notation))
        left = session.time_left
        seconds, context = (0, "") if left is None else (-(-left // 1000), "clock")
        print(text("line.ask", name=table.names[seat], choices=choices, seconds=seconds, context=context))
        print("> ", end="", flush=True)

    def advise(self, session: TerminalSession, advice: Hint) -> None:
        """Print a line for each option, then the reason."""
        for option, heads, wins, risk, cause in ranking(session.table.rules, advice, language=environment_language()):
            line = text(
                "line.hint",
                option=fit(option, 12),
                heads=fit_right(heads, 12),
                wins=fit_right(wins, 4),
                risk=fit_right(risk, 4),
                cause=cause,
            )
            print(line.rstrip())
        print("\n".join(wrap(advice.words, 80)))


class JsonOutput:
    """Write one JSON object per line: events, views, prompts and messages."""

    notation: Final = True

    def show_event(self, session: TerminalSession, timed: TimedEvent, viewer: Seat | None) -> None:
        """Write the event and its sentence."""
        del viewer
        self._line({"event": msgspec.to_builtins(timed.event), "words": timed.event.words(session.table.names)})

    def show(self, session: TerminalSession, viewer: Seat | None) -> None:
        """Write the view."""
        self._line({"view": msgspec.to_builtins(view_for(session.table, viewer))})

    def say(self, words: str) -> None:
        """Write a message."""
        self._line({"message": words})

    def ask(self, session: TerminalSession, seat: Seat) -> None:
        """Write the seat, its legal choices as text and the milliseconds left."""
        rules, state = session.table.rules, session.table.state
        legal = [rules.describe(action) for action in rules.legal(state, seat)]
        self._line({"ask": {"seat": seat, "legal": legal, "milliseconds": session.time_left}})

    def advise(self, session: TerminalSession, advice: Hint) -> None:
        """Write all data of the hint."""
        options = [option_json(session.table.rules, option) for option in advice.options]
        self._line({"hint": {"options": options, "words": advice.words}})

    @staticmethod
    def _line(value: dict[str, Any]) -> None:  # Any: JSON
        print(_json(value), flush=True)


def short_choices(rules: Any, view: View, *, notation: bool = True) -> list[str]:  # noqa: ANN401 -- rules of any game
    """Return legal actions grouped by their first words, such as `play 3 45 46` or, in notation, `take row 0 1 2 3`."""
    groups: dict[str, list[str]] = {}
    for action in view.legal:
        head, number = split_action(rules.describe(action) if notation else action_text(rules, action))
        groups.setdefault(head, []).append(number)
    if notation:
        return [f"{head} {' '.join(numbers)}".strip() for head, numbers in groups.items()]
    language = environment_language()
    return [translate_actions(language, rules.game, head, numbers) for head, numbers in groups.items()]


def parse_choice(rules: Any, view: View, typed: str, *, notation: bool = True) -> Action:  # noqa: ANN401 -- rules of any game
    """Return the legal action that a text names, either in full or by an end that no other action has.

    People can type a choice as they see it, or in English.

    Args:
        rules: the rules of the game.
        view: the view of the seat that chooses.
        typed: the text that the player typed.
        notation: whether the text is in notation, which counts rows from 0; otherwise, the text counts rows from 1.

    Raises:
        Malformed: the text matches no legal action.
    """
    words = typed.lower().split()
    if not words and len(view.legal) == 1:
        return view.legal[0]
    for action in view.legal:
        texts = [rules.describe(action)] if notation else [action_text(rules, action), choice_text(rules, action)]
        if words and any(full.lower().split()[-len(words) :] == words for full in texts):
            return action
    with suppress(Malformed):  # return an action that is not legal now, too, because the table rejects it with a reason
        parsed = rules.parse(typed)
        if isinstance(parsed, int) and (notation or "row" not in words):
            return parsed
    choices = ", ".join(short_choices(rules, view, notation=notation))
    raise Malformed(text("line.no_choice", typed=repr(typed), choices=choices), what=typed)


def play(session: TerminalSession, opening: Sequence[TimedEvent], output: Output, lines: Lines | None = None) -> bool:
    """Play the session until it ends, the input ends or the player quits.

    Args:
        session: the game.
        opening: the events before the first decision.
        output: the output format.
        lines: the input; the default is standard input, which is read only if a person plays here.

    Returns:
        Whether the game is over.
    """
    people = session.people
    viewer = people[0] if len(people) == 1 else None
    lines = lines or (Lines() if people else None)

    def show(events: Sequence[TimedEvent]) -> None:
        for timed in events:
            if timed.event.is_visible_to(viewer) and not isinstance(timed.event, _PRESENCE_EVENTS):
                output.show_event(session, timed, viewer)

    rules = session.table.rules
    game = find_game(rules.game)
    title, variant = game_title(game), variant_title(game, game.variant(rules.variant))
    names, context = message("site.list").join(session.table.names), "people" if people else ""
    output.say(text("line.title", game=title, variant=variant, names=names, context=context))
    show(opening)
    try:
        while not session.over:
            moved = False
            for events in session.play_bots():
                show(events)
                moved = True
            own_seats = [seat for seat in session.table.waiting if seat in people]
            if own_seats and lines is not None:
                show(_choose(session, own_seats[0], output, lines))
            elif not moved:  # everyone has chosen, but choices are revealed only at the deadline, so wait for it
                sleep(((session.time_left or 0) + 1) / 1000)
                show(session.expire_deadline())
    except (EOFError, KeyboardInterrupt):
        return False
    output.show(session, viewer)
    return True


def _choose(session: TerminalSession, seat: Seat, output: Output, lines: Lines) -> list[TimedEvent]:
    """Prompt until the seat has chosen or its time is up."""
    if len(session.people) > 1:
        output.say("\n" + text("line.hand_over", name=session.table.names[seat]))
        if _next_line(session, lines) is None:
            return session.expire_deadline()  # the time is up, so the table chooses automatically, and no hand is shown
    decision = session.table.decision
    output.show(session, seat)
    output.ask(session, seat)
    while True:
        line = _next_line(session, lines)
        if line is None:
            events = session.expire_deadline()
            if session.table.decision != decision:
                return events
            continue
        view = view_for(session.table, seat).view
        empty = not line.strip() and len(view.legal) > 1
        if not empty and not _answered(session, seat, output, line):
            try:
                events = session.send(
                    Choose(seat, parse_choice(session.table.rules, view, line, notation=output.notation), decision)
                )
            except RulesError as error:
                output.say(error_text(error, short_choices(session.table.rules, view, notation=output.notation)))
            else:
                if len(session.people) > 1:
                    output.say("\n" * 40)
                return events
        output.ask(session, seat)


def _next_line(session: TerminalSession, lines: Lines) -> str | None:
    """Return the next line, or None if the time is up first. Raises `EOFError` at the end of the input."""
    left = session.time_left
    line = lines.next(left if left is None else left + 1)
    if line is not None and line.strip().lower() in {"q", "quit", "exit"}:
        raise EOFError
    return line


def _answered(session: TerminalSession, seat: Seat, output: Output, line: str) -> bool:
    """Return whether a line is a command, such as `log`, and not a choice; if it is a command, run it."""
    match line.strip().lower():
        case "?" | "help":
            output.say(game_guide(find_game(session.table.rules.game)))
            output.say(text("line.help"))
        case "look":
            output.show(session, seat)
        case "log":
            for timed in visible_history(session.table, seat):
                output.say(event_text(session.table.rules.game, timed.event, session.table.names))
        case "h" | "hint":
            _hint(session, seat, output)
        case _:
            return False
    return True


def _hint(session: TerminalSession, seat: Seat, output: Output) -> None:
    """Show the coach's hint for the seat, computed from what the seat sees, or say why there is no hint."""
    table = session.table
    language = environment_language()
    if refusal := no_hint(table.rules, allowed=table.terms.hints, language=language):
        output.say(refusal)
    else:
        output.advise(session, hint(table.rules, view_for(table, seat).view, language=language))


def replay_text(replay: Replay, viewer: Seat | None, *, json: bool) -> None:
    """Print the events of a replay as sentences or JSON lines."""
    for frame in replay.frames:
        for event in frame.events:
            if event.is_visible_to(viewer):
                if json:
                    print(_json({"event": msgspec.to_builtins(event), "words": event.words(replay.names)}))
                else:
                    print(event_text(replay.rules.game, event, replay.names))
    view = replay.rules.view(replay.frames[-1].state, viewer)
    if json:
        print(_json({"view": msgspec.to_builtins(view)}))
    else:
        print("\n" + draw_view(replay.rules, view, replay.names))


def _json(value: dict[str, Any]) -> str:  # Any: JSON
    return msgspec.json.encode(value).decode()
