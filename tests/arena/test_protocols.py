"""Which protocols there are for which rules, and where programs that speak them are tried."""

import pytest

from faceup.arena import protocol, usual_protocol
from faceup.arena.protocols import corners
from faceup.core import Malformed, make
from faceup.games.nimmt.codingame import LINES, Ask, read_ask
from faceup.games.nimmt.codingame.asks import CHOOSE_CARD, CHOOSE_ROW


@pytest.mark.parametrize("spec", ["nimmt:arena", "nimmt:arena deals=1", "nimmt:classic", "nimmt hand=3 deals=2"])
def test_rules_with_the_arenas_table_are_played_in_its_own_protocol(spec: str) -> None:
    assert usual_protocol(make(spec)) == "codingame"
    assert protocol(make(spec), "codingame").write_start(make(spec), 3) == ["4 3"]


@pytest.mark.parametrize("spec", ["nimmt seats=5", "nimmt rows=3", "nimmt capacity=4", "nimmt:tactical"])
def test_rules_of_which_it_cannot_tell_are_played_in_that_of_any_game(spec: str) -> None:
    assert usual_protocol(make(spec)) == "json"
    with pytest.raises(Malformed, match="is made for nimmt:arena, and cannot tell of"):
        protocol(make(spec), "codingame")


@pytest.mark.parametrize("spec", ["war", "niuniu", "highcard"])
def test_games_without_one_of_their_own_are_played_in_that_of_any_game(spec: str) -> None:
    assert usual_protocol(make(spec)) == "json"
    assert corners(make(spec)) == ()


def asks() -> list[tuple[int, Ask]]:
    """What the program is first asked at each corner, and in which seat."""
    rules = make("nimmt:arena")
    lines = protocol(rules, "codingame")
    states = [(seat, rules.from_text(text)) for _, seat, text in corners(rules)]
    return [(seat, read_ask(lines.write_ask(rules, rules.view(state, seat)))) for seat, state in states]


def test_every_corner_is_a_position_in_which_the_program_has_to_play() -> None:
    rules = make("nimmt:arena")
    for _, seat, text in corners(rules):
        assert seat in rules.to_act(rules.from_text(text))
    assert {seat for seat, _ in asks()} == {0, 1, 2, 3}
    assert {ask.phase for _, ask in asks()} == {CHOOSE_CARD}


def test_corners_have_every_line_at_its_extremes() -> None:
    found = [ask for _, ask in asks()]
    assert {len(ask.hand) for ask in found} >= {1, 3}
    assert any(all(len(row) == 5 for row in ask.rows) for ask in found)
    assert any(-999 in ask.scores for ask in found)
    assert any(max(ask.scores) > 300 for ask in found)


def test_at_some_corners_the_program_cannot_help_but_take_a_row() -> None:
    rules = make("nimmt:arena")
    lines = protocol(rules, "codingame")
    hands = set()
    for _, seat, text in corners(rules):
        state = rules.from_text(text)
        move = {each: rules.legal(state, each)[0] for each in rules.to_act(state)}
        after = rules.apply(state, move).state
        if rules.to_act(after) == (seat,):
            asked = lines.write_ask(rules, rules.view(after, seat))
            assert (asked[0], len(asked)) == (CHOOSE_ROW, LINES)
            hands.add(asked[-1])
    assert "" in hands  # an empty line
    assert len(hands) >= 3
