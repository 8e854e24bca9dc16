"""`faceup review`: what every decision of a game was worth; of games without any, how chance went."""

import sys
from argparse import Namespace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from faceup.cli.options import Commands, add_json, command

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from faceup.coach import Effort, Fortune, Review
    from faceup.coach.chance import Look
    from faceup.core.record import Record
    from faceup.terminal.story import Story


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "review",
        "say what every decision of a game was worth, and what decided it",
        review,
        examples=(
            "faceup review GAME.json",
            "faceup review GAME.json --seat all --html review.html",
            "faceup review GAME.json --seat 0 --options --seconds 30",
        ),
    )
    parser.add_argument("file", type=Path, metavar="RECORD", help="a record, such as `faceup play --record` writes")
    parser.add_argument(
        "--seat",
        metavar="SEATS",
        help="whose decisions: 0 or 0,2 or all; those of the people if not given, or all where only bots played",
    )
    parser.add_argument(
        "--player", metavar="NAME", default="mc", help="who judges: mc, which is quick, or deep; mc if not given"
    )
    parser.add_argument(
        "--worlds",
        type=int,
        metavar="N",
        help="guesses of what could not be seen, for each option; mc makes 50,000 if not given, deep 2,000",
    )
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="look for so long in all instead; then every run differs a little"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="of the guesses: the same seed says the same; 0 if not given"
    )
    parser.add_argument("--options", action="store_true", help="show every option of every decision")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write it as one page with drawings and plots")
    add_json(parser)


def review(arguments: Namespace) -> None:
    """Review the record; stopped, as far as it went."""
    from faceup.coach import fortune_for, has_coach, no_coach
    from faceup.terminal import load_record
    from faceup.terminal.story import story

    record = load_record(arguments.file)
    told = story(record)
    effort = _effort(arguments)
    _check_target(arguments.html)
    if has_coach(told.rules.game):
        _decisions(arguments, record, told, effort)
    elif look := fortune_for(told.rules):
        _chance(arguments, told, effort, look)
    else:
        raise no_coach(told.rules)


def _effort(arguments: Namespace) -> "Effort":
    from faceup.coach import Effort

    return Effort(arguments.player, arguments.worlds, arguments.seconds, arguments.seed)


def _check_target(path: Path | None) -> None:
    """Refuse a page that could not be written, before any work is done for it."""
    from faceup.core import Malformed

    if path is not None and not path.absolute().parent.is_dir():
        raise Malformed(f"there is no folder {path.absolute().parent} for the page", where="--html")


def _seats(arguments: Namespace, record: "Record", seats: int) -> tuple[int, ...]:
    """The seats to review: those named, else the people's, else all."""
    from faceup.core import Malformed
    from faceup.core.record import Joined

    everyone = tuple(range(seats))
    if arguments.seat is None:
        people = {entry.seat for entry in record.entries if isinstance(entry, Joined) and entry.kind == "person"}
        return tuple(sorted(people)) or everyone
    if arguments.seat.lower() == "all":
        return everyone
    found = []
    for word in arguments.seat.split(","):
        if not (word.isascii() and word.isdecimal() and len(word) < 4 and int(word) < seats):
            raise Malformed(
                f"{word!r} is not a seat: seats are 0 to {seats - 1}, joined by commas, or all",
                what=word,
                where="--seat",
            )
        found.append(int(word))
    return tuple(sorted(set(found)))


def _decisions(arguments: Namespace, record: "Record", told: "Story", effort: "Effort") -> None:
    """Judge all decisions, and show what was found."""
    from faceup.cli.progress import progress
    from faceup.coach import Decision, judged, par_for, report, reviewed, situations
    from faceup.coach.page import page
    from faceup.coach.screen import screen

    seats = _seats(arguments, record, told.rules.seats)
    found = situations(record, told.frames, seats)
    began = perf_counter()
    decisions: list[Decision] = []
    par, stopped = None, False
    try:
        par = par_for(told.rules, effort.player)
        with progress("judging", len(found)) as show:
            for decision in judged(told.rules, found, effort):
                decisions.append(decision)
                show(len(decisions))
    except KeyboardInterrupt:
        stopped = True
    done: Review = reviewed(
        record,
        frames=told.frames,
        names=told.names,
        seats=seats,
        effort=effort,
        found=found,
        decisions=decisions,
        par=par,
        clock=perf_counter() - began,
    )
    _tell(
        arguments,
        report=lambda: report(done),
        screen=lambda: screen(done, every=arguments.options),
        page=lambda: page(done),
        stopped=stopped,
    )


def _chance(arguments: Namespace, told: "Story", effort: "Effort", look: "Look") -> None:
    """Look at what chance did, and show it."""
    from faceup.cli.progress import progress
    from faceup.coach import fortune_report
    from faceup.coach.page import fortune_page
    from faceup.coach.screen import fortune_screen

    found: Fortune | None = None
    stopped = False
    try:
        with progress("playing on", 100) as show:
            for found in look(told.rules, told.frames, told.names, effort):
                show(100 * found.done // found.asked)
    except KeyboardInterrupt:
        stopped = True
    if found is None:
        raise KeyboardInterrupt
    done = found
    _tell(
        arguments,
        report=lambda: fortune_report(done),
        screen=lambda: fortune_screen(done),
        page=lambda: fortune_page(done),
        stopped=stopped,
    )


def _tell(
    arguments: Namespace,
    *,
    report: "Callable[[], dict[str, Any]]",  # Any: JSON
    screen: "Callable[[], RenderableType]",
    page: "Callable[[], str]",
    stopped: bool,
) -> None:
    """Answer as it was asked, write the page, and leave as one who was stopped if so."""
    import msgspec

    from faceup.core import Malformed

    if arguments.json:
        print(msgspec.json.encode(report()).decode())
    else:
        _print(screen())
    if arguments.html is not None:
        try:
            arguments.html.write_text(page(), encoding="utf-8", newline="\n")
        except OSError as error:
            raise Malformed(f"{arguments.html} cannot be written: {error.strerror}", where="--html") from None
        if not arguments.json:
            print(f"\nAs a page: {arguments.html}")
    if stopped:
        print("Stopped: this is what was done until then.", file=sys.stderr)
        sys.exit(130)


def _print(what: "RenderableType") -> None:
    """To standard output: in colour where that is a terminal that has any, never wider than can be read."""
    from rich.console import Console

    console = Console(highlight=False)
    console.width = min(console.width, _WIDEST)
    if console.is_terminal:
        console.print(what)
        return
    with console.capture() as captured:
        console.print(what)
    print("\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n")))


_WIDEST = 100
