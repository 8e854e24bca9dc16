"""Measure the batch engines of War and Niu Niu per CPU second."""

from collections.abc import Callable
from functools import partial
from time import process_time

import numpy as np

from benchmarks.interleave import Row, interleaved
from faceup.core import CHANCE, AnyRules, SeededGenerator, draw
from faceup.games.niuniu import NiuNiu
from faceup.games.niuniu import batch as niuniu
from faceup.games.war import War
from faceup.games.war import batch as war

GAMES = 50_000
MATCHES = 1_000_000
SEATS = 2
LANES = 4096
STEPS = 100
WAR_BAR = 300_000
DICE_BAR = 100_000_000


def rows(times: int) -> list[Row]:
    """Measure whole games of War by collecting order, dice of Niu Niu, and steps of both."""
    _check_samples()
    runs: dict[str, Callable[[], float]] = {
        "War games by the batch": partial(_games, War()),
        "  loser's cards first": partial(_games, War(collect="loser_first")),
        "  cards shuffled": partial(_games, War(collect="shuffled")),
        "Niu Niu dice by the batch": partial(_dice, NiuNiu(seats=SEATS), MATCHES),
        "  matches of 1,000 throws": partial(_dice, NiuNiu(seats=SEATS, throws=1000), MATCHES // 1000),
        "  of 100 faces": partial(_dice, NiuNiu(seats=SEATS, faces=100), MATCHES),
        f"War flips by the step, batch {LANES}": _flips,
        f"Niu Niu dice by the step, batch {LANES}": _thrown,
    }
    rows = {name: Row(name, "/s", figures) for name, figures in interleaved(runs, max(3, times // 3)).items()}
    for name, bar in (("War games by the batch", WAR_BAR), ("Niu Niu dice by the batch", DICE_BAR)):
        rows[name] = rows[name]._replace(bar=(f"{bar:,}/s", rows[name].median >= bar))
    return list(rows.values())


def _games(rules: War) -> float:
    start = process_time()
    war.playouts(rules, lanes=GAMES, seed=1)
    return GAMES / (process_time() - start)


def _dice(rules: NiuNiu, lanes: int) -> float:
    start = process_time()
    niuniu.playouts(rules, lanes=lanes, seed=1, matches=True)
    return lanes * rules.throws * rules.seats * 5 / (process_time() - start)


def _flips() -> float:
    engine = war.reset(War(), lanes=LANES, seed=1, auto_reset=True)
    actions = np.zeros((LANES, 2), np.int32)
    start = process_time()
    for _ in range(STEPS):
        engine.observe()
        engine.step(actions)
    return LANES * 2 * STEPS / (process_time() - start)


def _thrown() -> float:
    engine = niuniu.reset(NiuNiu(seats=SEATS), lanes=LANES, seed=1, auto_reset=True)
    actions = np.zeros((LANES, SEATS), np.int32)
    start = process_time()
    for _ in range(STEPS):
        engine.observe()
        engine.step(actions)
    return LANES * SEATS * 5 * STEPS / (process_time() - start)


def _check_samples() -> None:
    """Check that some timed lanes end as the scalar rules do."""
    cards = war.playouts(War(), lanes=GAMES, seed=1).cards
    won = niuniu.playouts(NiuNiu(seats=SEATS), lanes=MATCHES, seed=1, matches=True).won
    for lane in range(0, GAMES, GAMES // 20):
        assert _scores(War(), lane) == tuple(cards[lane])
        assert _scores(NiuNiu(seats=SEATS), lane) == tuple(won[lane])


def _scores(rules: AnyRules, lane: int) -> tuple[int, ...]:
    rng, state = SeededGenerator(1, lane), rules.start()
    while to_act := rules.to_act(state):
        state = rules.apply(state, draw(rules, state, rng) if to_act == (CHANCE,) else dict.fromkeys(to_act, 0)).state
    return rules.scores(state)
