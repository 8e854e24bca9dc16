"""`faceup puzzles`: solve puzzles from games of bots, and make more of them."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_json, add_language, command, random_seed
from faceup.cli.output import check_kept_file, print_json, progress, write_text
from faceup.cli.words import text

if TYPE_CHECKING:
    from faceup.coach.puzzles import Puzzle

COUNT: Final = 60


def register(commands: Commands) -> None:
    """Add the command `puzzles`, and its subcommand `make`."""
    parser = command(
        commands,
        "puzzles",
        "solve puzzles from games: which card is best?",
        solve,
        examples=(
            "faceup puzzles",
            "faceup puzzles --count 5 --seed 7",
            "faceup puzzles make --count 20 --out more.json",
            "faceup puzzles --file more.json",
        ),
    )
    parser.add_argument("--file", type=Path, metavar="FILE", help="puzzles made by `faceup puzzles make`")
    parser.add_argument("--count", type=int, metavar="N", help="number of puzzles (default: all)")
    parser.add_argument("--seed", type=int, help="seed of the order of the puzzles (default: unpredictable)")
    add_language(parser)
    inner: Commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    making = command(
        inner,
        "make",
        "find puzzles in games that bots play, or in your records",
        make,
        examples=(
            "faceup puzzles make --out puzzles.json",
            "faceup puzzles make --count 200 --seed 1 --out puzzles.json",
            "faceup puzzles make GAME.json OTHER.json --out mine.json",
        ),
    )
    making.add_argument(
        "records", nargs="*", type=Path, metavar="RECORD", help="records of finished games (default: bots play games)"
    )
    making.add_argument("--count", type=int, metavar="N", help=f"puzzles in the file (default {COUNT}; records: all)")
    making.add_argument("--seed", type=int, help="seed of the first game (default: unpredictable)")
    making.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the file; puzzles are added to an existing one"
    )
    add_language(making)
    add_json(making)


def make(arguments: Namespace) -> None:
    """Find puzzles and add each to the file immediately. After Ctrl-C, the file keeps what was found."""
    from faceup.coach.puzzles import dumps, load
    from faceup.core import Malformed
    from faceup.extras import require

    require("fast", arguments.command)
    check_kept_file(arguments.out, "--out")
    if arguments.count is not None and arguments.count < 1:
        raise Malformed(f"--count must be 1 or more; got {arguments.count}", what=arguments.count, where="--count")
    puzzles = {puzzle.id: puzzle for puzzle in load(arguments.out)} if arguments.out.exists() else {}
    before, stopped = len(puzzles), False
    count = COUNT if arguments.count is None and not arguments.records else arguments.count
    looked = _in_records(arguments.records) if arguments.records else _in_games(arguments.seed, puzzles)
    try:
        with progress(text("puzzles.finding"), count, before) as show:
            for puzzle in looked if count is None or before < count else ():
                if puzzle is None or puzzle.id in puzzles:
                    continue
                puzzles[puzzle.id] = puzzle
                _save(arguments.out, dumps(puzzles.values()))
                show(len(puzzles))
                if len(puzzles) == count:
                    break
    except KeyboardInterrupt:
        stopped = True
    if not puzzles and not stopped:
        _save(arguments.out, dumps(()))
    if arguments.json:
        print_json({"file": str(arguments.out), "puzzles": len(puzzles), "found": len(puzzles) - before})
    else:
        print(text("puzzles.made", new=len(puzzles) - before, file=arguments.out, count=len(puzzles)))
    if stopped:
        print(text("puzzles.make_stopped"), file=sys.stderr)
        sys.exit(130)


def _save(file: Path, text: str) -> None:
    """Write the file in one step, so that an interruption never leaves half of it."""
    part = file.with_name(f"{file.name}.part")
    try:
        write_text(part, text, "--out")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _in_records(records: list[Path]) -> "Iterator[Puzzle | None]":
    from faceup.coach.find_puzzles import puzzles_in_record
    from faceup.terminal import load_record

    for record in [load_record(file) for file in records]:
        yield from puzzles_in_record(record)


def _in_games(seed: int | None, puzzles: "dict[str, Puzzle]") -> "Iterator[Puzzle | None]":
    """Yield a puzzle, or None, for each game, starting after the last game in the file."""
    from itertools import count

    from faceup.coach.find_puzzles import puzzle_in_game

    played = [puzzle.source.seed for puzzle in puzzles.values() if puzzle.source.seed is not None]
    first = random_seed() if seed is None else seed
    if played and (seed is None or max(played) >= seed):
        first = max(played) + 1
    for game_seed in count(first):
        yield puzzle_in_game(game_seed)


def solve(arguments: Namespace) -> None:
    """Show puzzles and their answers until the input ends or the player quits."""
    from faceup.coach.puzzles import load, package_puzzles
    from faceup.core import Malformed, generator

    if arguments.count is not None and arguments.count < 1:
        raise Malformed(f"--count must be 1 or more; got {arguments.count}", what=arguments.count, where="--count")
    puzzles = list(load(arguments.file) if arguments.file else package_puzzles())
    rng = generator(arguments.seed)
    order = [puzzles.pop(rng.below(len(puzzles))) for _ in range(len(puzzles))]
    order = sorted(order, key=lambda puzzle: not puzzle.is_basic)[: arguments.count]  # stable: beginners' ones first
    tried = solved = streak = 0
    try:
        for puzzle in order:
            correct = _ask(puzzle, tried + 1, len(order))
            tried += 1
            solved += correct
            streak = streak + 1 if correct else 0
            if streak > 1:
                print(text("puzzles.streak", count=streak))
    except (EOFError, KeyboardInterrupt):
        print()
    print(text("puzzles.found", solved=solved, count=tried))


def _ask(puzzle: "Puzzle", number: int, total: int) -> bool:
    """Ask for the answer to a puzzle, and show the verdict. Return whether the answer is the best option.

    Raises:
        EOFError: the player quits.
    """
    from faceup.core import Malformed, find_game
    from faceup.terminal.game_setup import NAMES
    from faceup.terminal.line_mode import parse_choice, short_choices
    from faceup.terminal.words import draw_view, game_title, variant_title

    rules, view = puzzle.parsed
    game, source = find_game(rules.game), puzzle.source
    heading = text(
        "puzzles.title",
        number=number,
        total=total,
        game=game_title(game),
        variant=variant_title(game, game.variant(rules.variant)),
        deal=source.deal,
        turn=source.turn,
    )
    print(f"\n{heading}\n")
    names = [text("puzzles.you") if seat == view.seat else NAMES[seat] for seat in range(rules.seats)]
    print(draw_view(rules, view, names))
    print(text("puzzles.question", choices=", ".join(short_choices(rules, view, notation=False))))
    while True:
        line = input("> ").strip()
        if line.lower() in {"q", "quit", "exit"}:
            raise EOFError
        try:
            chosen = puzzle.option(rules.describe(parse_choice(rules, view, line, notation=False)))
        except Malformed as error:
            print(error.message)
            continue
        _show_verdict(puzzle, chosen.action)
        return chosen is puzzle.best


def _show_verdict(puzzle: "Puzzle", chosen: str) -> None:
    """Print whether the answer is right, the reason, and the value of each option."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from faceup.coach.registry import coach_for
    from faceup.coach.text import ReviewText
    from faceup.formatting import format_percent
    from faceup.terminal.text import wrap
    from faceup.terminal.words import choice_text, message
    from faceup.translations.environment import environment_language
    from faceup.translations.figures import localize

    rules, _ = puzzle.parsed
    language = environment_language()
    words = {option.action: choice_text(rules, rules.parse(option.action)) for option in puzzle.options}
    console = Console(highlight=False)
    right = chosen == puzzle.best.action
    heads = localize(language, f"{puzzle.option(chosen).behind.value:.1f}")
    verdict = text("puzzles.right") if right else text("puzzles.wrong", best=words[puzzle.best.action], heads=heads)
    console.print(Text(verdict, style="bold green" if right else "bold red"))
    explanations = [option.explanation for option in puzzle.options]
    own = next(index for index, option in enumerate(puzzle.options) if option.action == chosen)
    reason = coach_for(rules).sentences(explanations, own, language=language)
    print("\n".join(wrap(text("puzzles.reason", theme=message(f"puzzles.theme.{puzzle.theme}"), reason=reason), 80)))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("", text("puzzles.costs"), text("puzzles.wins"), text("puzzles.risk")):
        table.add_column(heading, justify="right" if heading else "left")
    for option in puzzle.options:
        cost = ReviewText(language).with_error(option.behind) if option.behind.value else text("puzzles.best")
        name = words[option.action]
        name = text("puzzles.yours", option=name) if option.action == chosen else name
        win, risk = (localize(language, format_percent(share)) for share in (option.win.value, option.risk))
        style = "green" if option is puzzle.best else "red" if option.action == chosen else ""
        table.add_row(name, cost, win, risk, style=style)
    console.print(table)
