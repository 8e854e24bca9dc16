"""Measure a decision in our environments, compared with the frameworks' own games written in Python."""

import importlib
import warnings
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import pyspiel

from benchmarks.interleave import Row, interleaved
from faceup.envs import parallel_env, vector_env

EPISODES = 30
LANES = 4096
STEPS = 40
PEERS = ("iterated_prisoners_dilemma", "kuhn_poker", "liars_poker", "tic_tac_toe")
for module in ("faceup.envs.openspiel", *(f"open_spiel.python.games.{name}" for name in PEERS)):
    importlib.import_module(module)  # importing them registers them


def rows(times: int) -> list[Row]:
    """Measure 6 nimmt! in PettingZoo, OpenSpiel and the vector environment, compared with the peers' own games."""
    return [*_pettingzoo(times), *_openspiel(times), *_vector(times)]


def _pettingzoo(times: int) -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations in its dependencies
        peer_env = importlib.import_module("pettingzoo.classic.rps.rps").parallel_env(max_cycles=100)
    peer, ours = "PettingZoo rock-paper-scissors", "PettingZoo 6 nimmt!, 4 seats"
    envs = {peer: peer_env} | {
        f"PettingZoo 6 nimmt!, {seats} seats": parallel_env("nimmt:cowheadking", seats=seats) for seats in (4, 10)
    }
    figures = interleaved({name: partial(_steps, env, _recorded(env)) for name, env in envs.items()}, times)
    middle = {name: median(values) for name, values in figures.items()}
    bars = {ours: ("a third of its time", middle[ours] <= middle[peer] / 3)}
    return [
        Row(name, "us", values, None if name == peer else ("theirs", middle[peer]), bars.get(name))
        for name, values in figures.items()
    ]


def _recorded(env: Any) -> list[list[dict[str, int]]]:  # noqa: ANN401 -- theirs or ours
    """Record the actions of random episodes, legal ones where there are masks; the episode number is the seed."""
    episodes = []
    for seed in range(EPISODES):
        observations, _ = env.reset(seed=seed)
        steps: list[dict[str, int]] = []
        while env.agents:
            masks = [seen["action_mask"] if isinstance(seen, dict) else None for seen in observations.values()]
            spaces = [env.action_space(agent) for agent in env.agents]
            sampled = [int(space.sample(mask)) for space, mask in zip(spaces, masks, strict=True)]
            steps.append(dict(zip(env.agents, sampled, strict=True)))
            observations = env.step(steps[-1])[0]
        episodes.append(steps)
    return episodes


def _steps(env: Any, episodes: list[list[dict[str, int]]]) -> float:  # noqa: ANN401 -- theirs or ours
    """Measure microseconds for an agent's action, resets included, when these episodes are repeated."""
    start = process_time()
    for seed, steps in enumerate(episodes):
        env.reset(seed=seed)
        for actions in steps:
            env.step(actions)
    return (process_time() - start) / sum(len(actions) for steps in episodes for actions in steps) * 1e6


def _openspiel(times: int) -> list[Row]:
    ours = "OpenSpiel 6 nimmt!, 4 seats"
    names = {f"OpenSpiel {name}": f"python_{name}" for name in PEERS}
    names[ours] = "faceup_nimmt_cowheadking_v0(chance=sampled)"
    runs = {title: partial(_decisions, pyspiel.load_game(name)) for title, name in names.items()}
    figures = interleaved(runs, times)
    middle = {title: median(values) for title, values in figures.items()}
    quickest = min(middle[title] for title in names if title != ours)
    bar = ("faster than each", middle[ours] < quickest)
    peers = [Row(title, "us", figures[title]) for title in names if title != ours]
    return [*peers, Row(ours, "us", figures[ours], ("the quickest", quickest), bar)]


def _decisions(game: Any) -> float:  # noqa: ANN401 -- OpenSpiel has no types
    """Measure microseconds for a player's first legal action; chance takes its first outcome."""
    decisions = 0
    start = process_time()
    for _ in range(EPISODES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            elif state.is_simultaneous_node():
                players = range(game.num_players())
                state.apply_actions([state.legal_actions(player)[0] for player in players])
                decisions += len(players)
            else:
                state.apply_action(state.legal_actions()[0])
                decisions += 1
    return (process_time() - start) / decisions * 1e6


def _vector(times: int) -> list[Row]:
    """Measure decisions of learners in the vector environment, and how much its slowest steps take."""
    names: dict[str, dict[str, Any]] = {
        "one seat learns, scalars": {"opponents": "random"},
        "one seat learns, ids": {"opponents": "random", "encoding": "ids"},
        "one seat learns, win against greedy": {"opponents": "greedy", "reward": "win"},
        "all seats learn, scalars": {"agents": "all"},
        "all seats learn, planes": {"agents": "all", "encoding": "planes"},
        "all seats learn, ids": {"agents": "all", "encoding": "ids"},
        "all seats learn, ids, new arrays": {"agents": "all", "encoding": "ids", "copy": True},
    }
    envs: dict[str, Any] = {}
    for name, options in names.items():
        arguments: dict[str, Any] = {"copy": False, **options}
        envs[name] = vector_env("nimmt:cowheadking", num_envs=LANES, seats=4, **arguments)
    figures = interleaved({name: partial(_vector_rate, env) for name, env in envs.items()}, times)
    bars = {"all seats learn, scalars": 3e6, "all seats learn, ids": 8e6}
    rows = []
    for name, values in figures.items():
        least = bars.get(name)
        bar = (f"{least / 1e6:.0f} million", median(values) >= least) if least else None
        rows.append(Row(f"vector 6 nimmt!, {name}", "/s", values, None, bar))
    slowest = _slowest(envs["all seats learn, ids"])
    bar = ("3 medians", slowest <= 3)
    return [*rows, Row("vector 6 nimmt!, 99.9 % of steps within", " medians", [slowest], None, bar)]


def _vector_rate(env: Any) -> float:  # noqa: ANN401 -- it has more attributes than Gymnasium's face of it
    """Measure the learners' random decisions per second of the environment, without the sampling of the decisions."""
    env.reset(seed=1)
    decisions, seconds = 0, 0.0
    for _ in range(STEPS):
        actions = env.sample_legal()
        decisions += int((actions != env.wait).sum())
        start = process_time()
        env.step(actions)
        seconds += process_time() - start
    return decisions / seconds


def _slowest(env: Any) -> float:  # noqa: ANN401 -- as above
    """Return the processor time that 99.9 % of 3000 steps do not exceed, divided by the median."""
    env.reset(seed=1)
    times = []
    for _ in range(3000):
        actions = env.sample_legal()
        start = process_time()
        env.step(actions)
        times.append(process_time() - start)
    return sorted(times)[-3] / median(times)
