"""Text notation: one line for any state or view, with an exact round trip or an error with a reason."""

import pytest
from highcard import HighCard
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import Malformed, RulesError, SeededGenerator, laws, list_games, make, read, write

GAMES = [game.name for game in list_games()]
LINES = [
    write(rules, what)
    for rules in (*map(make, GAMES), make("nimmt:arena"))
    for lane in range(4)
    for state in [laws.random_play(rules, SeededGenerator(1, lane), steps=3 * lane).state]
    for what in (state, rules.view(state, 0), rules.view(state, None))
]


def test_a_line_names_game_variant_seats_and_position() -> None:
    rules = HighCard(hand=3)
    line = write(rules, rules.start())
    assert line.startswith('highcard:open seats=2 hand=3 | {"type":"state"')
    assert read(f"  {line}\n") == (rules, rules.start())


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_the_view_of_a_spectator_starts_alike_in_every_game(game: str) -> None:
    rules = make(game)
    text = rules.to_text(rules.view(rules.start(), None))
    assert text.startswith("view=- ")
    assert rules.from_text(text).seat is None
    with pytest.raises(Malformed):
        rules.from_text(text.replace("view=-", "view=all"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position must be one line"),
        ("highcard:open seats=2", "a position must be one line"),
        ("highcard:open seats=2 | {}\n{}", "a position must be one line"),
        ("highcrd | {}", "did you mean 'highcard'"),
        ("highcard:open seats=2 | nonsense", "not a position of High Card"),
    ],
)
def test_invalid_notation_raises_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        read(text)


@st.composite
def mutated_line(draw: st.DrawFn) -> str:
    """Return a line of notation with some characters removed, added or replaced."""
    line = draw(st.sampled_from(LINES))
    for _ in range(draw(st.integers(1, 4))):
        at, cut = draw(st.integers(0, len(line))), draw(st.integers(0, 3))
        line = (
            line[:at] + draw(st.one_of(st.text(max_size=3), st.sampled_from(["-1", "99999999999"]))) + line[at + cut :]
        )
    return line


@st.composite
def arbitrary_position(draw: st.DrawFn) -> str:
    """Return arbitrary text as the position of an existing game."""
    return f"{draw(st.sampled_from(GAMES))} | {draw(st.text())}"


@given(st.one_of(mutated_line(), st.text(), arbitrary_position()))
def test_any_text_reads_as_a_position_or_raises_malformed(text: str) -> None:
    try:
        rules, what = read(text)
    except RulesError:
        return
    assert read(write(rules, what)) == (rules, what)


@given(
    st.sampled_from(GAMES),
    st.one_of(st.text(), st.from_regex(r"(deal|play|take row|prize|row|throw|flip|forfeit) ?[-0-9 /]{0,12}")),
)
def test_any_text_parses_as_an_action_or_outcome_or_raises_malformed(game: str, text: str) -> None:
    rules = make(game)
    try:
        meaning = rules.parse(text)
    except RulesError:
        return
    assert rules.parse(rules.describe(meaning)) == meaning
