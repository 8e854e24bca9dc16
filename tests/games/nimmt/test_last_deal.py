"""What is known to be the last deal of a match is the last one, and the last one is known as soon as it can be."""

import pytest

from faceup.core import CHANCE, Seeded, draw, make
from faceup.games.nimmt import Rules


@pytest.mark.parametrize("spec", ["nimmt", "nimmt:arena", "nimmt:arena target=20", "nimmt:classic", "nimmt:tactical"])
def test_a_deal_that_is_known_to_be_the_last_is_followed_by_none(spec: str) -> None:
    rules, rng = make(spec), Seeded(7)
    assert isinstance(rules, Rules)
    state, known = rules.start(), False
    while to_act := rules.to_act(state):
        assert not (known and to_act == (CHANCE,))
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        known = rules.is_last_deal(rules.view(state, to_act[0]))
        assert known == (
            len(state.earlier) + 1 == rules.deals or bool(rules.target and max(state.heads) >= rules.target)
        )
        legal = {seat: rules.legal(state, seat) for seat in to_act}
        state = rules.apply(state, {seat: actions[rng.below(len(actions))] for seat, actions in legal.items()}).state
    assert known
