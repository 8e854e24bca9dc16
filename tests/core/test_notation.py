"""Text notation: one line for any state or view, read back exactly or refused with a reason."""

import pytest
from highcard import HighCard
from hypothesis import given, settings
from hypothesis import strategies as st

from faceup.core import Malformed, RulesError, Seeded, laws, list_games, make, read, write

GAMES = [game.name for game in list_games()]
LINES = [
    write(rules, what)
    for rules in (*map(make, GAMES), make("nimmt:arena"))
    for lane in range(4)
    for state in [laws.random_play(rules, Seeded(1, lane), steps=3 * lane).state]
    for what in (state, rules.view(state, 0), rules.view(state, None))
]


def test_a_line_names_game_variant_seats_and_position() -> None:
    rules = HighCard(hand=3)
    line = write(rules, rules.start())
    assert line.startswith('highcard:open seats=2 hand=3 | {"type":"state"')
    assert read(f"  {line}\n") == (rules, rules.start())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a position is one line"),
        ("highcard:open seats=2", "a position is one line"),
        ("highcard:open seats=2 | {}\n{}", "a position is one line"),
        ("highcrd | {}", "did you mean 'highcard'"),
        ("highcard:open seats=2 | nonsense", "not a position of High Card"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        read(text)


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A line of notation with some characters struck out, added or replaced."""
    line = draw(st.sampled_from(LINES))
    for _ in range(draw(st.integers(1, 4))):
        at, cut = draw(st.integers(0, len(line))), draw(st.integers(0, 3))
        line = (
            line[:at] + draw(st.one_of(st.text(max_size=3), st.sampled_from(["-1", "99999999999"]))) + line[at + cut :]
        )
    return line


@st.composite
def headed(draw: st.DrawFn) -> str:
    """Anything, said to be a position of a game that there is."""
    return f"{draw(st.sampled_from(GAMES))} | {draw(st.text())}"


@settings(max_examples=300, deadline=None)
@given(st.one_of(spoilt(), st.text(), headed()))
def test_whatever_is_read_is_a_position_or_refused_as_one(text: str) -> None:
    try:
        rules, what = read(text)
    except RulesError:
        return
    assert read(write(rules, what)) == (rules, what)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(GAMES),
    st.one_of(st.text(), st.from_regex(r"(deal|play|take row|prize|row|throw|flip|forfeit) ?[-0-9 /]{0,12}")),
)
def test_whatever_is_parsed_is_an_action_or_outcome_or_refused_as_one(game: str, text: str) -> None:
    rules = make(game)
    try:
        meaning = rules.parse(text)
    except RulesError:
        return
    assert rules.parse(rules.describe(meaning)) == meaning
