"""Make the submissions of our bots and learners to nimmt-v1, and the leaderboard. See `script/leaderboard`."""

import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from shlex import join
from typing import Final, NamedTuple

from regenerate import ROOT, write_section

from faceup.benchmark.definition import NIMMT_V1
from faceup.benchmark.leaderboard import leaderboard, markdown, read_folder

PAGE: Final = ROOT / "docs" / "reference" / "nimmt-v1.md"
SUBMISSIONS: Final = PAGE.with_suffix("")
"""The folder of the submissions."""
BUILD: Final = ROOT / "build" / "leaderboard"
"""The folder of logs and weights."""

CELL: Final = "cowheadking/4"
"""The cell for which the learners train."""
TRAINING_SEEDS: Final = range(1, 6)


class BuiltIn(NamedTuple):
    """A built-in bot.

    Attributes:
        name: name of the bot.
        budget: its budget class.
        cells: the cells that it plays; all if there are none.
    """

    name: str
    budget: str
    cells: tuple[str, ...] = ()


BOTS: Final = (
    *(BuiltIn(name, "policy") for name in ("random", "lowest", "highest", "greedy", "network")),
    BuiltIn("deep@100ms", "100ms", (CELL,)),  # all cells would take more than an hour and a half
    *(BuiltIn(name, "unlimited") for name in ("mc@100", "gentle", "steady", "sharp")),
)


class Learner(NamedTuple):
    """A training program of `examples/training`.

    Attributes:
        name: name on the leaderboard.
        libraries: the modules that it needs.
        training: the program and its options.
    """

    name: str
    libraries: tuple[str, ...]
    training: tuple[str, ...]


LEARNERS: Final = (
    Learner("cloning", ("torch", "minari"), ("minari_cloning.py", "--games", "1000")),
    Learner("ppo", ("torch",), ("cleanrl_ppo.py", "--updates", "60")),
)


def commands(only: Sequence[str], jobs: str) -> Iterator[list[str]]:
    """Yield the commands that make the missing submissions; the next one is for after the success of the last."""
    run = ["-m", "faceup", "benchmark", "run"]
    for name, budget, cells in BOTS:
        if name in only and not (SUBMISSIONS / f"{name}.json").exists():
            options = [word for cell in cells for word in ("--cell", cell)]
            yield [*run, name, "--budget", budget, *options, *_files(name), "--jobs", jobs]
    for learner in LEARNERS:
        lacking = [library for library in learner.libraries if find_spec(library) is None]
        if learner.name in only and lacking:
            print(f"{learner.name} is left out: {', '.join(lacking)} is not installed", file=sys.stderr)
        for seed in () if lacking or learner.name not in only else TRAINING_SEEDS:
            stem = f"{learner.name}-{seed}"
            if (SUBMISSIONS / f"{stem}.json").exists():
                continue
            folder = (BUILD / stem).relative_to(ROOT)
            program, *options = learner.training
            trained = ROOT / folder / "trained"  # not the weights, which exist from the start of the training
            if not trained.exists():
                yield [f"examples/training/{program}", *options, "--seed", str(seed), "--save", str(folder)]
                trained.touch()
            player = f"{learner.name}=python3 examples/training/agent.py {folder}/agent.npz"
            training = ["--training-seed", str(seed), "--note", join(learner.training)]
            yield [*run, player, "--alive", "--cell", CELL, *training, *_files(stem), "--jobs", jobs]


def _files(stem: str) -> list[str]:
    return ["--out", str(SUBMISSIONS / f"{stem}.json"), "--logs", str(BUILD / f"{stem}.logs")]


def section(folder: Path = SUBMISSIONS) -> str:
    """Return the leaderboard of the committed submissions."""
    return markdown(leaderboard(read_folder(folder, NIMMT_V1), NIMMT_V1), NIMMT_V1)


def main() -> None:
    """Make the missing submissions, and write the leaderboard."""
    parser = ArgumentParser(prog="script/leaderboard", description=__doc__.partition("\n\n")[0] if __doc__ else "")
    names = [*(bot.name for bot in BOTS), *(learner.name for learner in LEARNERS)]
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="AGENT", help="agents to play")
    parser.add_argument("--jobs", default="1", help="matches in parallel; the results are the same (default 1)")
    parser.add_argument("--draw", action="store_true", help="play nothing")
    options = parser.parse_args()
    SUBMISSIONS.mkdir(exist_ok=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    for words in () if options.draw else commands(options.only, options.jobs):
        print(f"$ python {join(words)}", file=sys.stderr)
        try:
            done = subprocess.run([sys.executable, *words], check=False, cwd=ROOT)
        except KeyboardInterrupt:
            sys.exit("Stopped. Run the same command to resume.")
        if done.returncode:
            sys.exit(done.returncode)
    write_section(PAGE, "leaderboard", section())
    print(f"Wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
