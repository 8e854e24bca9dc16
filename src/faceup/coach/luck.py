"""Luck and skill: par, the expected heads of a deal, and the decomposition of a seat's heads into parts.

    heads = par + hand + choices + others

*Par* is the mean number of heads if every seat plays like the coach. *Hand* is the effect of the cards that the seat
could see: the expected heads of the best option at the seat's first decision, minus the mean of this number over many
deals. *Choices* is the sum of the costs of the seat's choices. *Others* is the rest, which comes from the cards,
choices and skill of the other seats.

Par is measured on deals in which every seat plays the coach's best option. `TABLE` has the results of `script/par` for
the common settings; for other settings, a few deals are played on demand.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, Final

import msgspec

from faceup.bots.search import Estimate, evaluate
from faceup.coach.decisions import Decision
from faceup.coach.par_table import TABLE
from faceup.coach.search_budget import default_worlds
from faceup.core import CHANCE, AnyRules, Seat, SeededGenerator, draw
from faceup.games.measures import single_deal

HANDS: Final = 48
"""The number of hands played for a setting that is not in the table: 12 deals of four seats."""


class DealPar(msgspec.Struct, frozen=True):
    """The par of a deal.

    Attributes:
        heads: the mean heads of a seat at the end of the deal.
        value: the mean value of the best option at a seat's first decision. It is more than `heads`, because
            the coach assumes that no seat plans ahead.
        deals: the number of deals that were played.
    """

    heads: Estimate
    value: Estimate
    deals: int


def par_for(rules: AnyRules, player: str) -> DealPar:
    """Return the par of one deal of these rules. If it is not in the table, it is measured, which takes some seconds.

    Args:
        rules: rules of a match or a deal.
        player: the search.
    """
    entry = TABLE.get((rules.game, player, setting(rules)))
    if entry is not None:
        heads, value, deals = entry
        return DealPar(Estimate(*heads), Estimate(*value), deals)
    deals = HANDS // rules.seats
    return par_of_deals(list(play_single_deals(rules, player, deals=deals, worlds=default_worlds(player).par, seed=0)))


def setting(rules: AnyRules) -> tuple[int, ...]:
    """Return the options of a single deal that par depends on, as numbers in order.

    >>> from faceup.core import make
    >>> setting(make("nimmt:classic seats=5")) == setting(make("nimmt:cowheadking seats=5"))
    True
    """
    single: Any = single_deal(rules)  # Any: rules are structs, which their protocol does not declare
    fields = {name: getattr(single, name) for name in single.__struct_fields__}
    return tuple(int(amount) for name, amount in fields.items() if name != "forfeits" and isinstance(amount, int))


def play_single_deals(
    rules: AnyRules, player: str, *, deals: int, worlds: int, seed: int
) -> Iterator[tuple[tuple[float, ...], tuple[float, ...]]]:
    """Play single deals in which every seat plays the coach's best option.

    Args:
        rules: rules of a match or a deal.
        player: the search.
        deals: the number of deals.
        worlds: the number of worlds for each option; a seat's first decision has ten times as many.
        seed: the seed of deals and worlds.

    Returns:
        For each deal, the seats' heads at its end, and the heads that each seat expected at its first decision.
    """
    single = single_deal(rules)
    for lane in range(deals):
        rng = SeededGenerator(seed, lane)
        state = single.start()
        first: dict[int, float] = {}
        while to_act := single.to_act(state):
            if to_act == (CHANCE,):
                state = single.apply(state, draw(single, state, rng)).state
                continue
            move = {}
            for seat in to_act:
                view = single.view(state, seat)
                # The value of the first decision is a result; later decisions only need the best option.
                count = worlds if seat in first else 10 * worlds
                judgement = evaluate(
                    single, view, player=player, worlds=count, seed=rng.below(1 << 62), objective="heads",
                    use_beliefs=False,
                )  # fmt: skip
                move[seat] = judgement.options[0].action
                first.setdefault(seat, judgement.options[0].heads.value)
            state = single.apply(state, move).state
        yield tuple(map(float, single.scores(state))), tuple(first[seat] for seat in range(single.seats))


def par_of_deals(played: list[tuple[tuple[float, ...], tuple[float, ...]]]) -> DealPar:
    """Compute par from deals. Its error is computed from the means of deals, as the seats of a deal are dependent."""
    return DealPar(_mean([heads for heads, _ in played]), _mean([value for _, value in played]), len(played))


def _mean(deals: list[tuple[float, ...]]) -> Estimate:
    means = [sum(deal) / len(deal) for deal in deals]
    middle = sum(means) / len(means)
    spread = sum((value - middle) ** 2 for value in means)
    return Estimate(middle, sqrt(spread / max(len(means) - 1, 1) / len(means)))


class Luck(msgspec.Struct, frozen=True):
    """The parts of a seat's heads, rounded to hundredths; more is worse.

    Attributes:
        seat: the seat.
        deal: the deal, from 1; None for the sum over all finished deals.
        par: the mean heads.
        hand: the effect of the cards.
        choices: the cost of the seat's choices.
        others: the rest.
        heads: the seat's heads, exactly the sum of the four rounded parts.
    """

    seat: Seat
    deal: int | None
    par: Estimate
    hand: Estimate
    choices: Estimate
    others: float
    heads: int


def deal_luck(decisions: Sequence[Decision], heads: int, par: DealPar) -> Luck:
    """Decompose the heads of one seat in one deal.

    Args:
        decisions: all decisions of the seat in the deal, in order.
        heads: the seat's heads in the deal.
        par: the par of a deal.
    """
    first = decisions[0].best.heads
    hand = Estimate(first.value - par.value.value, _combine_errors(first.error, par.value.error))
    choices = [decision.cost for decision in decisions]
    choice_luck = Estimate(sum(cost.value for cost in choices), _combine_errors(*(cost.error for cost in choices)))
    return _rounded(decisions[0].seat, decisions[0].deal, (par.heads, hand, choice_luck), heads)


def total_luck(parts: Sequence[Luck]) -> Luck:
    """Add up the parts of several deals of a seat."""
    par, hand, choices = (
        Estimate(
            sum(getattr(part, name).value for part in parts),
            _combine_errors(*(getattr(part, name).error for part in parts)),
        )
        for name in ("par", "hand", "choices")
    )
    # The error of par is the same in every deal, so it adds up linearly.
    par = Estimate(par.value, len(parts) * parts[0].par.error)
    return _rounded(parts[0].seat, None, (par, hand, choices), sum(part.heads for part in parts))


def _rounded(seat: Seat, deal: int | None, parts: tuple[Estimate, Estimate, Estimate], heads: int) -> Luck:
    par, hand, choices = (Estimate(round(part.value, 2), part.error) for part in parts)
    others = round(heads - par.value - hand.value - choices.value, 2)
    return Luck(seat, deal, par, hand, choices, others, heads)


def _combine_errors(*errors: float) -> float:
    return sqrt(sum(error * error for error in errors))
