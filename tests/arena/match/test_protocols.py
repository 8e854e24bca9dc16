"""Protocols by rules, and edge cases."""

import pytest

from faceup.arena import default_protocol, protocol
from faceup.arena.match.protocols import edge_cases
from faceup.core import Malformed, make
from faceup.games.nimmt.codingame import LINES, DecisionMessage, parse_decision
from faceup.games.nimmt.codingame.messages import CHOOSE_CARD, CHOOSE_ROW


@pytest.mark.parametrize("spec", ["nimmt:arena", "nimmt:arena deals=1", "nimmt:classic", "nimmt hand=3 deals=2"])
def test_supported_rules_use_codingame(spec: str) -> None:
    assert default_protocol(make(spec)) == "codingame"
    assert protocol(make(spec), "codingame").format_start(3) == ["4 3"]


@pytest.mark.parametrize("spec", ["nimmt seats=5", "nimmt rows=3", "nimmt capacity=4", "nimmt:tactical"])
def test_unsupported_rules_use_json(spec: str) -> None:
    assert default_protocol(make(spec)) == "json"
    with pytest.raises(Malformed, match="supports nimmt:arena, not"):
        protocol(make(spec), "codingame")


@pytest.mark.parametrize("spec", ["war", "niuniu", "highcard"])
def test_games_without_own_protocol_use_json(spec: str) -> None:
    assert default_protocol(make(spec)) == "json"
    assert edge_cases(make(spec)) == ()


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("nimmt", 5),
        ("nimmt:classic", 5),
        ("nimmt deals=5", 6),
        ("nimmt:arena deals=1", 7),
        ("nimmt hand=2", 3),
        ("nimmt hand=1", 2),
        ("nimmt seats=5", 0),
    ],
)
def test_edge_cases_can_occur_under_the_rules(spec: str, count: int) -> None:
    rules = make(spec)
    cases = edge_cases(rules)
    assert len(cases) == count
    for _, seat, text in cases:
        assert seat in rules.to_act(rules.from_text(text))  # `from_text` raises an error if the rules forbid it


def first_requests() -> list[tuple[int, DecisionMessage]]:
    """Return the first request in each edge case, with its seat."""
    rules = make("nimmt:arena")
    lines = protocol(rules, "codingame")
    states = [(seat, rules.from_text(text)) for _, seat, text in edge_cases(rules)]
    return [(seat, parse_decision(lines.format_decision(rules.view(state, seat)))) for seat, state in states]


def test_program_is_to_act_in_every_edge_case() -> None:
    rules = make("nimmt:arena")
    for _, seat, text in edge_cases(rules):
        assert seat in rules.to_act(rules.from_text(text))
    assert {seat for seat, _ in first_requests()} == {0, 1, 2, 3}
    assert {ask.phase for _, ask in first_requests()} == {CHOOSE_CARD}


def test_edge_cases_cover_extreme_values_of_every_line() -> None:
    requests = [ask for _, ask in first_requests()]
    assert {len(ask.hand) for ask in requests} >= {1, 3}
    assert any(all(len(row) == 5 for row in ask.rows) for ask in requests)
    assert any(-999 in ask.scores for ask in requests)
    assert any(max(ask.scores) > 300 for ask in requests)


def test_some_edge_cases_force_taking_a_row() -> None:
    rules = make("nimmt:arena")
    lines = protocol(rules, "codingame")
    hands = set()
    for _, seat, text in edge_cases(rules):
        state = rules.from_text(text)
        move = {seat: rules.legal(state, seat)[0] for seat in rules.to_act(state)}
        after = rules.apply(state, move).state
        if rules.to_act(after) == (seat,):
            asked = lines.format_decision(rules.view(after, seat))
            assert (asked[0], len(asked)) == (CHOOSE_ROW, LINES)
            hands.add(asked[-1])
    assert "" in hands  # an empty line
    assert len(hands) >= 3
