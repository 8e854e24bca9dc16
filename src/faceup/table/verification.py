"""Verification of fair deals: a check that a record's outcomes follow from its commit-and-reveal round."""

from collections.abc import Iterable
from typing import NoReturn

import msgspec

from faceup.core import CHANCE, AnyRules, Generator, Malformed, RulesError, Seat, View, draw
from faceup.core.record import Applied, LeftOut, Record, SecretCommitted, check_result
from faceup.table.evolve import evolve
from faceup.table.fair_round import fair_generator
from faceup.table.table import Player, Table, open_table


class Verification(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a verification. The deals are fair if `faults` is empty.

    Attributes:
        faults: descriptions of wrong entries, each with the index of the entry.
        commitments: the server's commitment for each round, in order. The deals were drawn from the last round.
        contributors: the names of the people who contributed.
        left_out: the names of the people who pledged but did not open their pledges in time.
        silent: the names of the people at the table who did not pledge.
        outcomes: the number of deals, throws and reshuffles that were checked.
        finished: whether the record reaches the end of the match.
    """

    faults: tuple[str, ...]
    commitments: tuple[str, ...]
    contributors: tuple[str, ...]
    left_out: tuple[str, ...]
    silent: tuple[str, ...]
    outcomes: int
    finished: bool


def verify(record: Record) -> Verification:
    """Verify a record by computing every outcome of chance again and comparing it with the recorded outcome.

    Raises:
        Malformed: the record's table had no fair deals, or the record's rules are invalid.
    """
    if not record.terms.fair:
        raise Malformed("this record has no fair deals: `terms.fair` is false", where="terms")
    table = open_table(record.rules(), _no_autoplay, record.terms)
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
            break  # later entries cannot be applied
        if isinstance(entry, SecretCommitted):
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
    return Verification(
        faults=tuple(faults),
        commitments=tuple(commitments),
        contributors=_names(table.players, listed),
        left_out=_names(table.players, left_out),
        silent=_names(table.players, [seat for seat in people if seat not in {*listed, *left_out}]),
        outcomes=outcomes,
        finished=table.status == "finished",
    )


def _outcome_faults(table: Table, number: int, recorded: str) -> list[str]:
    if table.status != "active" or table.committing or table.rules.to_act(table.state) != (CHANCE,):
        return []  # `evolve` rejects the entry
    expected = table.rules.describe(draw(table.rules, table.state, fair_generator(table)))
    if recorded == expected:
        return []
    return [f"entry {number}: the outcome must be {expected!r}, as drawn from the round; got {recorded!r}"]


def _names(players: tuple[Player | None, ...], seats: Iterable[Seat]) -> tuple[str, ...]:
    return tuple(player.name for seat in seats if (player := players[seat]) is not None)


def _no_autoplay(rules: AnyRules, view: View, rng: Generator) -> NoReturn:
    """Raise an error, because a replayed table never calls its autoplay policy."""
    raise NotImplementedError
