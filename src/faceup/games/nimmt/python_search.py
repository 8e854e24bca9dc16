"""Search in plain Python, for an installation without compiled code.

`PythonSearchTrials` tries the options of a decision as `faceup.games.nimmt.batch.search.BatchSearchTrials` does with
the model `random`: in the same worlds, with the same results. It is a few hundred times slower, and it does not infer
the other seats' policies from the cards they have played.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from faceup.core.generator import FRACTION_BITS, WEYL, mix
from faceup.core.values import Action
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.card_results import KINDS, CardResult, card_results
from faceup.games.nimmt.cards import HEADS, Card, total
from faceup.games.nimmt.objectives import (
    MEASURES,
    MOST_HEADS,
    OBJECTIVES,
    SHARES,
    check_decision,
    resolve_objective,
    unit_of,
)
from faceup.games.nimmt.parameters import CARDS_PER_WORD, WORDS_PER_DEAL
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards

MODELS: Final = ("random",)
"""The models of how all seats play. Without compiled code, the model `fitted` would be too slow."""

_MASK: Final = (1 << 64) - 1
_FRACTION: Final = (1 << FRACTION_BITS) - 1
_SEATS: Final = 16
"""The factor by which a played card is multiplied before its seat is added."""


class PythonSearchTrials:
    """The options of one decision, and their results in the worlds tried so far.

    Args:
        rules: any rules of 6 nimmt!.
        view: view of a seat that must play a card or take a row.
        model: one of `MODELS`.
        objective: one of `OBJECTIVES`.
        seed: 0 to 2**64 - 1; the seed and a world's number determine the world.
        use_beliefs: ignored; this search infers nothing from the cards played.
        explain: whether to count what happens to each own card.

    Raises:
        Malformed: the view's seat has no decision to make, or the name of the model or objective is unknown.

    Attributes:
        options: the legal actions, ascending.
        objective: the measure by which options are compared, one of `MEASURES`.
        worlds: number of worlds in which each option was tried, from the first world of the seed on.
        block: number of worlds to try between two reads of the clock.
    """

    block = 8

    def __init__(
        self,
        rules: Rules,
        view: View,
        *,
        model: str,
        objective: str,
        seed: int,
        use_beliefs: bool = False,
        explain: bool = False,
    ) -> None:
        del use_beliefs
        me = check_decision(view, model=(model, MODELS), objective=(objective, OBJECTIVES))
        self.options: tuple[Action, ...] = view.legal
        self.objective = resolve_objective(rules, view, objective)
        seats = [seat for seat in rules.seats_in(view.out) if seat != me] + [me]
        self._view, self._seed, self._capacity = view, seed, rules.capacity
        self._unseen = unseen_cards(rules, view)
        self._before = [view.heads[seat] for seat in seats]
        self._waiting = [(card, seats.index(seat)) for card, seat in view.waiting]
        self._rows = [row[-1] for row in view.rows], [len(row) for row in view.rows], [total(row) for row in view.rows]
        count = len(self.options)
        self.worlds = [0] * count
        self._risks = [0] * count
        self._sums = {measure: [(0, 0)] * count for measure in MEASURES}
        self._spread = [[0] * MOST_HEADS for _ in self.options]
        self._apart = [[(0, 0)] * count for _ in self.options]
        explained = range(count if explain else 0)
        self._results = [[[[[0, 0] for _ in view.rows] for _ in KINDS] for _ in view.hand] for _ in explained]

    def update_beliefs(self, worlds: int) -> int:
        """Return 0, because this search infers nothing from the cards played."""
        del worlds
        return 0

    def strategy(self) -> None:
        """Return None, because this search always plays the best option."""

    def run(self, options: Sequence[int], worlds: int) -> None:
        """Try some options in the next `worlds` worlds.

        Args:
            options: indices of the options in `self.options`; all must have been tried in equally many worlds before.
            worlds: number of worlds.
        """
        first, size, others = self.worlds[options[0]], len(self._view.hand), len(self._before) - 1
        for world in range(first, first + worlds):
            key = mix((mix((self._seed + WEYL) & _MASK) + world * WEYL) & _MASK)
            dealt = _shuffled(self._unseen, others * size, key, 0)
            own = _shuffled(self._view.hand, size, key, 1)
            turns = [
                sorted([dealt[seat * size + turn] * _SEATS + seat for seat in range(others)]) for turn in range(size)
            ]
            values = [(option, self._count(option, *self._play(option, turns, own))) for option in options]
            for option, value in values:
                row = self._apart[option]
                for other, least in values:
                    gap = value - least
                    sums, squares = row[other]
                    row[other] = sums + gap, squares + gap * gap

    def _play(self, option: int, turns: Sequence[Sequence[int]], own: Sequence[Card]) -> tuple[list[int], bool]:
        """Play a world to the end of the deal.

        Args:
            option: the index of the option to play first.
            turns: the cards that the others play in each turn, ascending, each with its seat.
            own: the own cards in the order in which they are played, unless the option is one of them.

        Returns:
            The heads that each seat takes, the deciding seat last, and whether this seat takes a row this turn.
        """
        tails, counts, costs = (values.copy() for values in self._rows)
        taken, action, me, own_cards = [0] * len(self._before), self.options[option], len(self._before) - 1, [*own]
        if action >= TAKE:
            row = action - TAKE
            card, _ = self._waiting[0]
            taken[me] += costs[row]
            tails[row], counts[row], costs[row] = card, 1, HEADS[card]
            self._place([card * _SEATS + seat for card, seat in self._waiting[1:]], tails, counts, costs, taken)
        else:
            at = own_cards.index(action + 1)
            own_cards[0], own_cards[at] = own_cards[at], own_cards[0]
        risk = action >= TAKE
        for turn, (cards, card) in enumerate(zip(turns, own_cards, strict=True)):
            kind, row, heads = self._place(sorted([*cards, card * _SEATS + me]), tails, counts, costs, taken)
            if self._results:
                result = self._results[option][self._view.hand.index(card)][kind][row]
                result[:] = result[0] + 1, result[1] + heads
            risk = risk or (turn == 0 and taken[me] > 0)
        return taken, risk

    def _place(
        self, cards: Sequence[int], tails: list[int], counts: list[int], costs: list[int], taken: list[int]
    ) -> tuple[int, int, int]:
        """Place the cards, ascending, and add what each seat takes to `taken`.

        A seat that must take a row takes the first of the cheapest rows.

        Returns:
            What the own card did: its place in `KINDS`, the row, and the heads taken.
        """
        capacity, rows, me, own = self._capacity, range(len(tails)), len(taken) - 1, (0, 0, 0)
        for played in cards:
            card, best, greatest = played // _SEATS, -1, 0
            for row in rows:
                if greatest < tails[row] < card:
                    best, greatest = row, tails[row]
            kind = 2 if best < 0 else int(counts[best] == capacity)
            if best < 0:
                best = costs.index(min(costs))
            if played % _SEATS == me:
                own = kind, best, costs[best] if kind else 0
            if not kind:
                tails[best] = card
                counts[best] += 1
                costs[best] += HEADS[card]
                continue
            taken[played % _SEATS] += costs[best]
            tails[best], counts[best], costs[best] = card, 1, HEADS[card]
        return own

    def _count(self, option: int, taken: Sequence[int], risk: bool) -> int:
        """Add up the results of an option in a world, and return its value by the objective; lower is better."""
        *others, own = taken
        ends = [before + heads for before, heads in zip(self._before, taken, strict=True)]
        win = SHARES // ends.count(ends[-1]) if ends[-1] == min(ends) else 0
        values = {"heads": own, "relative": own * len(others) - sum(others), "win": win}
        for measure, value in values.items():
            sums, squares = self._sums[measure][option]
            self._sums[measure][option] = sums + value, squares + value * value
        self.worlds[option] += 1
        self._risks[option] += risk
        self._spread[option][own] += 1
        return -win if self.objective == "win" else values[self.objective]

    def means(self, measure: str) -> tuple[list[float], list[float]]:
        """Return the mean of a measure for each option, and its standard error."""
        scale = unit_of(measure, len(self._before) - 1)
        estimates = [
            _mean(sums / scale, squares / scale**2, worlds)
            for (sums, squares), worlds in zip(self._sums[measure], self.worlds, strict=True)
        ]
        return [mean for mean, _ in estimates], [error for _, error in estimates]

    def behind(self, best: int) -> tuple[list[float], list[float]]:
        """Return how much worse each option is than option `best`, and the standard error of this difference.

        The differences are taken in each world, so that the luck that two options share cancels out.
        """
        scale = unit_of(self.objective, len(self._before) - 1)
        estimates = [
            _mean(row[best][0] / scale, row[best][1] / scale**2, min(worlds, self.worlds[best]))
            for row, worlds in zip(self._apart, self.worlds, strict=True)
        ]
        return [mean for mean, _ in estimates], [error for _, error in estimates]

    def behind_in_models(self, best: int) -> list[tuple[list[float], list[float]]]:
        """Return the same for the only model of the other seats."""
        return [self.behind(best)]

    def risk(self) -> list[float]:
        """Return the share of worlds in which the seat takes a row this turn, for each option."""
        return [risks / worlds for risks, worlds in zip(self._risks, self.worlds, strict=True)]

    def spread(self) -> list[list[int]]:
        """Return the number of worlds for each option and each number of heads to come in this deal."""
        return self._spread

    def results(self, option: int) -> tuple[CardResult, ...]:
        """Return what happened to each own card with this option; empty unless the trials explain their options."""
        if not self._results:
            return ()
        return card_results(self._view.hand, self.options[option], self.worlds[option], self._results[option])


def _shuffled(cards: Sequence[Card], count: int, key: int, deal: int) -> list[Card]:
    """Return the first `count` cards of a Fisher-Yates shuffle by the random words of a world, as the kernels deal."""
    deck, rest = [*cards], 0
    for place in range(count):
        if place % CARDS_PER_WORD == 0:
            number = deal * WORDS_PER_DEAL + place // CARDS_PER_WORD + 1
            rest = mix((key + number * WEYL) & _MASK) >> (64 - FRACTION_BITS)
        product = rest * (len(deck) - place)
        other, rest = place + (product >> FRACTION_BITS), product & _FRACTION
        deck[place], deck[other] = deck[other], deck[place]
    return deck[:count]


def _mean(sums: float, squares: float, count: int) -> tuple[float, float]:
    mean = sums / count
    variance = max(squares / count - mean * mean, 0.0) * count / max(count - 1, 1)
    return mean, sqrt(variance / count)
