"""Golden files are up to date, and independent code counts the same positions of 6 nimmt!."""

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations, product
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from tests.golden.__main__ import HERE, golden
from tests.golden.position_counts import COUNTED

from faceup.core import make

GOLDEN = list(golden())


@pytest.mark.parametrize(("path", "compute"), GOLDEN, ids=[path.name for path, _ in GOLDEN])
def test_the_committed_file_is_what_is_computed(path: Path, compute: Callable[[], str]) -> None:
    committed = path.read_text("utf-8").splitlines()
    assert committed == compute().splitlines(), "read what changed; if it should, rewrite it: python -m tests.golden"


def test_no_file_is_left_over() -> None:
    assert {path for path in HERE.iterdir() if path.suffix in {".txt", ".json"}} <= {path for path, _ in GOLDEN}


Hands: TypeAlias = tuple[frozenset[int], ...]
Rows: TypeAlias = tuple[tuple[int, ...], ...]
Revealed: TypeAlias = tuple[tuple[int, int], ...]
Position: TypeAlias = tuple[Hands, Rows, tuple[int, ...], Revealed, int]


class ByHand(NamedTuple):
    """6 nimmt! counted without faceup: written from the rules of the game alone, slow and plain.

    A position is the hands, the rows, the heads, the revealed cards not yet placed, and how many deals are over.
    """

    seats: int
    hand: int
    cards: int
    rows: int
    capacity: int
    deals: int

    def counts(self) -> list[int]:
        start: Position = ((frozenset[int](),) * self.seats, (), (0,) * self.seats, (), 0)
        level, numbers = {start}, []
        while level:
            numbers.append(len(level))
            level = {after for position in level for after in self.after(*position)}
        return numbers

    def after(
        self, hands: Hands, rows: Rows, heads: tuple[int, ...], pending: Revealed, over: int
    ) -> Iterator[Position]:
        if pending:
            # The lowest card is below all tails: its seat takes any row.
            (card, seat), *rest = pending
            for taken in range(self.rows):
                left = tuple((card,) if at == taken else row for at, row in enumerate(rows))
                paid = tuple(count + (at == seat) * cost(rows[taken]) for at, count in enumerate(heads))
                yield self.placed(hands, left, paid, rest, over)
        elif any(hands):
            for played in product(*hands):
                kept = tuple(hand - {card} for hand, card in zip(hands, played, strict=True))
                yield self.placed(kept, rows, heads, sorted((card, seat) for seat, card in enumerate(played)), over)
        elif over < self.deals:
            for dealt in permutations(range(1, self.cards + 1), self.seats * self.hand + self.rows):
                new = [frozenset(dealt[seat * self.hand : (seat + 1) * self.hand]) for seat in range(self.seats)]
                yield tuple(new), tuple((card,) for card in dealt[self.seats * self.hand :]), heads, (), over

    def placed(
        self, hands: Hands, rows: Rows, heads: tuple[int, ...], revealed: list[tuple[int, int]], over: int
    ) -> Position:
        lines, counts, cards = list(rows), list(heads), list(revealed)
        while cards:
            card, seat = cards[0]
            fits = [(card - line[-1], at) for at, line in enumerate(lines) if line[-1] < card]
            if not fits:
                break
            _, nearest = min(fits)
            if len(lines[nearest]) == self.capacity:
                counts[seat] += cost(lines[nearest])
                lines[nearest] = ()
            lines[nearest] += (card,)
            del cards[0]
        done = not cards and not any(hands)
        return hands, tuple(lines), tuple(counts), tuple(cards), over + done


def cost(cards: Iterable[int]) -> int:
    """Seven heads for 55, five for other double numbers, three for tens, two for fives, else one."""
    return sum(7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in cards)


@pytest.mark.parametrize("words", [words for words in COUNTED if words.startswith("nimmt")])
def test_independent_code_counts_the_same_positions(words: str) -> None:
    rules = make(words)
    by_hand = ByHand(*(getattr(rules, name) for name in ByHand._fields))
    assert by_hand.counts() == json.loads((HERE / "counts.json").read_text("utf-8"))[words]
