"""How many random games the readable rules play, through the public calls alone."""

from functools import partial
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
    rng = generator(1)
    start = process_time()
    for _ in range(games):
        play(rules, rng)
    return games / (process_time() - start)


def play(rules: AnyRules, rng: Generator) -> tuple[int, ...]:
    """The scores of one game in which every seat takes any of its legal actions; events and checks included."""
    state = rules.start()
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state, _ = rules.apply(state, draw(rules, state, rng))
        else:
            options = {seat: rules.legal(state, seat) for seat in to_act}
            state, _ = rules.apply(state, {seat: legal[rng.below(len(legal))] for seat, legal in options.items()})
    return rules.scores(state)
