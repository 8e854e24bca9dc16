"""A game line by line: for pipes, screen readers, dumb terminals, and whoever likes it quiet."""

from collections.abc import Sequence
from textwrap import wrap
from time import sleep
from typing import Any, Final, Protocol

import msgspec

from faceup.coach import Hint, hint, no_hint, ranking
from faceup.coach.report import option_json
from faceup.core import Action, Malformed, RulesError, Seat, View, find_game
from faceup.table import Choose, Chose, MoreTime, SatDown, TookBack, history_for, to_choose, view_for
from faceup.terminal.lines import Lines
from faceup.terminal.session import Session, Told
from faceup.terminal.story import Story

HELP = """\
Type what the prompt offers, whole (play 57, take row 2) or short (57, 2); Enter alone if there is but one choice.
  ?        this help and the rules      log      what happened so far
  look     the table again              h        a hint: what the coach would play
  q        save and stop"""


_COMINGS_AND_GOINGS: Final = (SatDown, Chose, TookBack, MoreTime)
"""What matters on a screen, where it shows who is being waited for; a transcript is better off without it."""


class Voice(Protocol):
    """How a game is told: in words for people, or as JSON lines for programs."""

    def tell(self, session: Session, told: Told, viewer: Seat | None) -> None:
        """Something happened."""

    def show(self, session: Session, viewer: Seat | None) -> None:
        """How the table stands."""

    def say(self, text: str) -> None:
        """A line beside the game."""

    def ask(self, session: Session, seat: Seat) -> None:
        """The seat is to decide."""

    def advise(self, session: Session, advice: Hint) -> None:
        """What the coach thinks."""


class Words:
    """Tells in sentences and plain drawings."""

    def tell(self, session: Session, told: Told, viewer: Seat | None) -> None:
        """The event as a sentence."""
        del viewer
        print(told.event.words(session.table.names))

    def show(self, session: Session, viewer: Seat | None) -> None:
        """The game's own drawing in text."""
        table = session.table
        view = view_for(table, viewer).view
        print()
        print(find_game(table.rules.game).drawings["text"](view, names=table.names, rules=table.rules))

    def say(self, text: str) -> None:
        """The line as it is."""
        print(text)

    def ask(self, session: Session, seat: Seat) -> None:
        """A prompt with the choices, and the seconds that are left."""
        table = session.table
        view = view_for(table, seat).view
        choices = ", ".join(short_choices(table.rules, view))
        left = session.time_left
        clock = "" if left is None else f" ({left // 1000} s)"
        print(f"{table.names[seat]}, choose{clock}: {choices}")
        print("> ", end="", flush=True)

    def advise(self, session: Session, advice: Hint) -> None:
        """A line for each option, then why."""
        for words, heads, win, risk in ranking(session.table.rules, advice):
            print(f"{words:<12}  {heads:>12} heads to come, wins {win:>4}, takes a row now {risk:>4}")
        print("\n".join(wrap(advice.words, 80)))


class Json:
    """Tells in JSON, an object a line: events, the view of whoever is asked, messages."""

    def tell(self, session: Session, told: Told, viewer: Seat | None) -> None:
        """The event, with its words."""
        del viewer
        self._line({"event": msgspec.to_builtins(told.event), "words": told.event.words(session.table.names)})

    def show(self, session: Session, viewer: Seat | None) -> None:
        """The view."""
        self._line({"view": msgspec.to_builtins(view_for(session.table, viewer))})

    def say(self, text: str) -> None:
        """A message."""
        self._line({"message": text})

    def ask(self, session: Session, seat: Seat) -> None:
        """Who is asked, what is legal in words, and the milliseconds that are left."""
        rules, state = session.table.rules, session.table.state
        legal = [rules.describe(action) for action in rules.legal(state, seat)]
        self._line({"ask": {"seat": seat, "legal": legal, "milliseconds": session.time_left}})

    def advise(self, session: Session, advice: Hint) -> None:
        """The options with all that is known of them, and why."""
        options = [option_json(session.table.rules, option) for option in advice.options]
        self._line({"hint": {"options": options, "words": advice.words}})

    @staticmethod
    def _line(value: dict[str, Any]) -> None:  # Any: JSON
        print(_json(value), flush=True)


def short_choices(rules: Any, view: View) -> list[str]:  # noqa: ANN401 -- rules of any game
    """The legal actions, those that share their first words under one heading: `play 3 45 46`, `take row 0 1 2 3`."""
    groups: dict[str, list[str]] = {}
    for action in view.legal:
        head, _, tail = rules.describe(action).rpartition(" ")
        groups.setdefault(head, []).append(tail)
    return [f"{head} {' '.join(tails)}".strip() for head, tails in groups.items()]


