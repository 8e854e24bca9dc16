"""Ways to get a table with a fair deal into a state, for the tests of fair deals."""

from collections.abc import Sequence

from tests.table.play import NAMES, do, opened

from faceup.core import Generator, generator
from faceup.core.record import Terms
from faceup.table import Choose, Join, Table, fair_step, to_choose, view_for

FAIR = Terms(fair=True)
FAIR_CLOCK = Terms(clock=30_000, stand_in="lowest", fair=True)


def sat(spec: str = "nimmt seats=3 hand=3", people: int = 2, terms: Terms = FAIR_CLOCK, seed: int = 1) -> Table:
    """Everybody sits, people first and then bots, and the first secret is sealed."""
    table, rng = opened(spec, terms), generator(seed)
    for seat in range(table.rules.seats):
        name = NAMES[seat] if seat < len(NAMES) else f"Player {seat}"
        table = do(table, Join(None, name, "person" if seat < people else "random"), rng=rng)
    return table


def seed_of(seat: int, salt: int = 0) -> bytes:
    return bytes([seat, salt]) * 16


def answered(table: Table, seats: Sequence[int], now: int = 100, salt: int = 0, rng: Generator | None = None) -> Table:
    """What these seats' clients send by themselves, until nothing more is asked of them."""
    steps = True
    while steps:
        steps = False
        for seat in seats:
            step = fair_step(view_for(table, seat).fair, seat, seed_of(seat, salt))
            if step is not None:
                table, steps = do(table, step, now, rng), True
    return table


def agreed(spec: str = "nimmt seats=3 hand=3", people: int = 2, terms: Terms = FAIR_CLOCK, seed: int = 1) -> Table:
    """A table whose round is complete, and whose first cards are dealt."""
    return answered(sat(spec, people, terms, seed), range(people))


def finished(spec: str = "nimmt seats=3 hand=3", people: int = 2, terms: Terms = FAIR_CLOCK, seed: int = 1) -> Table:
    """A match to its end, every seat choosing its lowest action."""
    table = agreed(spec, people, terms, seed)
    while seats := to_choose(table):
        legal = table.rules.legal(table.state, seats[0])
        table = do(table, Choose(seats[0], legal[0]), table.at + 10)
    return table
