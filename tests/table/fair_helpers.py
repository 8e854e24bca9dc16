"""Tables with fair deals in several states, for tests."""

from collections.abc import Sequence

from tests.table.helpers import NAMES, do, opened

from faceup.core import Generator, generator
from faceup.core.record import Terms
from faceup.table import Choose, Join, Table, next_fair_command, view_for

FAIR = Terms(fair=True)
FAIR_CLOCK = Terms(clock=30_000, autoplay="lowest", fair=True)


def committed(spec: str = "nimmt seats=3 hand=3", people: int = 2, terms: Terms = FAIR_CLOCK, seed: int = 1) -> Table:
    """Return a table with all seats taken, people first and then bots, and a committed secret."""
    table, rng = opened(spec, terms), generator(seed)
    for seat in range(table.rules.seats):
        name = NAMES[seat] if seat < len(NAMES) else f"Player {seat}"
        table = do(table, Join(None, name, "person" if seat < people else "random"), rng=rng)
    return table


def seed_of(seat: int, salt: int = 0) -> bytes:
    return bytes([seat, salt]) * 16


def answered(table: Table, seats: Sequence[int], now: int = 100, salt: int = 0, rng: Generator | None = None) -> Table:
    """Send the fair deal commands of these seats until none is due."""
    steps = True
    while steps:
        steps = False
        for seat in seats:
            step = next_fair_command(view_for(table, seat).fair, seat, seed_of(seat, salt))
            if step is not None:
                table, steps = do(table, step, now, rng), True
    return table


def agreed(spec: str = "nimmt seats=3 hand=3", people: int = 2, terms: Terms = FAIR_CLOCK, seed: int = 1) -> Table:
    """Return a table with a complete round and the first cards dealt."""
    return answered(committed(spec, people, terms, seed), range(people))


def finished(spec: str = "nimmt seats=3 hand=3", people: int = 2, terms: Terms = FAIR_CLOCK, seed: int = 1) -> Table:
    """Play a match to its end with the lowest actions."""
    table = agreed(spec, people, terms, seed)
    while seats := table.waiting:
        legal = table.rules.legal(table.state, seats[0])
        table = do(table, Choose(seats[0], legal[0]), table.at + 10)
    return table
