"""Train a network for 6 nimmt! by self-play, or resume: `python -m faceup.jax.learner FOLDER [--minutes 60]`."""

import argparse
import signal
import sys
from pathlib import Path
from time import perf_counter

from faceup.core import Malformed
from faceup.extras import needs

with needs("jax", "python -m faceup.jax.learner"):
    from faceup.jax.learner.ppo import PpoSettings
    from faceup.jax.learner.run import NETWORK, Options, TrainingRun

DEFAULT_TABLE = "nimmt:cowheadking seats=4"


def main(arguments: list[str] | None = None) -> None:
    """Train until the time or the updates are over, or until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m faceup.jax.learner", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of the checkpoint, the network and the logs")
    parser.add_argument(
        "--table", action="append", metavar="SPEC", help=f"rules to train on, may be repeated ({DEFAULT_TABLE})"
    )
    parser.add_argument("--minutes", type=float, default=60, help="length of the whole run (60)")
    parser.add_argument("--updates", type=int, help="length of the run in updates, instead of minutes")
    parser.add_argument("--decisions", type=int, default=8192, help="decisions of an update (8192)")
    parser.add_argument(
        "--minibatch", type=int, default=PpoSettings().minibatch, help="decisions of a gradient step (2048)"
    )
    parser.add_argument("--rate", type=float, default=PpoSettings().rate, help="learning rate at the start (0.0005)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the run (1)")
    parser.add_argument("--log", type=int, default=50, help="updates between two checkpoints and lines of the log (50)")
    parser.add_argument(
        "--evaluate", type=int, default=512, help="deals of an evaluation, played from every seat; 0 for none (512)"
    )
    options = parser.parse_args(arguments)
    if options.minutes <= 0 or any(count is not None and count < 1 for count in (options.updates, options.log)):
        parser.error("--minutes must be more than 0, and --updates and --log 1 or more")
    settings = PpoSettings(rate=options.rate, minibatch=options.minibatch)
    tables = tuple(options.table or [DEFAULT_TABLE])
    try:
        run = TrainingRun(options.folder, Options(tables, options.decisions, options.seed, settings))
    except (Malformed, ValueError) as error:
        parser.error(str(error))
    stopping: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: stopping.append(number))  # after the update that is computed
    limit = sys.maxsize if options.updates is None else options.updates

    def progress() -> float:
        """Return the part of the run that is over."""
        return run.seconds / 60 / options.minutes if options.updates is None else run.updates / limit

    while progress() < 1 and not stopping:
        sums: dict[str, float] = {}
        first, before, started = run.updates, run.decisions, perf_counter()
        stop = first // options.log * options.log + options.log
        while progress() < 1 and run.updates < stop and not stopping:
            for name, part in run.advance(1 - 0.95 * progress()).items():
                sums[name] = sums.get(name, 0) + part
        if stopping:
            break
        figures = {name: round(total / (run.updates - first), 5) for name, total in sums.items()}
        figures["decisions per second"] = round((run.decisions - before) / (perf_counter() - started))
        figures |= run.evaluate(options.evaluate) if options.evaluate else {}
        run.save()
        run.log(figures)
        print({"update": run.updates, "seconds": round(run.seconds), **figures}, flush=True)  # noqa: T201 -- a command
    if stopping:
        run.save()
        sys.exit(f"Stopped after {run.updates:,} updates. Run the command again to resume.")
    print(f"{run.updates:,} updates; the network is in {options.folder / NETWORK}")  # noqa: T201 -- likewise


if __name__ == "__main__":
    main()
