"""Let a bot play 6 nimmt!, and write its games as a Minari data set with a version, a licence and a card."""

import argparse
import shlex
import sys
from importlib.metadata import version
from pathlib import Path

import gymnasium
import minari
from minari import DataCollector, MinariDataset, StepDataCallback

from faceup.bots import policy
from faceup.core import SeededGenerator, spec

LICENCE = "CC0-1.0"

CARD = """---
license: {licence_id}
tags: [reinforcement-learning, imitation-learning, minari, card-games]
---

# {name}

{games:,} games of the bot `{bot}` in seat 0 against `greedy`, with {decisions:,} decisions.

| | |
| --- | --- |
| licence | {licence} |
| made by | `{command}`, faceup {faceup} |
| rules | `{rules}` |
| observation | the encoding `planes` of the view of seat 0: nothing that a player in this seat could not know |
| action | the card minus 1, or 104 plus the row to take |
| info | `action_mask`: 1 for every legal action |
| reward | minus the heads taken; {reward:.3f} in a game on average |
| seeds | 0 to {last}, one for each game; the held-out seeds of `nimmt-v1` are from 2^63 |

The games were played by programs, so they contain no data of people. The choices of `{bot}` are not perfect;
faceup's page "Baselines" has its strength.

Load it with `minari.load_dataset("{name}")`. With faceup installed,
`recover_environment()` makes the environment, and a game's seed and actions replay it to the same rewards.
"""


class WithMask(StepDataCallback):
    """Keep the mask of the info only, because Minari wants infos of equal form in every step."""

    def __call__(self, env, obs, info, **rest):
        return super().__call__(env, obs, {"action_mask": info["action_mask"]}, **rest)


def dataset_name(bot: str, variant: str, seats: int, number: int = 0) -> str:
    """Return the name of a data set of this version, such as `faceup/nimmt-classic-4/greedy-v0`."""
    return f"faceup/nimmt-{variant}-{seats}/{bot.replace('@', '-')}-v{number}"


def make_dataset(
    bot: str, variant: str, seats: int, games: int, *, number: int = 0, licence: str = LICENCE
) -> MinariDataset:
    """Play the games in seat 0 against `greedy`, and return the data set; its card is README.md in its folder."""
    env = gymnasium.make(
        f"faceup.envs:faceup/nimmt-{variant}-heads-v0",
        opponents="greedy",
        encoding="planes",
        seats=seats,
        deals=1,
        target=0,
    )
    choose, rng, table = policy("nimmt", bot), SeededGenerator(1), env.unwrapped
    collector = DataCollector(env, step_data_callback=WithMask, record_infos=True)
    for seed in range(games):
        collector.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, _ = collector.step(choose(table.rules, table.view, rng))
    name = dataset_name(bot, variant, seats, number)
    data = collector.create_dataset(
        name,
        algorithm_name=bot,
        author="the faceup authors",
        code_permalink=f"https://github.com/faceup-games/faceup/blob/v{version('faceup')}/examples/training/dataset.py",
        description=f"Games of {bot} against greedy. The info has the mask of legal actions. Licence: {licence}.",
        requirements=[f"faceup=={version('faceup')}"],
    )
    data.storage.update_metadata({"licence": licence})
    choices = {"variant": variant, "seats": seats, "games": games, "version": number, "licence": licence}
    words = [f"--{option}={value}" for option, value in choices.items()]
    card = CARD.format(
        licence_id=licence.lower(),
        licence=licence,
        name=name,
        games=games,
        bot=bot,
        decisions=data.total_steps,
        command=shlex.join(["python", "examples/training/dataset.py", bot, *words]),
        faceup=version("faceup"),
        rules=spec(table.rules),
        reward=sum(float(episode.rewards.sum()) for episode in data.iterate_episodes()) / games,
        last=games - 1,
    )
    Path(data.storage.data_path).with_name("README.md").write_text(card, "utf-8")
    return data


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bot", help="the bot whose games to export, such as mc@1000")
    parser.add_argument("--variant", default="cowheadking", help="variant of 6 nimmt! (default %(default)s)")
    parser.add_argument("--seats", type=int, default=4, help="number of seats (default 4)")
    parser.add_argument("--games", type=int, default=2500, help="number of games (default 2500)")
    parser.add_argument("--version", type=int, default=0, metavar="N", help="version of the data set (default 0)")
    parser.add_argument("--licence", default=LICENCE, help="SPDX identifier of the licence (default %(default)s)")
    options = parser.parse_args()
    chosen = (options.bot, options.variant, options.seats)
    if dataset_name(*chosen, options.version) in minari.list_local_datasets():
        sys.exit(f"{dataset_name(*chosen, options.version)} exists already: write another --version")
    made = make_dataset(*chosen, options.games, number=options.version, licence=options.licence)
    print(f"{made.spec.dataset_id}: {made.total_episodes:,} games, {made.total_steps:,} decisions")
    print(f"Its card is {Path(made.storage.data_path).with_name('README.md')}.")
