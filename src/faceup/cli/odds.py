"""`faceup odds`: calculate probabilities."""

import sys
from argparse import Namespace

from faceup.cli.options import (
    ROWS,
    Commands,
    add_jobs,
    add_json,
    add_option,
    add_plot,
    check_plot,
    command,
    group,
    jobs_of,
    random_seed,
    rules_of,
)
from faceup.cli.output import print_answer, progress


def register(commands: Commands) -> None:
    """Add the commands."""
    inner = group(commands, "odds", "calculate probabilities: hands of Niu Niu, a turn of 6 nimmt!, the length of War")
    parser = command(
        inner,
        "niuniu",
        "enumerate all hands of five dice: ranks, 2 to 10 seats, statistics points",
        niuniu,
        examples=("faceup odds niuniu", "faceup odds niuniu --faces 10 --json"),
    )
    parser.add_argument("--faces", type=int, default=6, metavar="N", help="faces of a die, 2 to 100 (default 6)")
    parser.add_argument(
        "--baozi", type=int, default=3, metavar="N", help="equal dice that make a baozi, 3 to 5 (default 3)"
    )
    add_plot(parser)
    add_json(parser)

    parser = command(
        inner,
        "war",
        "simulate the length and result of War by collecting order, cap and reshuffling",
        war,
        examples=(
            "faceup odds war --seed 7",
            "faceup odds war --deals 20000 -o cap=200,1000 -o reshuffle=100,0 -o collect=shuffled --plot war.svg",
        ),
    )
    parser.add_argument(
        "--deals", type=int, default=10_000, metavar="N", help="games for each setting (default 10,000)"
    )
    parser.add_argument("--seed", type=int, help="make the result reproducible (default: random, and printed)")
    add_option(
        parser,
        "an option of War; collect, cap and reshuffle accept several values joined by commas (default: all three "
        "collecting orders, cap=5000 and reshuffle=100,0, where 0 means never); repeatable",
    )
    add_jobs(parser)
    add_plot(parser)
    add_json(parser)

    parser = command(
        inner,
        "nimmt",
        "calculate the expected result of each card of a hand this turn",
        nimmt,
        examples=("faceup odds nimmt --rows 5,7/6/88/29 --hand 3,30,45,89 --seats 5",),
    )
    parser.add_argument("--rows", required=True, metavar="ROWS", help=ROWS)
    parser.add_argument("--hand", required=True, metavar="CARDS", help="the cards to choose from: 3,30,45,89")
    parser.add_argument("--seats", type=int, help="number of seats (default 4)")
    parser.add_argument("--seen", metavar="CARDS", help="other cards that are out of play, such as taken ones")
    add_option(
        parser,
        "set cards, rows or capacity; repeatable",
    )
    add_plot(parser)
    add_json(parser)


def niuniu(arguments: Namespace) -> None:
    """Enumerate the hands and print the result."""
    from faceup.odds.niuniu import odds, report
    from faceup.odds.plot import niuniu_plot
    from faceup.odds.text import format_niuniu_odds

    check_plot(arguments)
    odds_of_hands = odds(arguments.faces, arguments.baozi)
    print_answer(arguments, report(odds_of_hands), format_niuniu_odds(odds_of_hands))
    if arguments.plot:
        _save(arguments, niuniu_plot(odds_of_hands), "The odds of Niu Niu")


def nimmt(arguments: Namespace) -> None:
    """Calculate the odds of each card and print them."""
    from faceup.cli.lists import numbers, rows
    from faceup.games.nimmt.rules import Rules
    from faceup.odds.nimmt import odds, report
    from faceup.odds.plot import nimmt_plot
    from faceup.odds.text import format_nimmt_odds

    check_plot(arguments)
    rules = rules_of(arguments, "nimmt", arguments.seats)
    assert isinstance(rules, Rules)  # noqa: S101 -- for the type checker
    table = rows(arguments.rows, "rows")
    hand = numbers(arguments.hand, "hand")
    seen = numbers(arguments.seen, "seen") if arguments.seen else []
    card_odds = odds(rules, table, hand, seen)
    unseen = rules.cards - sum(map(len, table)) - len(hand) - len(seen)
    print_answer(arguments, report(rules, table, card_odds, unseen), format_nimmt_odds(card_odds, rules.seats, unseen))
    if arguments.plot:
        _save(arguments, nimmt_plot(card_odds, table, rules.seats, unseen), "Odds of each card")


def war(arguments: Namespace) -> None:
    """Simulate games and print the result; after Ctrl-C, print the result of the games played until then."""
    from faceup.odds.plot import war_plot
    from faceup.odds.text import format_war_odds
    from faceup.odds.war import report, sample_setting, settings

    check_plot(arguments)
    seed = random_seed() if arguments.seed is None else arguments.seed
    rows = list(settings(arguments.option, arguments.deals, seed))
    done, stopped = 0, False
    try:
        with progress("playing", len(rows) * arguments.deals) as show:
            for index, setting in enumerate(rows):
                for so_far in sample_setting(setting, jobs_of(arguments)):
                    rows[index] = so_far
                    show(done + so_far.counts.games)
                done += arguments.deals
    except KeyboardInterrupt:
        stopped = True
    played = tuple(setting for setting in rows if setting.counts.games)
    if played:
        print_answer(arguments, report(played), format_war_odds(played))
        if arguments.plot:
            _save(arguments, war_plot(played), "Length of War games")
    if stopped:
        print("Stopped early. The results above count only the games played until then.", file=sys.stderr)
        sys.exit(130)


def _save(arguments: Namespace, svg: str, title: str) -> None:
    """Write the chart if `--plot` is given."""
    from faceup.charts import save

    if arguments.plot is not None:
        save(svg, title, arguments.plot)
