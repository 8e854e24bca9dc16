"""The definition of the benchmark `nimmt-v1`, which never changes. A change makes a new benchmark.

The digest covers everything that determines a score: rules, seats, seeds, numbers of blocks, opponents, budgets, and
how the opponents play.
"""

from hashlib import sha256
from typing import Final, TypeVar

import msgspec

from faceup.core import Malformed
from faceup.core.registry import nearest

T = TypeVar("T")

HELD_OUT: Final = 1 << 63
"""The smallest held-out seed.

Environments draw smaller seeds if they get none, and the training programs of this project use smaller ones.
"""


class Cell(msgspec.Struct, frozen=True):
    """One variant at one number of seats.

    Attributes:
        rules: the rules, as `faceup.core.make` reads them.
        variant: name of the variant.
        seats: the number of seats.
        blocks: the number of blocks. In each block, the agent plays the same cards in every seat, against each
            opponent in all other seats.
        seed: the seed of the cards, at least `HELD_OUT`.
    """

    rules: str
    variant: str
    seats: int
    blocks: int
    seed: int

    @property
    def name(self) -> str:
        """Return the name, such as `classic/4`."""
        return f"{self.variant}/{self.seats}"


class Budget(msgspec.Struct, frozen=True):
    """A budget class.

    Attributes:
        name: the name of the class.
        seconds: time limit of a program for each decision.
        search: whether agents may search; without search, they evaluate the position once.
    """

    name: str
    seconds: float
    search: bool


class Benchmark(msgspec.Struct, frozen=True):
    """A benchmark.

    Attributes:
        name: the name.
        cells: the cells.
        opponents: the reference opponents, as names of built-in bots.
        budgets: the budget classes.
        reference: digest of reference matches between the opponents, which changes if one of them plays differently.
    """

    name: str
    cells: tuple[Cell, ...]
    opponents: tuple[str, ...]
    budgets: tuple[Budget, ...]
    reference: str

    @property
    def digest(self) -> str:
        """Return the SHA-256 digest of the definition, in hexadecimal digits."""
        return sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()

    @property
    def tasks(self) -> tuple[tuple[Cell, str], ...]:
        """Return all tasks, each of which is a cell and an opponent."""
        return tuple((cell, opponent) for cell in self.cells for opponent in self.opponents)

    def cell(self, name: str) -> Cell:
        """Return the cell with this name.

        Raises:
            Malformed: there is no such cell. The message suggests the nearest name.
        """
        return self._find(name, {cell.name: cell for cell in self.cells}, "cell", "--cell")

    def budget(self, name: str) -> Budget:
        """Return the budget class with this name.

        Raises:
            Malformed: there is no such class. The message suggests the nearest name.
        """
        return self._find(name, {budget.name: budget for budget in self.budgets}, "budget class", "--budget")

    def _find(self, name: str, parts: dict[str, T], kind: str, option: str) -> T:
        """Return the part with this name. Raises `Malformed`, which names the option."""
        if name not in parts:
            raise Malformed(f"{self.name} has no {kind} {name!r}{nearest(name, [*parts])}", what=name, where=option)
        return parts[name]


def task_name(cell: Cell, opponent: str) -> str:
    """Return the name of a task, such as `classic/4/greedy`."""
    return f"{cell.name}/{opponent}"


def _cell(variant: str, options: str, seats: int, matches: int) -> Cell:
    """Return a cell of `nimmt-v1` with about this number of matches against each opponent."""
    seed = HELD_OUT + int.from_bytes(sha256(f"nimmt-v1 {variant}/{seats}".encode()).digest()[:7])
    return Cell(f"nimmt:{variant} seats={seats}{options}", variant, seats, matches // seats, seed)


NIMMT_V1: Final = Benchmark(
    "nimmt-v1",
    tuple(
        _cell(variant, options, seats, matches)
        for variant, options, matches in (
            ("cowheadking", " deals=1 target=0", 200),
            ("tactical", " deals=1 target=0", 200),
            ("classic", "", 40),
        )
        for seats in (2, 4, 10)
    ),
    ("random", "greedy", "network"),
    (Budget("policy", 0.1, search=False), Budget("100ms", 0.1, search=True), Budget("unlimited", 3600.0, search=True)),
    reference="f8d21fe09106cdd56bb4590bc152c869813f2fd2dc6ac5a8b801ad651bab4b3b",
)
"""The benchmark `nimmt-v1`: two variants of one deal, and complete matches of the classic game."""
