"""`faceup odds`: what chance has in store."""

import sys
from argparse import Namespace
from typing import Any

from faceup.cli.options import Commands, add_json, command, group
from faceup.cli.sim import add_jobs, add_plot, processors, random_seed


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "odds", "what chance has in store: hands of Niu Niu, a turn of 6 nimmt!, the length of War")
    parser = command(
        inner,
        "niuniu",
        "count all hands of five dice: every rank, battles of 2 to 10 seats, the statistics score",
        niuniu,
        examples=("faceup odds niuniu", "faceup odds niuniu --faces 10 --json"),
    )
    parser.add_argument("--faces", type=int, default=6, metavar="N", help="dice with 2 to 100 faces; 6 if not given")
    parser.add_argument("--baozi", type=int, default=3, metavar="N", help="so many dice alike make a baozi, 3 to 5")
    add_plot(parser)
    add_json(parser)

    parser = command(
        inner,
        "war",
        "sample how long War lasts and how often it reaches its cap, by collecting order and reshuffling",
        war,
        examples=("faceup odds war --seed 7", "faceup odds war --deals 20000 -o cap=1000 --plot war.svg"),
    )
    parser.add_argument(
        "--deals", type=int, default=10_000, metavar="N", help="games of each setting; 10,000 if not given"
    )
    parser.add_argument("--seed", type=int, help="the same seed counts the same; drawn, and said, if not given")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="cap, reshuffle, sudden_death, redeal, down, per_suit or suits; repeatable",
    )
    add_jobs(parser)
    add_plot(parser)
    add_json(parser)

    parser = command(
        inner,
        "nimmt",
        "count what each card of a hand can expect this turn",
        nimmt,
        examples=("faceup odds nimmt --rows 5,7/6/88/29 --hand 3,30,45,89 --seats 5",),
    )
    parser.add_argument(
        "--rows", required=True, metavar="ROWS", help="cards joined by commas, rows by slashes: 5,7/6/88/29"
    )
    parser.add_argument("--hand", required=True, metavar="CARDS", help="the cards to choose from: 3,30,45,89")
    parser.add_argument("--seats", type=int, help="how many play; 4 if not given")
    parser.add_argument("--seen", metavar="CARDS", help="other cards that nobody can play, such as those taken")
    parser.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="cards, rows or capacity; repeatable",
    )
    add_plot(parser)
    add_json(parser)


def niuniu(arguments: Namespace) -> None:
    """Count, and show."""
    from faceup.odds.niuniu import odds, report
    from faceup.odds.plot import niuniu_plot
    from faceup.odds.words import niuniu_words

    _check(arguments)
    found = odds(arguments.faces, arguments.baozi)
    _show(arguments, report(found), niuniu_words(found))
    if arguments.plot:
        _save(arguments, niuniu_plot(found), "The odds of Niu Niu")


def nimmt(arguments: Namespace) -> None:
    """Count, and show."""
    from faceup.cli.nimmt import numbers
    from faceup.core import make
    from faceup.games.nimmt.rules import Rules
    from faceup.odds.nimmt import odds, report
    from faceup.odds.plot import nimmt_plot
    from faceup.odds.words import nimmt_words

    _check(arguments)
    spec = " ".join(["nimmt", *arguments.option])
    rules = make(spec) if arguments.seats is None else make(spec, seats=arguments.seats)
    assert isinstance(rules, Rules)  # noqa: S101 -- "nimmt" is, for the type checker
    rows = [numbers(row, "rows") for row in arguments.rows.split("/")]
    hand = numbers(arguments.hand, "hand")
    seen = numbers(arguments.seen, "seen") if arguments.seen else []
    found = odds(rules, rows, hand, seen)
    unseen = rules.cards - sum(map(len, rows)) - len(hand) - len(seen)
    _show(arguments, report(rules, rows, found, unseen), nimmt_words(found, rules.seats, unseen))
    if arguments.plot:
        _save(arguments, nimmt_plot(found, rows, rules.seats, unseen), "What each card can expect")


def war(arguments: Namespace) -> None:
    """Sample, and show; stopped, what was sampled until then."""
    from faceup.cli.progress import progress
    from faceup.odds.plot import war_plot
    from faceup.odds.war import report, sample, settings
    from faceup.odds.words import war_words

    _check(arguments)
    seed = random_seed() if arguments.seed is None else arguments.seed
    jobs = processors() if arguments.jobs is None else arguments.jobs
    found = list(settings(" ".join(arguments.option), arguments.deals, seed))
    done, stopped = 0, False
    try:
        with progress("playing", len(found) * arguments.deals) as show:
            for index, setting in enumerate(found):
                for so_far in sample(setting, jobs):
                    found[index] = so_far
                    show(done + so_far.counts.games)
                done += arguments.deals
    except KeyboardInterrupt:
        stopped = True
    played = tuple(setting for setting in found if setting.counts.games)
    if played:
        _show(arguments, report(played), war_words(played))
        if arguments.plot:
            _save(arguments, war_plot(played), "How long War lasts")
    if stopped:
        print("Stopped: the settings above are those that were played, as far as they were.", file=sys.stderr)
        sys.exit(130)


def _check(arguments: Namespace) -> None:
    """Refuse a plot that could not be written, before anything is counted."""
    from faceup.charts import check_target

    if arguments.plot is not None:
        check_target(arguments.plot)


def _show(arguments: Namespace, answer: dict[str, Any], words: str) -> None:  # Any: JSON
    import msgspec

    print(msgspec.json.encode(answer).decode() if arguments.json else words)


def _save(arguments: Namespace, svg: str, title: str) -> None:
    from faceup.charts import save

    save(svg, title, arguments.plot)
