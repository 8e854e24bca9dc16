"""Compiling the batch engines ahead, so that nobody waits for it later."""

import sys
from argparse import Namespace

from faceup.cli.options import Commands, add_json, command


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "warm",
        "compile the batch engines now, once for this version and processor",
        warm,
        examples=["faceup warm"],
    )
    add_json(parser)


def warm(arguments: Namespace) -> None:
    """Compile what is not compiled yet, saying what and how long it took."""
    from time import perf_counter

    from faceup.core import list_games
    from faceup.games.batches import find_batch, has_batch
    from faceup.games.lanes import cache_folder
    from faceup.sim import tally

    start = perf_counter()
    for game in list_games():
        if has_batch(game):
            for part in find_batch(game).warm():
                print(f"{perf_counter() - start:6.1f} s  {game.title}: {part}", file=sys.stderr, flush=True)
    print(f"{perf_counter() - start:6.1f} s  counting", file=sys.stderr, flush=True)
    tally.warm()
    kept = cache_folder()
    seconds = perf_counter() - start
    if arguments.json:
        import msgspec

        print(msgspec.json.encode({"seconds": seconds, "kept": kept and str(kept)}).decode())
        return
    where = f"kept in {kept}" if kept else "which could not be kept"
    print(f"Compiled in {seconds:.1f} s, {where}.")
