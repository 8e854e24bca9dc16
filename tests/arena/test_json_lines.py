"""The protocol of JSON lines: any game can be played through it, and nothing is in it that a seat may not know."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from faceup.arena import protocol
from faceup.arena.json_lines import VERSION, JsonLines
from faceup.core import CHANCE, AnyRules, Malformed, Seeded, State, draw, make, read

GAMES = ["nimmt:arena deals=1", "nimmt seats=10 hand=3", "niuniu seats=3", "war", "highcard", "highcard:strict"]
LINES = JsonLines()


class Asked:
    """A decision in the middle of a game: the state, whose it is, and the line that asks for it."""

    def __init__(self, rules: AnyRules, state: State, seat: int) -> None:
        self.state, self.seat, self.view = state, seat, rules.view(state, seat)
        [self.line] = LINES.write_ask(rules, self.view)
        self.told: dict[str, Any] = json.loads(self.line)


def asked(rules: AnyRules, seed: int = 7, most: int = 60) -> Iterator[Asked]:
    """The decisions of a game in which every seat answers with what a line offers it, as a program would."""
    rng, state, count = Seeded(seed), rules.start(), 0
    while (to_act := rules.to_act(state)) and count < most:
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        move = {}
        for seat in to_act:
            ask = Asked(rules, state, seat)
            yield ask
            answer = ask.told["answers"][rng.below(len(ask.told["answers"]))]
            move[seat] = LINES.read_answer(rules, ask.view, answer)
            count += 1
        state = rules.apply(state, move).state


@pytest.mark.parametrize("spec", GAMES)
def test_every_game_is_found_in_it(spec: str) -> None:
    assert isinstance(protocol(make(spec), "json"), JsonLines)


def test_an_unknown_protocol_is_refused_with_the_nearest() -> None:
    with pytest.raises(Malformed, match="did you mean 'json'"):
        protocol(make("war"), "jsn")
    with pytest.raises(Malformed, match="there are: json"):
        protocol(make("war"), "codingame")


@pytest.mark.parametrize("spec", GAMES)
def test_the_first_line_says_the_version_the_seat_and_the_rules(spec: str) -> None:
    rules = make(spec)
    [line] = LINES.write_start(rules, 1)
    told = json.loads(line)
    assert list(told) == ["protocol", "seat", "game", "rules", "actions"]
    assert (told["protocol"], told["seat"], told["game"]) == (VERSION, 1, rules.game)
    assert told["rules"]["variant"] == rules.variant
    assert make(f"{told['game']}:{told['rules'].pop('variant')}", **told["rules"]) == rules
    assert told["actions"] == rules.bounds.actions


@pytest.mark.parametrize("spec", GAMES)
def test_a_game_is_played_by_what_the_lines_offer(spec: str) -> None:
    rules = make(spec)
    decisions = list(asked(rules))
    assert len(decisions) >= 3
    for ask in decisions:
        assert "\n" not in ask.line
        assert list(ask.told) == ["answers", "view", "position"]
        assert ask.told["view"]["seat"] == ask.seat
        assert ask.told["view"]["legal"] == list(rules.legal(ask.state, ask.seat))
        assert read(ask.told["position"]) == (rules, ask.view)


@pytest.mark.parametrize("spec", GAMES)
def test_answers_stand_first_and_are_the_legal_actions_in_words_and_in_order(spec: str) -> None:
    rules = make(spec)
    for ask in asked(rules):
        assert ask.line.startswith('{"answers":["')  # so that a program needs no JSON to find them
        inside = ask.line.partition("[")[2].partition("]")[0]
        assert [word.strip('"') for word in inside.split(",")] == ask.told["answers"]
        actions = [LINES.read_answer(rules, ask.view, words) for words in ask.told["answers"]]
        assert tuple(actions) == ask.view.legal
        assert [LINES.write_answer(rules, action) for action in actions] == ask.told["answers"]


@pytest.mark.parametrize("spec", GAMES)
def test_no_line_depends_on_what_is_hidden_from_its_seat(spec: str) -> None:
    rules, rng = make(spec), Seeded(11)
    for ask in asked(rules, most=20):
        for _ in range(3):
            other = rules.guess(ask.view, rng)
            assert LINES.write_ask(rules, rules.view(other, ask.seat)) == [ask.line]


def test_phases_make_no_difference() -> None:
    rules = make("nimmt:arena")
    ask = next(asked(rules))
    assert LINES.write_ask(rules, ask.view, phase_last=True) == [ask.line]


WRONG = ["", "46", "45", "Play 46", "PLAY 46", '"play 46"', "play  46", "play 046", "play 46 have at you", "play"]
WRONG += ["play 105", "take 2", "forfeit", "deal 1 2 3", '{"answer":"play 46"}', "play 46\x00", "x" * 5000]
VIEW = make("nimmt").from_text("view=0 sizes=2,2,2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")


def test_an_answer_that_is_one_but_not_now_is_left_to_the_rules_to_refuse() -> None:
    rules = make("nimmt")
    assert LINES.read_answer(rules, VIEW, "play 47") == 46
    assert LINES.read_answer(rules, VIEW, "take row 2") == 106


@pytest.mark.parametrize("line", ["play 46", " play 46", "play 46 ", "play 46\t"])
def test_spaces_around_an_answer_are_none_of_it(line: str) -> None:
    assert LINES.read_answer(make("nimmt"), VIEW, line) == 45


@pytest.mark.parametrize(
    "line",
    WRONG,
)
def test_any_other_line_is_refused_with_one_that_would_be_right(line: str) -> None:
    with pytest.raises(Malformed, match=r"such as 'play 6'") as caught:
        LINES.read_answer(make("nimmt:arena"), VIEW, line)
    assert len(str(caught.value)) < 200
