"""JSON line protocol: works for any game and reveals nothing hidden."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from faceup.arena import protocol
from faceup.arena.match.protocols import VERSION, JsonLines
from faceup.core import CHANCE, AnyRules, Malformed, SeededGenerator, State, draw, make, read

GAMES = ["nimmt:arena deals=1", "nimmt seats=10 hand=3", "niuniu seats=3", "war", "highcard", "highcard:strict"]


class RecordedDecision:
    """A decision during a game: the state, the seat and the request."""

    def __init__(self, rules: AnyRules, state: State, seat: int) -> None:
        self.state, self.seat, self.view = state, seat, rules.view(state, seat)
        [self.line] = JsonLines(rules).format_decision(self.view)
        self.request: dict[str, Any] = json.loads(self.line)


def decisions(rules: AnyRules, seed: int = 7, most: int = 60) -> Iterator[RecordedDecision]:
    """Yield the decisions of a game in which every seat picks an offered answer."""
    rng, state, count = SeededGenerator(seed), rules.start(), 0
    while (to_act := rules.to_act(state)) and count < most:
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        move = {}
        for seat in to_act:
            ask = RecordedDecision(rules, state, seat)
            yield ask
            answer = ask.request["answers"][rng.below(len(ask.request["answers"]))]
            move[seat] = JsonLines(rules).parse_action(ask.view, answer)
            count += 1
        state = rules.apply(state, move).state


@pytest.mark.parametrize("spec", GAMES)
def test_json_protocol_supports_every_game(spec: str) -> None:
    assert isinstance(protocol(make(spec), "json"), JsonLines)


def test_an_unknown_protocol_is_refused_with_the_nearest() -> None:
    with pytest.raises(Malformed, match="did you mean 'json'"):
        protocol(make("war"), "jsn")
    with pytest.raises(Malformed, match="there are: json"):
        protocol(make("war"), "codingame")


@pytest.mark.parametrize("spec", GAMES)
def test_start_line_has_version_seat_and_rules(spec: str) -> None:
    rules = make(spec)
    [line] = JsonLines(rules).format_start(1)
    start = json.loads(line)
    assert list(start) == ["protocol", "seat", "game", "rules", "actions"]
    assert (start["protocol"], start["seat"], start["game"]) == (VERSION, 1, rules.game)
    assert start["rules"]["variant"] == rules.variant
    assert make(f"{start['game']}:{start['rules'].pop('variant')}", **start["rules"]) == rules
    assert start["actions"] == rules.bounds.actions


@pytest.mark.parametrize("spec", GAMES)
def test_game_is_playable_from_offered_answers(spec: str) -> None:
    rules = make(spec)
    made = list(decisions(rules))
    assert len(made) >= 3
    for ask in made:
        assert "\n" not in ask.line
        assert list(ask.request) == ["answers", "view", "position"]
        assert ask.request["view"]["seat"] == ask.seat
        assert ask.request["view"]["legal"] == list(rules.legal(ask.state, ask.seat))
        assert read(ask.request["position"]) == (rules, ask.view)


@pytest.mark.parametrize("spec", GAMES)
def test_answers_come_first_and_list_legal_actions_in_order(spec: str) -> None:
    rules = make(spec)
    for ask in decisions(rules):
        assert ask.line.startswith('{"answers":["')  # so that a program needs no JSON to find them
        inside = ask.line.partition("[")[2].partition("]")[0]
        assert [word.strip('"') for word in inside.split(",")] == ask.request["answers"]
        actions = [JsonLines(rules).parse_action(ask.view, words) for words in ask.request["answers"]]
        assert tuple(actions) == ask.view.legal
        assert [JsonLines(rules).format_action(action) for action in actions] == ask.request["answers"]


@pytest.mark.parametrize("spec", GAMES)
def test_no_line_depends_on_what_is_hidden_from_its_seat(spec: str) -> None:
    rules, rng = make(spec), SeededGenerator(11)
    for ask in decisions(rules, most=20):
        for _ in range(3):
            other = rules.guess(ask.view, rng)
            assert JsonLines(rules).format_decision(rules.view(other, ask.seat)) == [ask.line]


def test_phases_make_no_difference() -> None:
    rules = make("nimmt:arena")
    ask = next(decisions(rules))
    assert JsonLines(rules).format_decision(ask.view, phase_last=True) == [ask.line]


WRONG = ["", "46", "45", "Play 46", "PLAY 46", '"play 46"', "play  46", "play 046", "play 46 have at you", "play"]
WRONG += ["play 105", "take 2", "forfeit", "deal 1 2 3", '{"answer":"play 46"}', "play 46\x00", "x" * 5000]
VIEW = make("nimmt").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")


def test_illegal_action_is_parsed() -> None:
    rules = make("nimmt")
    assert JsonLines(rules).parse_action(VIEW, "play 47") == 46
    assert JsonLines(rules).parse_action(VIEW, "take row 2") == 106


@pytest.mark.parametrize("line", ["play 46", " play 46", "play 46 ", "play 46\t"])
def test_white_space_around_answer_is_ignored(line: str) -> None:
    assert JsonLines(make("nimmt")).parse_action(VIEW, line) == 45


@pytest.mark.parametrize(
    "line",
    WRONG,
)
def test_invalid_answer_is_refused_with_an_example(line: str) -> None:
    with pytest.raises(Malformed, match=r"such as 'play 6'") as caught:
        JsonLines(make("nimmt:arena")).parse_action(VIEW, line)
    assert len(str(caught.value)) < 200
