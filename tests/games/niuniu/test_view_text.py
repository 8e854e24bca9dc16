"""The text drawing of Niu Niu."""

from faceup.core import SeededGenerator, draw
from faceup.games.niuniu import GAME, NiuNiu


def test_the_drawing_is_plain_and_at_most_80_columns_wide() -> None:
    rules = NiuNiu(seats=10, throws=1000, faces=100)
    state = rules.apply(rules.start(), dict.fromkeys(range(10), 0)).state
    assert "The dice are in the air." in GAME.drawings["text"](rules.view(state, 3), rules=rules)
    state = rules.apply(state, draw(rules, state, SeededGenerator(1))).state
    text = GAME.drawings["text"](rules.view(state, None), ("Ann", "Bob"), rules=rules)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "Seat 10" in text


def test_drawn_throws_are_listed_if_there_are_any() -> None:
    rules = NiuNiu(seats=3, throws=2)
    view = rules.from_text("view=- played=1 won=0,0,0 drawn=0,1,1 statistics=1,3,3 dice=still log=-")
    lines = GAME.drawings["text"](view, ("Ann", "Bob", "Cem"), rules=rules).splitlines()
    assert lines[1:3] == ["Throws won: 0 by Ann, 0 by Bob, 0 by Cem", "Throws drawn: 0 by Ann, 1 by Bob, 1 by Cem"]
    assert "drawn" not in GAME.drawings["text"](rules.view(rules.start(), None), rules=rules)


def test_the_guide_covers_every_option() -> None:
    assert all(f"`{option}`" in GAME.guide for option in GAME.options)
