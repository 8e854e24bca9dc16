"""Each line for Niu Niu and War parses to a playable position or raises an error with a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import CHANCE, AnyRules, Malformed, SeededGenerator, State, draw, make
from faceup.games.niuniu import NiuNiu
from faceup.games.war import War

DICE: AnyRules = NiuNiu(throws=2)
CARDS: AnyRules = War(per_suit=3, suits=2, down=1, cap=5, reshuffle=2)
LINES = {
    "in the air": (DICE, "played=1 won=1,0 drawn=0,0 statistics=3,2 dice=in_air log=5.2.4.6.3/4.5.5.4.1"),
    "over": (DICE, "played=2 won=1,0 drawn=1,1 statistics=6,6 dice=still log=-"),
    "view of dice": (DICE, "view=- played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1"),
    "war": (CARDS, "due=flip rounds=1 wars=1 redeals=0 by=- table=3C/3D draw=2c4C/2d4d members=2C/- log=4C2C"),
    "draw": (CARDS, "due=over rounds=1 wars=2 redeals=0 by=draw table=3C(2c)4C/3D(2d)4D draw=-/- members=-/- log=-"),
    "reshuffle": (CARDS, "due=reshuffle rounds=2 wars=0 redeals=0 by=- table=-/- draw=3c4c3D2D/4d2c members=-/- log=-"),
    "view": (CARDS, "view=1 due=flip rounds=2 wars=0 redeals=0 by=- table=-/- draw=??3D2D/?????? members=-/2C log=-"),
}


@pytest.mark.parametrize("name", LINES)
@given(data=st.data())
def test_a_mutated_position_is_read_or_refused(name: str, data: st.DataObject) -> None:
    rules, line = LINES[name]
    assert rules.to_text(rules.from_text(line)) == line
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(line)))
        length = data.draw(st.integers(0, 3))
        line = line[:at] + data.draw(st.text("0123456789-/,.=?()CDHScdhsTJQKA ", max_size=3)) + line[at + length :]
    try:
        read = rules.from_text(line)
    except Malformed:
        return
    assert rules.from_text(rules.to_text(read)) == read
    if isinstance(read, State):
        played_to_the_end(rules, read)


def played_to_the_end(rules: AnyRules, state: State) -> None:
    rng = SeededGenerator(0)
    for _ in range(300):
        to_act = rules.to_act(state)
        if not to_act:
            return
        state = rules.apply(state, draw(rules, state, rng) if to_act == (CHANCE,) else dict.fromkeys(to_act, 0)).state
        assert rules.from_text(rules.to_text(state)) == state
    pytest.fail("the game does not end")


@pytest.mark.parametrize(
    ("game", "words", "action"),
    [
        ("nimmt", "play 1", 0),
        ("nimmt", "play 104", 103),
        ("nimmt", "take row 0", 104),
        ("nimmt", "take row 3", 107),
        ("niuniu", "throw", 0),
        ("war", "flip", 0),
    ],
)
def test_the_number_of_an_action_never_changes(game: str, words: str, action: int) -> None:
    assert make(game).parse(words) == action
    assert make(game).describe(action) == words


@pytest.mark.parametrize("rules", [DICE, CARDS])
@given(text=st.text(max_size=40))
def test_arbitrary_words_are_parsed_or_refused(rules: AnyRules, text: str) -> None:
    for words in (text, f"dice {text}", f"deal {text}", f"collect {text}"):
        try:
            rules.parse(words)
        except Malformed:
            continue
