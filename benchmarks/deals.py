"""How many random games the readable rules play, through the public calls alone."""

from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

from benchmarks.interleaved import Row, interleaved
from faceup.core import CHANCE, AnyRules, Generator, draw, generator, make

DEALS = 400
GAMES = 20
BAR = 5_000


def rows(times: int) -> list[Row]:
    """Four-seat deals of 6 nimmt!, and games of War, a second of one core's time."""
    nimmt, war = "6 nimmt! deals, 4 random seats", "War games"
    runs = {nimmt: partial(_rate, make("nimmt:cowheadking seats=4"), DEALS), war: partial(_rate, make("war"), GAMES)}
    figures = interleaved(runs, times)
    deals = Row(nimmt, "/s", figures[nimmt])
    return [deals._replace(bar=(f"{BAR:,}/s", deals.median >= BAR)), Row(war, "/s", figures[war])]


def _rate(rules: AnyRules, games: int) -> float:
    """Games a second of this process's own time."""
    chances, choices = generator(1), Random(1).random  # noqa: S311 -- anyone's choice will do
    start = process_time()
    for _ in range(games):
        play(rules, chances, choices)
    return games / (process_time() - start)


def play(rules: AnyRules, chances: Generator, choices: Callable[[], float]) -> tuple[int, ...]:
    """The scores of one game in which every seat takes any of its legal actions; events and checks included."""
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
