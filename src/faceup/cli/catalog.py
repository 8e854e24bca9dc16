"""`faceup games`, `saved` and `schema`: list games and saved games, and print the record schema."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from faceup.cli.options import Commands, add_json, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from faceup.core import Game


def register(commands: Commands) -> None:
    """Add the commands."""
    add_json(command(commands, "games", "list the games, their variants and options", games, examples=["faceup games"]))
    add_json(command(commands, "saved", "list saved games, most recent first", saved, examples=["faceup saved"]))
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

    if arguments.json:
        print_json([_game(game) for game in list_games()])
        return
    for game in list_games():
        print(f"{game.name}: {game.title}. {game.summary}")
        for variant in game.variants:
            low, high = variant.seats
            seats = f"{low} seats" if low == high else f"{low} to {high} seats"
            print(f"  {game.name}:{variant.name}  {variant.title}, {seats}. {variant.summary}")
        for name, meaning in game.options.items():
            print(f"    -o {name}=...  {meaning}")
        print()


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
        print("No saved games.")
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
