"""Tables in several states, for tests."""

import msgspec

from faceup.bots import policy
from faceup.core import Generator, State, generator, make
from faceup.core.record import AnyEntry, Terms
from faceup.table import Choose, Join, Table, decide, fold, open_table
from faceup.table.commands import Command
from faceup.table.table import default_terms

CLOCK = Terms(clock=30_000, autoplay="lowest")
AT_DEADLINE = Terms(clock=30_000, reveal="at_deadline", autoplay="lowest")
NO_CLOCK = Terms()
NAMES = ("Ada", "Bo", "Cy", "Di")


def entries(table: Table, command: Command, now: int = 0, seed: int = 1) -> tuple[AnyEntry, ...]:
    return decide(table, command, now, generator(seed))


def kinds(table: Table, command: Command, now: int = 0) -> list[str]:
    """Return the types of the command's entries."""
    return [type(entry).__name__ for entry in entries(table, command, now)]


def do(table: Table, command: Command, now: int = 0, rng: Generator | None = None) -> Table:
    return fold(table, decide(table, command, now, rng or generator(1)))


def opened(spec: str = "nimmt seats=3 hand=3", terms: Terms | None = NO_CLOCK) -> Table:
    rules = make(spec)
    terms = terms or default_terms(rules)
    return open_table(rules, policy(rules.game, terms.autoplay), terms)


def seated(spec: str = "nimmt seats=3 hand=3", terms: Terms | None = NO_CLOCK, seed: int = 1) -> Table:
    """Return a table with all seats taken and the cards dealt."""
    table = opened(spec, terms)
    for name in NAMES[: table.rules.seats]:
        table = do(table, Join(None, name), rng=generator(seed))
    return table


def lowest(table: Table, seat: int) -> Choose:
    """Choose the seat's lowest legal action."""
    return Choose(seat, table.rules.legal(table.state, seat)[0])


def highest(table: Table, seat: int) -> Choose:
    return Choose(seat, table.rules.legal(table.state, seat)[-1])


def played_out(table: Table, seed: int = 5) -> Table:
    """Play random choices until the end, one second apart, and return the table."""
    rng = generator(seed)
    while seats := table.waiting:
        legal = table.rules.legal(table.state, seats[0])
        table = do(table, Choose(seats[0], legal[rng.below(len(legal))]), table.at + 1000, rng)
    return table


def row_choice(terms: Terms | None = NO_CLOCK) -> tuple[Table, int]:
    """Return a table at which one seat has to take a row, and that seat."""
    for seed in range(50):
        table = seated(terms=terms, seed=seed)
        for seat in table.waiting:
            table = do(table, lowest(table, seat), 1000)
        if len(table.waiting) == 1:
            return table, table.waiting[0]
    raise AssertionError("no deal of fifty leads to the choice of a row")


def with_state(table: Table, state: State) -> Table:
    return msgspec.structs.replace(table, state=state)
