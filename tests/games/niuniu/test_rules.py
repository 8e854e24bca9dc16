"""The rules of Niu Niu."""

import json

import msgspec
import pytest

from faceup.core import (
    CHANCE,
    IllegalActionError,
    Malformed,
    Outcome,
    SeededGenerator,
    WrongSeatError,
    draw,
    make,
    read,
    write,
)
from faceup.games.niuniu import DiceShow, NiuNiu, NiuNiuState

NAMES = tuple("ABCDEFGHIJ")


def states(rules: NiuNiu, seed: int) -> list[NiuNiuState]:
    rng, states = SeededGenerator(seed), [rules.start()]
    while to_act := rules.to_act(states[-1]):
        move = draw(rules, states[-1], rng) if to_act == (CHANCE,) else dict.fromkeys(to_act, 0)
        states.append(rules.apply(states[-1], move).state)
    return states


SETTINGS = [
    NiuNiu(),
    NiuNiu(seats=1, throws=2),
    NiuNiu(seats=10, throws=3),
    NiuNiu(seats=3, faces=100, baozi=5, throws=4),
]


@pytest.mark.parametrize("rules", SETTINGS)
def test_a_match_has_one_decision_per_throw_and_bounded_scores(rules: NiuNiu) -> None:
    played = states(rules, 1)
    assert len(played) == 1 + 2 * rules.throws
    assert rules.bounds.decisions == rules.throws
    low, high = rules.bounds.utility
    for state in played:
        assert all(low <= utility <= high for utility in rules.utilities(state))
        assert sum(rules.scores(state)) <= state.played


@pytest.mark.parametrize("rules", SETTINGS)
def test_notation_words_and_json_round_trip(rules: NiuNiu) -> None:
    for state in states(rules, 2):
        assert read(write(rules, state)) == (rules, state)
        assert read(write(rules, rules.position(state))) == (rules, rules.position(state))
        for seat in (None, *range(rules.seats)):
            view = rules.view(state, seat)
            assert read(write(rules, view)) == (rules, view)
            assert rules.guess(view, SeededGenerator(0)) == state
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@pytest.mark.parametrize("rules", SETTINGS)
def test_outcomes_round_trip_through_choices_and_words(rules: NiuNiu) -> None:
    state = states(rules, 3)[1]
    outcome = draw(rules, state, SeededGenerator(4))
    assert isinstance(outcome, DiceShow)
    assert rules.outcome(state, rules.choices(state, outcome)) == outcome
    assert rules.parse(rules.describe(outcome)) == outcome


def test_parsing_ignores_case_and_spaces() -> None:
    rules = NiuNiu()
    assert rules.parse("  THROW ") == 0
    assert rules.parse("Dice  1 2 3 4 5/1 1 1 1 1") == DiceShow(((1, 2, 3, 4, 5), (1, 1, 1, 1, 1)))
    assert rules.describe(0) == "throw"


@pytest.mark.parametrize(
    "words", ["", "thrown", "throw 5", "dice", "dice 1 2 3 4 5", "dice 1 2 3 4 5 / 1 2 3 4 7", "dice x / y"]
)
def test_unknown_words_are_malformed(words: str) -> None:
    with pytest.raises(Malformed):
        NiuNiu().parse(words)


def test_only_throwing_is_legal_for_all_seats_together() -> None:
    rules = NiuNiu()
    start = rules.start()
    with pytest.raises(WrongSeatError, match="seat 1 is missing"):
        rules.apply(start, {0: 0})
    with pytest.raises(IllegalActionError, match="legal: throw"):
        rules.apply(start, {0: 0, 1: 1})
    with pytest.raises(WrongSeatError, match="no dice are in the air"):
        rules.apply(start, DiceShow(((1,) * 5, (1,) * 5)))
    in_air = rules.apply(start, {0: 0, 1: 0}).state
    with pytest.raises(WrongSeatError, match="an outcome of chance must be applied next"):
        rules.apply(in_air, {0: 0, 1: 0})
    assert (rules.legal(start, 0), rules.legal(start, 2), rules.legal(in_air, 0), rules.legal(in_air, CHANCE)) == (
        (0,),
        (),
        (),
        (),
    )


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (DiceShow(((1,) * 5,)), "a throw must have 2 hands, one for each seat; got 1"),
        (DiceShow(((1,) * 5, (1,) * 4)), "seat 1: a hand must have five dice; got 4"),
        (DiceShow(((1,) * 5, (1, 2, 3, 4, 7))), "seat 1: die 5 must be 1 to 6; got 7"),
        (Outcome(), "the outcome must be a throw of dice; got Outcome"),
    ],
)
def test_an_impossible_outcome_is_refused(outcome: Outcome, message: str) -> None:
    rules = NiuNiu()
    in_air = rules.apply(rules.start(), {0: 0, 1: 0}).state
    with pytest.raises(Malformed, match=message) as refused:
        rules.apply(in_air, outcome)
    assert refused.value.position == write(rules, in_air)