def understand(rules: Any, view: View, text: str) -> Action:  # noqa: ANN401 -- rules of any game
    """The legal action that a player means: its words, or as much of their end as tells it from the others.

    Raises:
        Malformed: it means nothing here.
    """
    words = text.lower().split()
    if not words and len(view.legal) == 1:
        return view.legal[0]
    for action in view.legal:
        full = rules.describe(action).lower().split()
        if words and full[-len(words) :] == words:
            return action
    try:
        meant = rules.parse(text)
    except Malformed:
        meant = None
    if isinstance(meant, int):
        return meant
    raise Malformed(f"{text!r} is none of your choices: {', '.join(short_choices(rules, view))}", what=text)


def play(session: Session, opening: Sequence[Told], voice: Voice, lines: Lines | None = None) -> bool:
    """Play the session to its end, or until the input ends or `q`.

    Args:
        session: the game, opened.
        opening: what happened on the way to the first decision.
        voice: how it is told.
        lines: the players' input; standard input if not given and anybody here plays.

    Returns:
        Whether the game was played to its end.
    """
    people = session.people
    viewer = people[0] if len(people) == 1 else None
    lines = lines or (Lines() if people else None)

    def tell(everything: Sequence[Told]) -> None:
        for told in everything:
            if told.event.heard_by(viewer) and not isinstance(told.event, _COMINGS_AND_GOINGS):
                voice.tell(session, told, viewer)

    rules = session.table.rules
    game = find_game(rules.game)
    hint = " (? is help, q saves and stops)" if people else ""
    voice.say(f"{game.title}, {game.variant(rules.variant).title}: {', '.join(session.table.names)}{hint}")
    tell(opening)
    try:
        while not session.over:
            moved = False
            for told in session.play_bots():
                tell(told)
                moved = True
            mine = [seat for seat in to_choose(session.table) if seat in people]
            if mine and lines is not None:
                tell(_choose(session, mine[0], voice, lines))
            elif not moved:  # all have chosen, and the cards are turned up when the time is up
                sleep(((session.time_left or 0) + 1) / 1000)
                tell(session.tick())
    except (EOFError, KeyboardInterrupt):
        return False
    voice.show(session, viewer)
    return True


def _choose(session: Session, seat: Seat, voice: Voice, lines: Lines) -> list[Told]:
    """Ask until the seat has chosen, or the clock has."""
    if len(session.people) > 1:
        voice.say(f"\n{session.table.names[seat]}'s turn: everybody else looks away. Enter when ready.")
        if _next_line(session, lines) is None:
            return session.tick()  # nobody came: the clock chooses, and nobody's cards are shown
    decision = session.table.decision
    voice.show(session, seat)
    voice.ask(session, seat)
    while True:
        line = _next_line(session, lines)
        if line is None:
            told = session.tick()
            if session.table.decision != decision:
                return told
            continue
        view = view_for(session.table, seat).view
        empty = not line.strip() and len(view.legal) > 1
        if not empty and not _answered(session, seat, voice, line):
            try:
                told = session.send(Choose(seat, understand(session.table.rules, view, line), decision))
            except RulesError as error:
                voice.say(error.message)
            else:
                if len(session.people) > 1:
                    voice.say("\n" * 40)
                return told
        voice.ask(session, seat)


def _next_line(session: Session, lines: Lines) -> str | None:
    """The next line, or None if the time is up before there is one. Raises `EOFError` where there is to be no more."""
    left = session.time_left
    line = lines.next(left if left is None else left + 1)
    if line is not None and line.strip().lower() in {"q", "quit", "exit"}:
        raise EOFError
    return line


def _answered(session: Session, seat: Seat, voice: Voice, line: str) -> bool:
    """Whether the line asked for something beside the game, which is then said."""
    match line.strip().lower():
        case "?" | "help":
            voice.say(find_game(session.table.rules.game).guide)
            voice.say(HELP)
        case "look":
            voice.show(session, seat)
        case "log":
            for told in history_for(session.table, seat):
                voice.say(told.event.words(session.table.names))
        case "h" | "hint":
            _hint(session, seat, voice)
        case _:
            return False
    return True


def _hint(session: Session, seat: Seat, voice: Voice) -> None:
    """What the coach would play, from what the seat can know; or why there is no such thing."""
    table = session.table
    if refusal := no_hint(table.rules, allowed=table.terms.hints):
        voice.say(refusal)
    else:
        voice.advise(session, hint(table.rules, view_for(table, seat).view))


def retell(told: Story, viewer: Seat | None, *, json: bool = False) -> None:
    """A record from its first move to its last, in words or as an object for each event."""
    for frame in told.frames:
        for event in frame.events:
            if event.heard_by(viewer):
                words = event.words(told.names)
                print(_json({"event": msgspec.to_builtins(event), "words": words}) if json else words)
    view = told.rules.view(told.frames[-1].state, viewer)
    if json:
        print(_json({"view": msgspec.to_builtins(view)}))
    else:
        drawing = find_game(told.rules.game).drawings["text"]
        print("\n" + drawing(view, names=told.names, rules=told.rules))


def _json(value: dict[str, Any]) -> str:  # Any: JSON
    return msgspec.json.encode(value).decode()
