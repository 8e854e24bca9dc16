"""Whether a record's deals are those that its fair round leads to."""

from collections.abc import Iterable
from typing import NoReturn

import msgspec

from faceup.core import CHANCE, AnyRules, Generator, Malformed, RulesError, Seat, View, draw
from faceup.core.record import Applied, LeftOut, Record, Sealed, check_result
from faceup.table.evolve import evolve
from faceup.table.fair import chance_of
from faceup.table.table import Player, Table, open_table


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What was found. The deals are what server and contributors made together if `faults` is empty.

    Attributes:
        faults: what is not as it would have to be, in words, with the number of the entry.
        commitments: the server's, of each round in its order; the last one is that which counts.
        contributors: the people of whose bytes the deals are made.
        left_out: the people who pledged and did not open in time.
        silent: the other people at the table, who contributed nothing.
        outcomes: how many deals, throws and reshuffles were checked.
        finished: whether the record goes to the end of the match.
    """

    faults: tuple[str, ...]
    commitments: tuple[str, ...]
    contributors: tuple[str, ...]
    left_out: tuple[str, ...]
    silent: tuple[str, ...]
    outcomes: int
    finished: bool


def verify(record: Record) -> Verdict:
    """Go through a record entry by entry, and compute each outcome anew.

    Raises:
        Malformed: the record does not claim that its deals are fair, or its rules are none.
    """
    if not record.terms.fair:
        raise Malformed("this record claims no fair deal: its table did not ask for one", where="terms")
    table = open_table(record.rules(), _nobody, record.terms)
    faults: list[str] = []
    commitments: list[str] = []
    left_out: list[Seat] = []
    outcomes = 0
    for number, entry in enumerate(record.entries):
        if isinstance(entry, Applied) and entry.outcome:
            outcomes += 1
            faults += _outcome_faults(table, number, entry.outcome)
        try:
            table = evolve(table, entry)
        except RulesError as error:
            faults.append(f"entry {number}: {error.message}")
            break  # what follows has no position to stand on
        if isinstance(entry, Sealed):
            commitments.append(entry.commitment)
        if isinstance(entry, LeftOut):
            left_out.append(entry.seat)
    else:
        try:
            check_result(record, table.rules, table.state)
        except Malformed as error:
            faults.append(error.message)
    listed = (table.round and table.round.listed) or ()
    people = [seat for seat, player in enumerate(table.players) if player and player.contributes]
    return Verdict(
        faults=tuple(faults),
        commitments=tuple(commitments),
        contributors=_names(table.players, listed),
        left_out=_names(table.players, left_out),
        silent=_names(table.players, [seat for seat in people if seat not in {*listed, *left_out}]),
        outcomes=outcomes,
        finished=table.status == "finished",
    )


def _outcome_faults(table: Table, number: int, said: str) -> list[str]:
    if table.status != "active" or table.sealing or table.rules.to_act(table.state) != (CHANCE,):
        return []  # whatever it is, `evolve` refuses it
    true = table.rules.describe(draw(table.rules, table.state, chance_of(table)))
    return [] if said == true else [f"entry {number}: it says {said!r}, but the round leads to {true!r}"]


def _names(players: tuple[Player | None, ...], seats: Iterable[Seat]) -> tuple[str, ...]:
    return tuple(player.name for seat in seats if (player := players[seat]) is not None)


def _nobody(rules: AnyRules, view: View, rng: Generator) -> NoReturn:
    """The stand-in of a table that is only looked at."""
    raise NotImplementedError
