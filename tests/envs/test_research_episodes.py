"""Games that people gave for research become the episodes that they would be in an environment."""

import asyncio
import runpy
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.envs.test_training_examples import EXAMPLES, Library
from tests.server.research.test_export import add_games, give
from tests.server.results.played_games import niuniu_game, play_game
from tests.server.results.test_ingest import open_store
from tests.server.rooms.room_log import IDS, nimmt

from faceup.core import Outcome, Seat, spec
from faceup.core.record import Applied, Autoplayed, Chosen, Record, applied_move
from faceup.envs import single_env
from faceup.server.research.card import GAMES, Summary
from faceup.server.research.export import export_games

RECORDS = runpy.run_path(str(EXAMPLES / "records.py"))

LOAD = """
import minari
import numpy as np

for name in sorted(minari.list_local_datasets()):
    data = minari.load_dataset(name)
    assert data.storage.metadata["licence"] == "CC-BY-4.0"
    card = data.storage.data_path.with_name("README.md").read_text()
    assert f"# {name}" in card and "license: cc-by-4.0" in card and "### Use it with care" in card
    env = data.recover_environment()
    assert env.observation_space == data.observation_space and env.action_space == data.action_space
    chosen = 0
    for episode in data.iterate_episodes():
        [about] = data.storage.get_episode_metadata([episode.id])
        assert about["player"].startswith("person-") and about["game"] in (1, 2, 3)
        masks = episode.infos["action_mask"][:-1]
        assert masks[np.arange(len(masks)), episode.actions].all()
        assert all(observation in data.observation_space for observation in episode.observations)
        assert [*episode.terminations] == [False] * (len(masks) - 1) + [True]
        chosen += episode.infos["chosen"].sum()
    print(name, data.total_episodes, chosen == data.total_steps)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder to which games are exported."""
    return tmp_path / "games-2026"


@pytest.fixture
def summary(folder: Path) -> Summary:
    """Export games of two people, of whom one leaves after the first turn of the first game."""

    async def write() -> Summary:
        async with open_store(f"sqlite:///{folder.with_suffix('.sqlite')}") as store:
            two_seats = nimmt(seats=2, hand=2, bots=("random",))
            await add_games(store, play_game(2, away=(1,)), play_game(1, config=two_seats), niuniu_game(1))
            await give(store, *IDS[:2])
            return await export_games(store, folder, licence="CC-BY-4.0", allow_few=True)

    return asyncio.run(write())


def replayed(record: Record, seat: Seat, encoding: str) -> Iterator[tuple[Any, ...]]:
    """Yield observation, mask and reward of a seat in an environment in which everyone plays as in the record."""
    rules = record.rules()
    moves = [applied_move(rules, entry) for entry in record.entries if isinstance(entry, Applied)]
    outcomes = iter([move for move in moves if isinstance(move, Outcome)])
    choices = [move for move in moves if isinstance(move, dict)]
    actions = {player: iter([move[player] for move in choices if player in move]) for player in range(rules.seats)}
    env = single_env(
        spec(rules), seat=seat, opponents=lambda _rules, view, _rng: next(actions[view.seat]), encoding=encoding
    )
    env._chance = SimpleNamespace(draw=lambda _state: next(outcomes))  # type: ignore[assignment]
    observation, info = env.reset()
    yield observation, info["action_mask"], None
    over = False
    for action in actions[seat]:
        observation, reward, over, _, info = env.step(action)
        yield observation, info["action_mask"], reward
    assert over


def test_an_episode_is_what_an_environment_shows(folder: Path, summary: Summary) -> None:
    records = [*RECORDS["read_records"](folder)]
    chosen = 0
    for record in records:
        encoding = RECORDS["encoding_of"](record.rules())
        for episode in RECORDS["episodes"](record):
            observations, masks, rewards = zip(*replayed(record, episode.seat, encoding), strict=True)
            assert (episode.observations == observations).all()
            assert (episode.masks == masks).all()
            assert [None, *episode.rewards] == [*rewards]
            assert [*episode.chosen[:-1]] == [
                isinstance(entry, Chosen)
                for entry in record.entries
                if isinstance(entry, Chosen | Autoplayed) and entry.seat == episode.seat
            ]
            chosen += episode.chosen.sum()
    assert chosen == summary.choices
    assert [episode.chosen[:-1].all() for episode in RECORDS["episodes"](records[0])] == [True, False]


@pytest.mark.usefixtures("summary")
def test_the_games_and_the_licence_are_those_of_the_export(folder: Path) -> None:
    assert RECORDS["GAMES"] == GAMES
    assert RECORDS["count_games"](folder) == {
        "nimmt:cowheadking seats=3 hand=3": 1,
        "nimmt:cowheadking seats=2 hand=2": 1,
        "niuniu:battle seats=3": 1,
    }
    licence, text = RECORDS["read_card"](folder)
    assert licence == "CC-BY-4.0"
    assert text.startswith("# Games of people\n")
    assert "## Use it with care\n" in text


@pytest.mark.long
@pytest.mark.usefixtures("summary")
def test_an_export_becomes_data_sets(folder: Path, tmp_path: Path) -> None:
    library = Library(tmp_path, "minari_cloning.py")
    library.run(library.python, EXAMPLES / "dataset.py", folder)
    program = tmp_path / "load.py"
    program.write_text(LOAD, "utf-8")
    assert library.run(library.python, program).splitlines() == [
        "faceup/nimmt-cowheadking-2-hand-2/games-2026-v0 1 True",
        "faceup/nimmt-cowheadking-3-hand-3/games-2026-v0 2 False",
        "faceup/niuniu-battle-3/games-2026-v0 2 True",
    ]
    # What is invalid writes nothing, so that the number of data sets stays.
    for choice, message in {
        "--games=0": "games must be 1 to",
        "--seats=0": "nimmt:classic must have 2 to 10 seats; got 0",
        "--version=-1": "version must be 0 to",
    }.items():
        command = f"{library.python} {EXAMPLES / 'dataset.py'} greedy --variant=classic {choice}"
        assert message in library.run("sh", "-c", f"! {command} 2>&1")
    assert len(library.run(library.python, program).splitlines()) == 3
