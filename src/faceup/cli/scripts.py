"""The commands that answer scripts: one request from the command line, or one a line from standard input."""

from argparse import ArgumentParser, Namespace
from importlib import import_module

from faceup.cli.options import Commands, add_json, add_ndjson, add_seed, command, group


def register(commands: Commands) -> None:
    """Add `faceup nimmt place`, `faceup niuniu score` and `faceup war play`."""
    place = _add(
        group(commands, "nimmt", "6 nimmt!: what follows from a turn"),
        "nimmt",
        "place",
        "place the cards of one turn",
        'faceup nimmt place --rows "5/6/88/29" --plays 7,44,104,37',
        """echo '{"rows": [[5],[6],[88],[29]], "plays": [3,44], "take": 0}' | faceup nimmt place --ndjson""",
    )
    place.add_argument("--rows", metavar="ROWS", help="cards joined by commas, rows by slashes: 5/6,7/88/29")
    place.add_argument("--plays", metavar="CARDS", help="the card of each seat: 7,44,104,37")
    place.add_argument("--take", type=int, metavar="ROW", help="the row for a card that is below all of them, from 0")

    score = _add(
        group(commands, "niuniu", "Niu Niu: what five dice are worth"),
        "niuniu",
        "score",
        "score a hand of five dice",
        "faceup niuniu score 5 2 4 6 3",
        """echo '{"dice": [5,2,4,6,3]}' | faceup niuniu score --ndjson""",
    )
    score.add_argument("dice", nargs="*", metavar="DIE", help="what the dice show, in the order of the throw")
    score.add_argument("--faces", type=int, metavar="N", help="dice with this many faces; 6 if not given")
    score.add_argument("--baozi", type=int, metavar="N", help="this many dice alike make a baozi; 3 if not given")

    play = _add(
        group(commands, "war", "War: how a deck plays out"),
        "war",
        "play",
        "play a game to its end",
        "faceup war play --seed 7",
        "faceup war play --seed 7 -o collect=shuffled -o cap=1000 --json",
        "faceup war play --ndjson < decks.ndjson",
    )
    play.add_argument(
        "--deck", metavar="CARDS", help="such as '2C KD ...', top card first, half for each; dealt if not given"
    )
    add_seed(play)
    play.add_argument(
        "-o",
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="collect, reshuffle, cap, sudden_death or redeal (`faceup games` explains them); repeatable",
    )
    play.add_argument("--record", action="store_true", help="with --json, answer with the whole record too")


def _add(commands: Commands, module: str, name: str, summary: str, *examples: str) -> ArgumentParser:
    """Add a command that `faceup.cli.MODULE` answers."""

    def run(arguments: Namespace) -> None:
        answers = import_module(f"faceup.cli.{module}")
        ndjson = import_module("faceup.cli.ndjson")
        if arguments.ndjson:
            ndjson.answer_lines(answers.Request, answers.answer)
        else:
            result = answers.answer(answers.from_flags(arguments))
            ndjson.answer_once(result, answers.words(result), json=arguments.json)

    parser = command(commands, name, summary, run, examples=examples)
    add_json(parser)
    add_ndjson(parser)
    return parser
