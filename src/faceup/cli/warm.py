"""Compiling the batch engines ahead, so that nobody waits for it later."""

import sys
from argparse import Namespace

from faceup.cli.options import Commands, command


def register(commands: Commands) -> None:
    """Add the command."""
    command(
        commands,
        "warm",
        "compile the batch engines now, once for this version and processor",
        warm,
        examples=["faceup warm"],
    )


def warm(arguments: Namespace) -> None:
    """Compile what is not compiled yet, saying what and how long it took."""
    del arguments
    from time import perf_counter

    from faceup.core import list_games
    from faceup.games.batches import find_batch, has_batch
    from faceup.games.lanes import cache_folder

    start = perf_counter()
    for game in list_games():
        if has_batch(game):
            for part in find_batch(game).warm():
                print(f"{perf_counter() - start:6.1f} s  {game.title}: {part}", file=sys.stderr, flush=True)
    kept = cache_folder()
    where = f"kept in {kept}" if kept else "which could not be kept"
    print(f"Compiled in {perf_counter() - start:.1f} s, {where}.")
