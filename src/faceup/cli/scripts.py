"""`faceup nimmt`, `niuniu` and `war`: commands that answer one request, or one request in each line of input."""

from argparse import ArgumentParser, Namespace
from importlib import import_module

from faceup.cli.options import ROWS, Commands, add_json, add_ndjson, add_option, add_seed, command, group
from faceup.cli.output import print_answer


def register(commands: Commands) -> None:
    """Add `faceup nimmt place`, `faceup niuniu score` and `faceup war play`."""
    place = _add(
        group(commands, "nimmt", "calculate turns of 6 nimmt!"),
        "nimmt",
        "place",
        "place the cards of one turn",
        'faceup nimmt place --rows "5/6/88/29" --plays 7,44,104,37',
        """echo '{"rows": [[5],[6],[88],[29]], "plays": [3,44], "take": 0}' | faceup nimmt place --ndjson""",
    )
    place.add_argument("--rows", metavar="ROWS", help=ROWS)
    place.add_argument("--plays", metavar="CARDS", help="the card of each seat: 7,44,104,37 or '7 44 104 37'")
    place.add_argument("--take", type=int, metavar="ROW", help="the row, from 0, that a card lower than all rows takes")

    score = _add(
        group(commands, "niuniu", "score hands of Niu Niu"),
        "niuniu",
        "score",
        "score a hand of five dice",
        "faceup niuniu score 5 2 4 6 3",
        "faceup niuniu score [5, 2, 4, 6, 3]",
        """echo '{"dice": [5,2,4,6,3]}' | faceup niuniu score --ndjson""",
    )
    score.add_argument("dice", nargs="*", metavar="DIE", help="the dice in the order thrown")
    score.add_argument("--faces", type=int, metavar="N", help="faces of a die (default 6)")
    score.add_argument("--baozi", type=int, metavar="N", help="equal dice that make a baozi (default 3)")

    play = _add(
        group(commands, "war", "play out games of War"),
        "war",
        "play",
        "play a game to its end",
        "faceup war play --seed 7",
        "faceup war play --seed 7 -o collect=shuffled -o cap=1000 --json",
        "faceup war play --ndjson --seed 7 -o cap=1000 < decks.ndjson",
    )
    play.add_argument(
        "--deck", metavar="CARDS", help="cards such as '2C KD ...', top card first, half for each seat (default: dealt)"
    )
    add_seed(play)
    add_option(play, "set an option of the game, such as cap=1000 (`faceup games` lists them); repeatable")
    play.add_argument("--record", action="store_true", help="with --json, include the record")


def _add(commands: Commands, module: str, name: str, summary: str, *examples: str) -> ArgumentParser:
    """Add a command that the module `faceup.cli.MODULE` implements."""

    def run(arguments: Namespace) -> None:
        answers = import_module(f"faceup.cli.{module}")
        ndjson = import_module("faceup.cli.ndjson")
        query = answers.from_flags(arguments)
        if arguments.ndjson:
            ndjson.answer_lines(answers.Request, answers.answer, query)
        else:
            result = answers.answer(ndjson.request_of(answers.Request, query))
            print_answer(arguments, result, answers.format_answer(result))

    parser = command(commands, name, summary, run, examples=examples)
    add_json(parser)
    add_ndjson(parser)
    return parser