@pytest.mark.parametrize("choices", [(0,) * 9, (0,) * 11, (6,) * 10, (-1,) * 10])
def test_invalid_choices_are_refused(choices: tuple[int, ...]) -> None:
    rules = NiuNiu()
    with pytest.raises(Malformed):
        rules.outcome(rules.start(), choices)


@pytest.mark.parametrize(
    "options",
    [{"seats": 11}, {"seats": 0}, {"throws": 0}, {"throws": 1001}, {"faces": 1}, {"faces": 101}, {"baozi": 2}],
)
def test_settings_out_of_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(Malformed, match=next(iter(options))):
        NiuNiu(**options)  # type: ignore[arg-type]  # numbers by name


def test_a_spec_makes_the_rules() -> None:
    assert make("niuniu:battle seats=4 throws=3") == NiuNiu(seats=4, throws=3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("played=2 won=0,0 drawn=2,2 statistics=0,0 dice=still log=-", "played=2 exceeds a match of 1 throw"),
        (
            "played=1 won=0,0 drawn=1,1 statistics=0,0 dice=in_air log=-",
            "played=1 with dice in the air exceeds a match of 1 throw",
        ),
        (
            "played=1 won=2,0 drawn=0,0 statistics=0,0 dice=still log=-",
            "won, drawn or statistics are impossible after 1 throw",
        ),
        (
            "played=1 won=1,0 drawn=0,0 statistics=6,0 dice=still log=-",
            "won, drawn or statistics are impossible after 1 throw",
        ),
        (
            "played=1 won=0,0 drawn=0,0 statistics=0,0 dice=still log=-",
            "won, drawn or statistics are impossible after 1 throw",
        ),
        (
            "played=1 won=0,0 drawn=1,0 statistics=0,0 dice=still log=-",
            "won, drawn or statistics are impossible after 1 throw",
        ),
        (
            "played=1 won=1,0 drawn=1,1 statistics=0,0 dice=still log=-",
            "won, drawn or statistics are impossible after 1 throw",
        ),
        ("played=1 won=1,0 statistics=0,0 dice=still log=-", "drawn is missing"),
        (
            "played=1 won=0 drawn=1,1 statistics=0,0 dice=still log=-",
            "won must have 2 numbers, one for each seat; got 1",
        ),
        ("played=1 won=0,1 drawn=0,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1", "its log, which leads to"),
        (
            "played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.x",
            "a die must be a whole number",
        ),
        ("played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still", "log is missing"),
        ("played=1 won=1,0 drawn=0,0 statistics=3,2 dice=still log=- log=-", "log is given twice"),
        ("played=1 won=1,0 drawn=0,0 statistics=3,2 dice=flying log=-", "dice must be 'still' or 'in_air'"),
        ("view=2 played=0 won=0,0 drawn=0,0 statistics=0,0 dice=still log=-", "there is no seat 2"),
        ("nonsense", "is not a field of a position"),
    ],
)
def test_an_invalid_position_error_gives_the_reason(line: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        NiuNiu().from_text(line)


def test_events_are_json_and_public_sentences() -> None:
    rules = NiuNiu(seats=3)
    step = rules.apply(
        rules.apply(rules.start(), dict.fromkeys(range(3), 0)).state,
        DiceShow(((5, 2, 4, 6, 3), (3, 3, 3, 5, 1), (6, 4, 5, 2, 3))),
    )
    assert [event.words(("Ann", "Bob", "Cy")) for event in step.events] == [
        "Ann throws 5 2 4 6 3: Niu Niu (5 + 2 + 3 is 10, 4 + 6 is 10).",
        "Bob throws 3 3 3 5 1: No Niu.",
        "Cy throws 6 4 5 2 3: Niu Niu (5 + 2 + 3 is 10, 6 + 4 is 10).",
        "The throw is a draw between Ann and Cy, with Niu Niu.",
        "The match is shared by Ann and Cy, with 0 throws won and 1 drawn each.",
    ]
    assert [json.loads(msgspec.json.encode(event))["event"] for event in step.events][-2:] == [
        "throw_drawn",
        "match_won",
    ]
    assert all(event.audience is None for event in step.events)
