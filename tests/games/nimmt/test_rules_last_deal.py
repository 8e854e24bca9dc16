"""`is_last_deal` is true exactly if no further deal can follow."""

import pytest

from faceup.core import CHANCE, SeededGenerator, draw, make
from faceup.games.nimmt import Rules


@pytest.mark.parametrize("spec", ["nimmt", "nimmt:arena", "nimmt:arena target=20", "nimmt:classic", "nimmt:tactical"])
def test_no_deal_follows_the_last_deal(spec: str) -> None:
    rules, rng = make(spec), SeededGenerator(7)
    assert isinstance(rules, Rules)
    state, is_last = rules.start(), False
    while to_act := rules.to_act(state):
        assert not (is_last and to_act == (CHANCE,))
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        is_last = rules.is_last_deal(rules.view(state, to_act[0]))
        assert is_last == (
            len(state.earlier) + 1 == rules.deals or bool(rules.target and max(state.heads) >= rules.target)
        )
        legal = {seat: rules.legal(state, seat) for seat in to_act}
        state = rules.apply(state, {seat: actions[rng.below(len(actions))] for seat, actions in legal.items()}).state
    assert is_last
