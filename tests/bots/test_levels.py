"""Levels that make mistakes count the heads of rows, and do not take a dear row with a safe card in hand."""

from collections.abc import Iterator

import pytest

from faceup.bots import levels, policy
from faceup.core import CHANCE, AnyRules, SeededGenerator, draw, make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import total
from faceup.games.nimmt.placing import PlacingTable, cheapest_row, row_for
from faceup.games.nimmt.plausible import plausible_actions
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards

SPECS = ("nimmt:cowheadking", "nimmt:tactical", "nimmt:cowheadking seats=2", "nimmt:cowheadking seats=7")
ERRING = [name for name, level in levels("nimmt").items() if level.plays.softness]
WITHOUT_FAST = [name for name in ERRING if levels("nimmt")[name].plays.player == "mc"]


def decisions(count: int, *, rows: bool) -> Iterator[tuple[Rules, View]]:
    """Yield random decisions: choices of rows, or of cards."""
    made = 0
    for game in range(10_000):
        rules: AnyRules = make(SPECS[game % len(SPECS)])
        assert isinstance(rules, Rules)
        rng, state = SeededGenerator(4, game), rules.start()
        while (to_act := rules.to_act(state)) and not state.earlier:
            if to_act == (CHANCE,):
                state = rules.apply(state, draw(rules, state, rng)).state
                continue
            seat = to_act[rng.below(len(to_act))]
            view = rules.view(state, seat)
            if len(view.legal) > 1 and bool(view.waiting) == rows and (rows or rng.below(4) == 0):
                yield rules, view
                made += 1
                if made == count:
                    return
            moves = {seat: policy("nimmt", "random")(rules, rules.view(state, seat), rng) for seat in to_act}
            state = rules.apply(state, moves).state


def heads_this_turn(rules: Rules, view: View, card: int, rng: SeededGenerator, worlds: int = 60) -> list[int]:
    """Return the heads that a card takes this turn if each other seat plays any unseen card, in some worlds."""
    me = view.seat or 0
    heads = []
    for _ in range(worlds):
        unseen = unseen_cards(rules, view)
        cards = [(unseen.pop(rng.below(len(unseen))), seat) for seat in range(rules.seats) if seat != me]
        waiting = sorted([*cards, (card, me)])
        table = PlacingTable(view.rows, rules.capacity, view.taken, view.heads, [])
        while waiting:
            waiting = waiting[table.place(waiting) :]
            if waiting:
                (lowest, seat), *waiting = waiting
                table.take(seat, lowest, cheapest_row(table.rows), chosen=True)
        heads.append(table.heads[me] - view.heads[me])
    return heads


def is_full(rules: Rules, view: View, card: int) -> bool:
    """Return whether the card's row is full."""
    row = row_for(view.rows, card)
    return row >= 0 and len(view.rows[row]) == rules.capacity


def check_rows(name: str, count: int) -> None:
    for number, (rules, view) in enumerate(decisions(count, rows=True)):
        action = policy("nimmt", name)(rules, view, SeededGenerator(6, number))
        assert total(view.rows[action - TAKE]) <= total(view.rows[cheapest_row(view.rows)]) + 1


def check_cards(name: str, count: int) -> None:
    for number, (rules, view) in enumerate(decisions(count, rows=False)):
        rng = SeededGenerator(8, number)
        heads = {action: heads_this_turn(rules, view, action + 1, rng) for action in view.legal}
        is_safe = any(not any(taken) and not is_full(rules, view, action + 1) for action, taken in heads.items())
        action = policy("nimmt", name)(rules, view, SeededGenerator(6, number))
        certain = sum(map(bool, heads[action])) >= 57 and sum(heads[action]) >= 180
        assert not is_safe or not (certain or is_full(rules, view, action + 1)), (view, action)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ERRING)
def test_a_level_takes_the_cheapest_row_or_one_within_a_head(name: str) -> None:
    check_rows(name, 200)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ERRING)
def test_a_level_takes_no_dear_row_for_certain_with_a_safe_card(name: str) -> None:
    check_cards(name, 120)


@pytest.mark.sample(1)
@pytest.mark.usefixtures("without_fast")
@pytest.mark.parametrize("name", WITHOUT_FAST)
def test_levels_count_heads_without_compiled_code(name: str) -> None:
    check_rows(name, 20)
    check_cards(name, 20)


def test_a_card_is_left_out_only_if_it_is_dear_and_another_is_safe() -> None:
    rules = make("nimmt")
    assert isinstance(rules, Rules)

    def plausible(hand: str, rows: str, risk: float = 0.5) -> list[int]:
        size = len(hand.split(","))
        view = rules.from_text(f"view=0 sizes={size},{size},{size},{size} hand={hand} rows={rows}")
        assert isinstance(view, View)
        return [action + 1 for action in plausible_actions(rules, view, dict.fromkeys(view.legal, risk))]

    full = "10,11,12,13,14/30/50/70"
    assert plausible("20,31", full) == [31]  # no card can come between 30 and 31
    assert plausible("20,45", full) == [20, 45]  # 45 is not safe
    assert plausible("20,45", full, 0.1) == [45]
    assert plausible("20,45", "30/50/70/90", 0.9) == [20, 45]  # there is no safe card
