"""Measure random games with the scalar rules through the public API."""

from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

from benchmarks.interleave import Row, interleaved
from faceup.core import CHANCE, AnyRules, Generator, draw, generator, make

DEALS = 400
GAMES = 20
BAR = 5_000


def rows(times: int) -> list[Row]:
    """Measure four-seat deals of 6 nimmt! and games of War per CPU second."""
    nimmt, war = "6 nimmt! deals, 4 random seats", "War games"
    runs = {nimmt: partial(_rate, make("nimmt:cowheadking seats=4"), DEALS), war: partial(_rate, make("war"), GAMES)}
    figures = interleaved(runs, times)
    deals = Row(nimmt, "/s", figures[nimmt])
    return [deals._replace(bar=(f"{BAR:,}/s", deals.median >= BAR)), Row(war, "/s", figures[war])]


def _rate(rules: AnyRules, games: int) -> float:
    """Measure games per CPU second."""
    chances, choices = generator(1), Random(1).random  # noqa: S311 -- anyone's choice will do
    start = process_time()
    for _ in range(games):
        play(rules, chances, choices)
    return games / (process_time() - start)


def play(rules: AnyRules, chances: Generator, choices: Callable[[], float]) -> tuple[int, ...]:
    """Play a game with random legal actions, including events and checks, and return its scores."""
    to_act, legal, apply = rules.to_act, rules.legal, rules.apply
    state = rules.start()
    while seats := to_act(state):
        if seats == (CHANCE,):
            state, _ = apply(state, draw(rules, state, chances))
        else:
            move = {}
            for seat in seats:
                options = legal(state, seat)
                move[seat] = options[int(choices() * len(options))]
            state, _ = apply(state, move)
    return rules.scores(state)
