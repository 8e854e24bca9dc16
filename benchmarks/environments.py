"""What a decision costs in our environments, beside the frameworks' own games written in Python."""

import importlib
import warnings
from functools import partial
from statistics import median
from time import process_time
from typing import Any

import pyspiel

from benchmarks.interleaved import Row, interleaved
from faceup.envs import parallel_env

EPISODES = 30
PEERS = ("iterated_prisoners_dilemma", "kuhn_poker", "liars_poker", "tic_tac_toe")
for module in ("faceup.envs.openspiel", *(f"open_spiel.python.games.{name}" for name in PEERS)):
    importlib.import_module(module)  # they register themselves


def rows(times: int) -> list[Row]:
    """PettingZoo's rock-paper-scissors and OpenSpiel's Python games, and 6 nimmt! in both."""
    return [*_pettingzoo(times), *_openspiel(times)]


def _pettingzoo(times: int) -> list[Row]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its old names, and of pygame's
        theirs = importlib.import_module("pettingzoo.classic.rps.rps").parallel_env(max_cycles=100)
    peer, ours = "PettingZoo rock-paper-scissors", "PettingZoo 6 nimmt!, 4 seats"
    runs = {peer: partial(_steps, theirs), ours: partial(_steps, parallel_env("nimmt:cowheadking", seats=4))}
    figures = interleaved(runs, times)
    middle = {name: median(values) for name, values in figures.items()}
    bar = ("a third of its time", middle[ours] <= middle[peer] / 3)
    return [Row(peer, "us", figures[peer]), Row(ours, "us", figures[ours], ("theirs", middle[peer]), bar)]


def _steps(env: Any) -> float:  # noqa: ANN401 -- theirs or ours
    """Microseconds for an agent's action; all give action 0, which is legal or replaced."""
    actions = 0
    start = process_time()
    for seed in range(EPISODES):
        env.reset(seed=seed)
        while env.agents:
            actions += len(env.agents)
            env.step(dict.fromkeys(env.agents, 0))
    return (process_time() - start) / actions * 1e6


def _openspiel(times: int) -> list[Row]:
    ours = "OpenSpiel 6 nimmt!, 4 seats"
    names = {f"OpenSpiel {name}": f"python_{name}" for name in PEERS}
    names[ours] = "faceup_nimmt_cowheadking_v0(chance=sampled)"
    runs = {title: partial(_decisions, pyspiel.load_game(name)) for title, name in names.items()}
    figures = interleaved(runs, times)
    middle = {title: median(values) for title, values in figures.items()}
    quickest = min(middle[title] for title in names if title != ours)
    bar = ("faster than each", middle[ours] < quickest)
    theirs = [Row(title, "us", figures[title]) for title in names if title != ours]
    return [*theirs, Row(ours, "us", figures[ours], ("the quickest", quickest), bar)]


def _decisions(game: Any) -> float:  # noqa: ANN401 -- OpenSpiel has no types
    """Microseconds for a player's decision, the first legal one of each; chance takes its first outcome."""
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
