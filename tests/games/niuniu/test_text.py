"""Niu Niu in plain text."""

from faceup.core import Seeded, draw
from faceup.games.niuniu import GAME, NiuNiu


def test_the_drawing_is_plain_and_at_most_80_columns_wide() -> None:
    rules = NiuNiu(seats=10, throws=1000, faces=100)
    state = rules.apply(rules.start(), dict.fromkeys(range(10), 0)).state
    assert "The dice are in the air." in GAME.drawings["text"](rules.view(state, 3), rules=rules)
    state = rules.apply(state, draw(rules, state, Seeded(1))).state
    text = GAME.drawings["text"](rules.view(state, None), ("Ann", "Bob"), rules=rules)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "Seat 9" in text


def test_the_guide_says_every_option() -> None:
    assert all(f"**{option}**" in GAME.guide for option in GAME.options)
