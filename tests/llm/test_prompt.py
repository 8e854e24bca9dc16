"""The prompt of language models: versions, what it shows, and how replies are read."""

import json
from typing import Any

import pytest

from faceup.core import CHANCE, AnyRules, Malformed, draw, generator, make, read
from faceup.core import spec as written_spec
from faceup.llm import instructions, parse_reply, prompt_version, question

POSITION = "nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=92,99 rows=77/21/29/74 opening=77,21,29,74"
SPECS = ["nimmt", "nimmt:tactical seats=3", "niuniu", "war"]
VERSIONS = {
    "nimmt:cowheadking": "1-b9d911ce866c",
    "nimmt:classic": "1-d00ec0c64e8d",
    "nimmt:tactical": "1-1ac881bac492",
    "nimmt:onehundredandfour": "1-091d5679c30f",
    "nimmt:arena": "1-37e845c97a33",
    "niuniu": "1-32b6023189cb",
    "war": "1-e2648c486107",
}


def positions(rules: AnyRules, count: int) -> list[Any]:  # Any: states
    """Return the first states of a game in which seats act."""
    rng, state = generator(7), rules.start()
    states: list[Any] = []
    while len(states) < count and (to_act := rules.to_act(state)):
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        states.append(state)
        state = rules.apply(state, {seat: rules.view(state, seat).legal[-1] for seat in to_act}).state
    return states


@pytest.mark.parametrize("spec", VERSIONS)
def test_prompt_of_a_version_stays_the_same(spec: str) -> None:
    # A new digest makes old results incomparable: change the rules' text, the fields' descriptions and the instructions
    # only for a reason, and then write the new version here.
    assert prompt_version(make(spec)) == VERSIONS[spec]


@pytest.mark.parametrize("spec", SPECS)
def test_instructions_hold_rules_parameters_and_every_field(spec: str) -> None:
    rules = make(spec)
    text = instructions(rules)
    assert "ANSWER: " in text
    assert json.loads(next(line for line in text.splitlines() if line.startswith("{"))) is not None
    [state, *_] = positions(rules, 1)
    shown = json.loads(next(line for line in question(rules, rules.view(state, 0)).splitlines() if line[:1] == "{"))
    for field in shown.keys() - {"seat"}:
        assert f"- {field}: " in text, field


@pytest.mark.parametrize("spec", SPECS)
def test_question_follows_from_the_seats_view_alone(spec: str) -> None:
    # The view in text notation has no field for a secret, so what it determines shows none.
    rules = make(spec)
    for state in positions(rules, 6):
        for seat in rules.to_act(state):
            view = rules.view(state, seat)
            same_rules, same_view = read(f"{written_spec(rules)} | {rules.to_text(view)}")
            assert question(same_rules, same_view) == question(rules, view)


def test_hands_of_others_do_not_change_the_question() -> None:
    rules = make("nimmt seats=2 hand=2")
    states = [
        rules.from_text(f"hands=92,99/{other} rows=77/21/29/74 opening=77,21,29,74") for other in ("1,2", "100,104")
    ]
    assert len({question(rules, rules.view(state, 0)) for state in states}) == 1
    assert len({question(rules, rules.view(state, 1)) for state in states}) == 2


@pytest.mark.parametrize(
    "reply",
    [
        "ANSWER: play 92",
        "answer: PLAY  92",
        "First ANSWER: play 99, but no.\n\nANSWER: play 92\n",
        "**ANSWER:** `play 92`.",
        "> Answer : “play 92”",
        "play 92",
        " play 92\n",
    ],
)
def test_reply_is_read(reply: str) -> None:
    rules, view = read(POSITION)
    assert rules.describe(parse_reply(rules, view, reply)) == "play 92"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I would play 92 here.",
        "ANSWER: play 93",
        "ANSWER: 92",
        "ANSWER: play 92 or play 99",
        "ANSWER: play 9\u06602",
    ],
)
def test_reply_without_a_possible_answer_is_refused(reply: str) -> None:
    rules, view = read(POSITION)
    with pytest.raises(Malformed, match="one of play 92, play 99; got"):
        parse_reply(rules, view, reply)
