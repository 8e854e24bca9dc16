"""Write games of 6 nimmt! of a bot, or an export of games for research, as a Minari data set with a card."""

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

import gymnasium
import minari
from minari import DataCollector, MinariDataset, StepDataCallback
from minari.data_collector import EpisodeBuffer
from minari.utils import create_dataset_from_buffers
from records import GAMES, Episode, count_games, encoding_of, episodes, read_card, read_records

from faceup.bots import policy
from faceup.core import Malformed, SeededGenerator, make, plural, spec
from faceup.core.registry import options_of
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.envs.registration import env_id
from faceup.envs.rewards import reward

VARIANT, SEATS, GAMES_OF_BOT, LICENCE = "cowheadking", 4, 2500, "CC0-1.0"

CARD = """---
{front_matter}
tags: [{tags}]
---

# {name}

{summary}

| | |
| --- | --- |
| licence | {licence} |
| made by | `{command}`, faceup {faceup} |
| rules | `{rules}` |
{rows}

{text}
"""

ROWS_OF_BOT = """\
| observation | the encoding `planes` of the view of seat 0: nothing that a player in this seat could not know |
| action | the card minus 1, or 104 plus the row to take |
| info | `action_mask`: 1 for every legal action |
| reward | minus the heads taken; {reward:.3f} in a game on average |
| seeds | 0 to {last}, one for each game; the held-out seeds of `nimmt-v1` are from 2^63 |"""

TEXT_OF_BOT = """The games were played by programs, so they contain no data of people. The choices of `{bot}` are not
perfect; faceup's page "Baselines" has its strength.

Load it with `minari.load_dataset("{name}")`. With faceup installed,
`recover_environment()` makes the environment, and a game's seed and actions replay it to the same rewards."""

ROWS_OF_EXPORT = """\
| episode | a game of one person; its metadata has `player`, `seat`, and `game`, its line in `{file}` |
| observation | the encoding `{encoding}` of the view of the person's seat: nothing that the person could not know |
| action | a number, as in the environment `{env}` |
| info | `action_mask`: 1 for every legal action; `chosen`: 0 if the table chose, because the person was late or away |
| reward | `{points}`, the gain of points, more is better; {reward:.3f} in an episode on average |"""

TEXT_OF_EXPORT = """Load it with `minari.load_dataset("{name}")`. To imitate people, leave out
actions with `chosen` 0. With faceup installed, `recover_environment()` makes the environment. It cannot replay the
games, because their deals have no seeds.

This is the card of the export from which the set was made:

{card}"""


class WithMask(StepDataCallback):
    """Keep the mask of the info only, because Minari wants infos of equal form in every step."""

    def __call__(self, env, obs, info, **rest):
        return super().__call__(env, obs, {"action_mask": info["action_mask"]}, **rest)


def set_name(setting: str, source: str, number: int) -> str:
    """Return the name of a data set, such as `faceup/nimmt-classic-4/games-2026-v0`."""
    setting, source = (re.sub(r"\W+", "-", text) for text in (setting, source))  # as Minari allows
    return f"faceup/{setting}/{source}-v{number}"


def dataset_name(bot: str, variant: str, seats: int, number: int = 0) -> str:
    """Return the name of a bot's data set of this version, such as `faceup/nimmt-classic-4/greedy-v0`."""
    return set_name(f"nimmt-{variant}-{seats}", bot, number)


def make_dataset(
    bot: str, variant: str, seats: int, games: int, *, number: int = 0, licence: str = LICENCE
) -> MinariDataset:
    """Play the games in seat 0 against `greedy`, and return the data set; its card is README.md in its folder.

    Raises:
        Malformed: there is no such bot or variant, or a number is out of range. Nothing was written.
    """
    make(f"nimmt:{variant}", seats=seats)
    whole_number("games", games, 1, LARGEST_WORD)
    whole_number("version", number, 0, LARGEST_WORD)
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
        description=f"Games of {bot} against greedy. The info has the mask of legal actions. Licence: {licence}.",
        **_origin(),
    )
    choices = {"variant": variant, "seats": seats, "games": games, "version": number, "licence": licence}
    _write_card(
        data,
        licence,
        tags="reinforcement-learning, imitation-learning, minari, card-games",
        summary=f"{games:,} games of the bot `{bot}` in seat 0 against `greedy`, with {data.total_steps:,} decisions.",
        command=[bot, *(f"--{option}={value}" for option, value in choices.items())],
        rules=spec(table.rules),
        rows=ROWS_OF_BOT.format(reward=_mean_reward(data), last=games - 1),
        text=TEXT_OF_BOT.format(bot=bot, name=name),
    )
    return data


def export_names(folder: Path, number: int = 0) -> dict[str, str]:
    """Return the names of an export's data sets of this version by rules, because each of them has its own rules."""
    source = folder.resolve().name
    return {rules: set_name(rules.replace("seats=", ""), source, number) for rules in count_games(folder)}


