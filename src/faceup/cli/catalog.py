"""`faceup games`, `saved` and `schema`: list games and saved games, and print the record schema."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from faceup.cli.options import Commands, add_json, add_language, command
from faceup.cli.output import print_json
from faceup.cli.words import text

if TYPE_CHECKING:
    from faceup.core import Game


def register(commands: Commands) -> None:
    """Add the commands."""
    parser = command(commands, "games", "list the games, their variants and options", games, examples=["faceup games"])
    add_language(parser)
    add_json(parser)
    parser = command(commands, "saved", "list saved games, most recent first", saved, examples=["faceup saved"])
    add_language(parser)
    add_json(parser)
    add_json(
        command(
            commands,
            "schema",
            "print the JSON Schema of records",
            schema,
            examples=["faceup schema > record.schema.json"],
        )
    )


def games(arguments: Namespace) -> None:
    """Print the games as text or JSON."""
    from faceup.core import list_games
    from faceup.terminal.words import game_summary, game_title, option_summary, variant_summary, variant_title

    if arguments.json:
        print_json([_game(game) for game in list_games()])
        return
    for game in list_games():
        _print_wrapped(0, f"{game.name}: {game_title(game)}. {game_summary(game)}")
        for variant in game.variants:
            low, high = variant.seats
            seats = text("games.seats", count=high, low=low, context="" if low == high else "range")
            title, summary = variant_title(game, variant), variant_summary(game, variant)
            _print_wrapped(2, f"{game.name}:{variant.name}  {title}, {seats}. {summary}")
        for name in game.options:
            _print_wrapped(4, f"-o {name}=...  {option_summary(game, name)}")
        print()


def _print_wrapped(indent: int, line: str) -> None:
    """Print a line at most 80 cells wide. What follows the first part is indented by four more."""
    from faceup.terminal.text import wrap

    for number, part in enumerate(wrap(line, 76 - indent)):
        print(" " * (indent + 4 * (number > 0)) + part)


def _game(game: "Game") -> dict[str, Any]:  # Any: JSON
    from faceup.bots import policies

    variants = [
        {
            "name": variant.name,
            "title": variant.title,
            "summary": variant.summary,
            "seats": variant.seats,
            "clock": variant.clock,
        }
        for variant in game.variants
    ]
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "variants": variants,
        "options": dict(game.options),
        "policies": policies(game.name),
    }


def saved(arguments: Namespace) -> None:
    """Print the saved games as JSON, or as the commands that resume them."""
    from faceup.terminal import list_saved

    paths = list_saved()
    if arguments.json:
        print_json([str(path) for path in paths])
    elif not paths:
        print(text("saved.none"))
    else:
        for path in paths:
            print(f"faceup resume {path}")


def schema(arguments: Namespace) -> None:
    """Print the JSON Schema of records; it is indented unless `--json` is given."""
    import msgspec

    from faceup.core.record import schema as record_schema

    if arguments.json:
        print_json(record_schema())
        return
    print(msgspec.json.format(msgspec.json.encode(record_schema()), indent=2).decode())
