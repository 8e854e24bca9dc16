"""`faceup review`: rate every decision of a game, or the luck in a game without decisions."""

import sys
from argparse import Namespace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from faceup.cli.options import Commands, add_json, add_language, command
from faceup.cli.output import check_folder, print_json, write_text
from faceup.cli.words import text
from faceup.translations.environment import environment_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from faceup.coach import ChanceReport, Review, SearchBudget
    from faceup.coach.chance_report import ChanceAnalysis
    from faceup.core.record import Record
    from faceup.terminal.replay_frames import Replay


def register(commands: Commands) -> None:
    """Add the command `review`."""
    parser = command(
        commands,
        "review",
        "rate every decision of a game and show the turning points",
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
        help="seats to review: 0 or 0,2 or all (default: the humans' seats, or all if only bots played)",
    )
    parser.add_argument(
        "--player", metavar="NAME", help="the search to use: deep (stronger) or mc (quicker) (default deep)"
    )
    parser.add_argument(
        "--worlds",
        type=int,
        metavar="N",
        help="samples of the hidden cards for each option (default: 2,000 for deep, 50,000 for mc)",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="total time limit instead of a number of samples; results then vary slightly",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the samples (default 0)")
    parser.add_argument("--options", action="store_true", help="show every option of every decision")
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write the review as an HTML page with drawings and plots"
    )
    add_language(parser)
    add_json(parser)


def review(arguments: Namespace) -> None:
    """Review the record; after Ctrl-C, print the part of the review that is finished."""
    from faceup.coach import chance_analysis_for, has_coach, no_coach_error
    from faceup.terminal import load_record
    from faceup.terminal.replay_frames import replay_frames

    record = load_record(arguments.file)
    replay = replay_frames(record)
    effort = _effort(arguments)
    if arguments.html is not None:
        check_folder(arguments.html, "--html")
    if has_coach(replay.rules.game):
        _decisions(arguments, record, replay, effort)
    elif look := chance_analysis_for(replay.rules):
        _chance(arguments, replay, effort, look)
    else:
        raise no_coach_error(replay.rules)


def _effort(arguments: Namespace) -> "SearchBudget":
    from faceup.coach import SearchBudget, default_player

    return SearchBudget(arguments.player or default_player(), arguments.worlds, arguments.seconds, arguments.seed)


def _seats(arguments: Namespace, record: "Record", seats: int) -> tuple[int, ...]:
    """Return the seats to review: the seats of `--seat`; without it, the humans' seats; without humans, all seats."""
    from faceup.cli import lists
    from faceup.core import Malformed
    from faceup.core.record import PERSON, Joined

    everyone = tuple(range(seats))
    if arguments.seat is None:
        people = {entry.seat for entry in record.entries if isinstance(entry, Joined) and entry.kind == PERSON}
        return tuple(sorted(people)) or everyone
    if arguments.seat.lower() == "all":
        return everyone
    numbers = []
    for word in lists.words(arguments.seat):
        if not (word.isascii() and word.isdecimal() and len(word) < 4 and int(word) < seats):
            raise Malformed(
                f"--seat must be all, or numbers from 0 to {seats - 1} joined by commas; got {word!r}",
                what=word,
                where="--seat",
            )
        numbers.append(int(word))
    return tuple(sorted(set(numbers)))


def _decisions(arguments: Namespace, record: "Record", replay: "Replay", effort: "SearchBudget") -> None:
    """Rate all decisions and print the result."""
    from faceup.cli.output import progress
    from faceup.coach import Decision, build_review, decision_points, evaluate_decisions, par_for, report
    from faceup.coach.html import page
    from faceup.coach.terminal import screen
    from faceup.extras import require

    require("fast", arguments.command)
    seats = _seats(arguments, record, replay.rules.seats)
    points = decision_points(record, replay.frames, seats)
    start = perf_counter()
    decisions: list[Decision] = []
    par, stopped = None, False
    try:
        par = par_for(replay.rules, effort.player)
        with progress(text("review.judging"), len(points)) as show:
            for decision in evaluate_decisions(replay.rules, points, effort):
                decisions.append(decision)
                show(len(decisions))
    except KeyboardInterrupt:
        stopped = True
    done: Review = build_review(
        record,
        frames=replay.frames,
        names=replay.names,
        seats=seats,
        effort=effort,
        points=points,
        decisions=decisions,
        par=par,
        clock=perf_counter() - start,
    )
    _print_report(
        arguments,
        report=lambda: report(done),
        screen=lambda: screen(done, every=arguments.options, language=environment_language()),
        page=lambda: page(done, language=environment_language()),
        stopped=stopped,
    )


def _chance(arguments: Namespace, replay: "Replay", effort: "SearchBudget", look: "ChanceAnalysis") -> None:
    """Analyze the luck in the game and print the result."""
    from faceup.cli.output import progress
    from faceup.coach import chance_report_json
    from faceup.coach.html import chance_report_html
    from faceup.coach.terminal import render_chance_report

    chance: ChanceReport | None = None
    stopped = False
    try:
        with progress(text("review.playing_on"), 100) as show:
            for chance in look(replay.rules, replay.frames, replay.names, effort, environment_language()):
                show(100 * chance.done // chance.requested)
    except KeyboardInterrupt:
        stopped = True
    if chance is None:
        raise KeyboardInterrupt
    done = chance
    _print_report(
        arguments,
        report=lambda: chance_report_json(done),
        screen=lambda: render_chance_report(done),
        page=lambda: chance_report_html(done),
        stopped=stopped,
    )


def _print_report(
    arguments: Namespace,
    *,
    report: "Callable[[], dict[str, Any]]",  # Any: JSON
    screen: "Callable[[], RenderableType]",
    page: "Callable[[], str]",
    stopped: bool,
) -> None:
    """Print the report, write it as a page if `--html` is given, and exit with status 130 if `stopped` is true."""
    if arguments.json:
        print_json(report())
    else:
        _print(screen())
    if arguments.html is not None:
        write_text(arguments.html, page(), "--html")
        if not arguments.json:
            print(f"\n{text('review.page', file=arguments.html)}")
    if stopped:
        print(text("review.stopped"), file=sys.stderr)
        sys.exit(130)


def _print(what: "RenderableType") -> None:
    """Print a review to standard output, in color if it is a terminal, and at a readable width."""
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
