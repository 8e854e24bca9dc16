"""What to expect of a deal before it is dealt: the measure of a seat's luck.

Both numbers come from deals in which every seat chooses what the coach finds best. `TABLE` has them for the usual
settings, as `script/par` measured them; for any other, a few deals are played when they are needed.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Any, Final

import msgspec

from faceup.bots.search import Estimate, judge
from faceup.coach.par_table import TABLE
from faceup.core import CHANCE, AnyRules, Seeded, draw
from faceup.games.measures import of_one_deal

DEALS: Final = 12
"""Deals that are played for a setting that is not in the table."""

WORLDS: Final = {"mc": 400}
FEW: Final = 20
"""Guesses for each option in them, by player, and for any other player, who thinks longer about each."""


class Par(msgspec.Struct, frozen=True):
    """What to expect of a deal.

    Attributes:
        heads: what a seat takes in the end.
        value: the heads that the coach expects at a seat's first decision, if it chooses the best option. More than
            `heads`, since the coach takes it that nobody thinks about what follows.
        deals: how many were played for it.
    """

    heads: Estimate
    value: Estimate
    deals: int


def par_for(rules: AnyRules, player: str) -> Par:
    """The par of one deal of these rules: from the table, else measured, which takes some seconds.

    Args:
        rules: of a match or a deal.
        player: who judges.
    """
    found = TABLE.get((rules.game, player, setting(rules)))
    if found is not None:
        heads, value, deals = found
        return Par(Estimate(*heads), Estimate(*value), deals)
    return measured(list(deals_of(rules, player, deals=DEALS, worlds=WORLDS.get(player, FEW), seed=0)))


def setting(rules: AnyRules) -> tuple[int, ...]:
    """All that par depends on, as numbers: the options of a single deal, in order.

    >>> from faceup.core import make
    >>> setting(make("nimmt:classic seats=5")) == setting(make("nimmt:cowheadking seats=5"))
    True
    """
    single: Any = of_one_deal(rules)  # Any: rules are structs, which their protocol does not say
    fields = {name: getattr(single, name) for name in single.__struct_fields__}
    return tuple(int(each) for name, each in fields.items() if name != "forfeits" and isinstance(each, int))


def deals_of(
    rules: AnyRules, player: str, *, deals: int, worlds: int, seed: int
) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Play single deals in which every seat chooses what the coach finds best.

    Args:
        rules: of a match or a deal.
        player: who judges.
        deals: how many.
        worlds: guesses for each option; ten times as many at a seat's first decision.
        seed: of deals and guesses.

    Returns:
        For each deal: the heads of the seats at its end, and what each expected at its first decision.
    """
    single = of_one_deal(rules)
    for lane in range(deals):
        rng = Seeded(seed, lane)
        state = single.start()
        first: dict[int, float] = {}
        while to_act := single.to_act(state):
            if to_act == (CHANCE,):
                state = single.apply(state, draw(single, state, rng)).state
                continue
            move = {}
            for seat in to_act:
                view = single.view(state, seat)
                # What the first decision is worth counts for itself; of the others, only which option is best.
                many = worlds if seat in first else 10 * worlds
                judgement = judge(
                    single, view, player=player, worlds=many, seed=rng.below(1 << 62), objective="heads",
                    recognise=False,
                )  # fmt: skip
                move[seat] = judgement.options[0].action
                first.setdefault(seat, judgement.options[0].heads.value)
            state = single.apply(state, move).state
        yield tuple(map(float, single.scores(state))), tuple(first[seat] for seat in range(single.seats))


def measured(played: list[tuple[tuple[float, ...], tuple[float, ...]]]) -> Par:
    """The par that so many deals come to. The seats of a deal share its luck, so the deal is what is counted."""
    return Par(_mean([heads for heads, _ in played]), _mean([value for _, value in played]), len(played))


def _mean(deals: list[tuple[float, ...]]) -> Estimate:
    each = [sum(deal) / len(deal) for deal in deals]
    middle = sum(each) / len(each)
    spread = sum((value - middle) ** 2 for value in each)
    return Estimate(middle, sqrt(spread / max(len(each) - 1, 1) / len(each)))
