"""Ways to get a table into a state, for the tests of the table."""

import msgspec

from faceup.bots import policy
from faceup.core import Generator, State, generator, make
from faceup.core.record import AnyEntry, Terms
from faceup.table import Choose, Command, Join, Table, decide, fold, open_table, to_choose, usual_terms

CLOCK = Terms(clock=30_000, stand_in="lowest")
AT_DEADLINE = Terms(clock=30_000, reveal="at_deadline", stand_in="lowest")
NO_CLOCK = Terms()
NAMES = ("Ada", "Bo", "Cy", "Di")


def entries(table: Table, command: Command, now: int = 0, seed: int = 1) -> tuple[AnyEntry, ...]:
    return decide(table, command, now, generator(seed))


def kinds(table: Table, command: Command, now: int = 0) -> list[str]:
    """The kinds of entries that the command leads to."""
    return [type(entry).__name__ for entry in entries(table, command, now)]


def do(table: Table, command: Command, now: int = 0, rng: Generator | None = None) -> Table:
    return fold(table, decide(table, command, now, rng or generator(1)))


def opened(spec: str = "nimmt seats=3 hand=3", terms: Terms | None = NO_CLOCK) -> Table:
    rules = make(spec)
    terms = terms or usual_terms(rules)
    return open_table(rules, policy(rules.game, terms.stand_in), terms)


def seated(spec: str = "nimmt seats=3 hand=3", terms: Terms | None = NO_CLOCK, seed: int = 1) -> Table:
    """A table at which everybody sits and the cards are dealt."""
    table = opened(spec, terms)
    for name in NAMES[: table.rules.seats]:
        table = do(table, Join(None, name), rng=generator(seed))
    return table


def lowest(table: Table, seat: int) -> Choose:
    """The seat's choice of its lowest legal action."""
    return Choose(seat, table.rules.legal(table.state, seat)[0])


def highest(table: Table, seat: int) -> Choose:
    return Choose(seat, table.rules.legal(table.state, seat)[-1])


def played_out(table: Table, seed: int = 5) -> Table:
    """The table after everybody chose at random until the end, a second apart."""
    rng = generator(seed)
    while seats := to_choose(table):
        legal = table.rules.legal(table.state, seats[0])
        table = do(table, Choose(seats[0], legal[rng.below(len(legal))]), table.at + 1000, rng)
    return table


def asked_for_row(terms: Terms | None = NO_CLOCK) -> tuple[Table, int]:
    """A table at which one seat has to take a row, and that seat."""
    for seed in range(50):
        table = seated(terms=terms, seed=seed)
        for seat in to_choose(table):
            table = do(table, lowest(table, seat), 1000)
        if len(to_choose(table)) == 1:
            return table, to_choose(table)[0]
    raise AssertionError("no deal of fifty asks for a row")


def with_state(table: Table, state: State) -> Table:
    return msgspec.structs.replace(table, state=state)