def make_export_datasets(folder: Path, *, number: int = 0) -> Iterator[MinariDataset]:
    """Yield the data sets of an export; the card of each is README.md in its folder, and has the card of the export."""
    licence, export_card = read_card(folder)
    for text, name in export_names(folder, number).items():
        rules = make(text)
        points, encoding = reward(rules).name, encoding_of(rules)
        env, episode_metadata = env_id(rules, points), []
        data = create_dataset_from_buffers(
            name,
            _buffers(folder, text, episode_metadata),
            gymnasium.make(f"faceup.envs:{env}", encoding=encoding, **options_of(rules)),
            algorithm_name="people",
            author="people who gave their games for research",
            description=f"Games of people. The info has the mask of legal actions. Licence: {licence}.",
            **_origin(),
        )
        data.storage.update_episode_metadata(episode_metadata)
        games, players = (len({metadata[key] for metadata in episode_metadata}) for key in ("game", "player"))
        rows = {"file": GAMES, "encoding": encoding, "env": env, "points": points, "reward": _mean_reward(data)}
        _write_card(
            data,
            licence,
            tags="imitation-learning, minari, card-games, simultaneous-moves",
            summary=f"{plural(games, 'game')} of people and their programs, with {plural(players, 'pseudonym')} and "
            f"{plural(data.total_steps, 'decision')}.",
            command=[folder.resolve().name, f"--version={number}"],
            rules=text,
            rows=ROWS_OF_EXPORT.format(**rows),
            text=TEXT_OF_EXPORT.format(name=name, card=re.sub("^#", "##", export_card, flags=re.MULTILINE)),
        )
        yield data


def _buffers(folder: Path, rules: str, episode_metadata: list[dict[str, str | int]]) -> Iterator[EpisodeBuffer]:
    """Yield the episodes of the games with these rules, and append the metadata of each."""
    for line, record in enumerate(read_records(folder), 1):
        if spec(record.rules()) == rules:
            for episode in episodes(record):
                episode_metadata.append({"player": episode.player, "seat": episode.seat, "game": line})
                yield _buffer(episode)


def _buffer(episode: Episode) -> EpisodeBuffer:
    decisions = len(episode.actions)
    return EpisodeBuffer(
        observations=episode.observations,
        actions=episode.actions,
        rewards=episode.rewards,
        terminations=[number == decisions for number in range(1, decisions + 1)],
        truncations=[False] * decisions,
        infos={"action_mask": episode.masks, "chosen": episode.chosen},
    )


def _origin() -> dict[str, str | list[str]]:
    """Return metadata that all data sets have."""
    release = version("faceup")
    return {
        "code_permalink": f"https://github.com/faceup-games/faceup/blob/v{release}/examples/training/dataset.py",
        "requirements": [f"faceup=={release}"],
    }


def _mean_reward(data: MinariDataset) -> float:
    return sum(float(episode.rewards.sum()) for episode in data.iterate_episodes()) / data.total_episodes


def _write_card(data: MinariDataset, licence: str, *, command: Iterable[str], **parts: str) -> None:
    """Add the licence to the metadata, and write the card."""
    data.storage.update_metadata({"licence": licence})
    is_address = "/" in licence
    front_matter = f"license: other\nlicense_link: {licence}" if is_address else f"license: {licence.lower()}"
    card = CARD.format(
        front_matter=front_matter,
        licence=licence,
        name=data.spec.dataset_id,
        command=shlex.join(["python", "examples/training/dataset.py", *command]),
        faceup=version("faceup"),
        **parts,
    )
    _card_path(data).write_text(card, "utf-8")


def _card_path(data: MinariDataset) -> Path:
    return Path(data.storage.data_path).with_name("README.md")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", help="a bot whose games to write, such as mc@1000, or the folder of an export")
    parser.add_argument("--variant", help=f"of a bot: variant of 6 nimmt! (default {VARIANT})")
    parser.add_argument("--seats", type=int, help=f"of a bot: number of seats (default {SEATS})")
    parser.add_argument("--games", type=int, help=f"of a bot: number of games (default {GAMES_OF_BOT})")
    parser.add_argument("--licence", help=f"of a bot: SPDX identifier of the licence (default {LICENCE})")
    parser.add_argument("--version", type=int, default=0, metavar="N", help="version of the data set (default 0)")
    options = parser.parse_args()
    folder, number = Path(options.source), options.version
    is_export = (folder / GAMES).is_file()
    for name in ("variant", "seats", "games", "licence"):
        if is_export and getattr(options, name) is not None:
            parser.error(f"--{name} is only for bots, because an export has its own")
    if not is_export:
        try:
            policy("nimmt", options.source)
        except Malformed as error:
            parser.error(f"{error}; a folder of an export has the file {GAMES}")
    defaults = {"variant": VARIANT, "seats": SEATS, "games": GAMES_OF_BOT, "licence": LICENCE}
    choices = defaults | {name: value for name in defaults if (value := getattr(options, name)) is not None}
    setting = (options.source, choices["variant"], choices["seats"])
    names = [*export_names(folder, number).values()] if is_export else [dataset_name(*setting, number)]
    for name in names:
        if name in minari.list_local_datasets():
            sys.exit(f"{name} exists already: write another --version")
    if is_export:
        datasets = make_export_datasets(folder, number=number)
    else:
        try:
            datasets = iter([make_dataset(*setting, choices["games"], number=number, licence=choices["licence"])])
        except Malformed as error:
            parser.error(str(error))
    for data in datasets:
        steps = plural(data.total_steps, "decision")
        print(f"{data.spec.dataset_id}: {plural(data.total_episodes, 'episode')}, {steps}")
        print(f"Its card is {_card_path(data)}.")


if __name__ == "__main__":
    main()
