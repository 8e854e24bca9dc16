"""Niu Niu as `faceup.core.Rules`."""

import json

import msgspec
import pytest

from faceup.core import CHANCE, Malformed, NotLegal, NotYours, Outcome, Seeded, draw, make, read, write
from faceup.games.niuniu import DiceShow, NiuNiu, NiuNiuState

NAMES = tuple("ABCDEFGHIJ")


def states(rules: NiuNiu, seed: int) -> list[NiuNiuState]:
    rng, found = Seeded(seed), [rules.start()]
    while to_act := rules.to_act(found[-1]):
        move = draw(rules, found[-1], rng) if to_act == (CHANCE,) else dict.fromkeys(to_act, 0)
        found.append(rules.apply(found[-1], move).state)
    return found


SETTINGS = [
    NiuNiu(),
    NiuNiu(seats=1, throws=2),
    NiuNiu(seats=10, throws=3),
    NiuNiu(seats=3, faces=100, baozi=5, throws=4),
]


@pytest.mark.parametrize("rules", SETTINGS)
def test_a_match_is_as_many_decisions_as_throws_and_scores_stay_in_bounds(rules: NiuNiu) -> None:
    played = states(rules, 1)
    assert len(played) == 1 + 2 * rules.throws
    assert rules.bounds.decisions == rules.throws
    low, high = rules.bounds.utility
    for state in played:
        assert all(low <= utility <= high for utility in rules.utilities(state))
        assert sum(rules.scores(state)) <= state.played


@pytest.mark.parametrize("rules", SETTINGS)
def test_notation_words_and_json_lead_back(rules: NiuNiu) -> None:
    for state in states(rules, 2):
        assert read(write(rules, state)) == (rules, state)
        assert read(write(rules, rules.position(state))) == (rules, rules.position(state))
        for seat in (None, *range(rules.seats)):
            view = rules.view(state, seat)
            assert read(write(rules, view)) == (rules, view)
            assert rules.guess(view, Seeded(0)) == state
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@pytest.mark.parametrize("rules", SETTINGS)
def test_outcomes_are_their_choices_and_their_words(rules: NiuNiu) -> None:
    state = states(rules, 3)[1]
    outcome = draw(rules, state, Seeded(4))
    assert isinstance(outcome, DiceShow)
    assert rules.outcome(state, rules.choices(state, outcome)) == outcome
    assert rules.parse(rules.describe(outcome)) == outcome


def test_words_are_read_whatever_their_case_and_spaces() -> None:
    rules = NiuNiu()
    assert rules.parse("  THROW ") == 0
    assert rules.parse("Dice  1 2 3 4 5/1 1 1 1 1") == DiceShow(((1, 2, 3, 4, 5), (1, 1, 1, 1, 1)))
    assert rules.describe(0) == "throw"


@pytest.mark.parametrize(
    "words", ["", "thrown", "throw 5", "dice", "dice 1 2 3 4 5", "dice 1 2 3 4 5 / 1 2 3 4 7", "dice x / y"]
)
def test_words_that_mean_nothing_are_malformed(words: str) -> None:
    with pytest.raises(Malformed):
        NiuNiu().parse(words)


def test_only_throwing_is_legal_and_only_for_all_at_once() -> None:
    rules = NiuNiu()
    start = rules.start()
    with pytest.raises(NotYours, match="seat 1 is missing"):
        rules.apply(start, {0: 0})
    with pytest.raises(NotLegal, match="legal: throw"):
        rules.apply(start, {0: 0, 1: 1})
    with pytest.raises(NotYours, match="no dice are in the air"):
        rules.apply(start, DiceShow(((1,) * 5, (1,) * 5)))
    in_air = rules.apply(start, {0: 0, 1: 0}).state
    with pytest.raises(NotYours, match="chance comes next"):
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
        (DiceShow(((1,) * 5,)), "a throw is 2 hands, one a seat, not 1"),
        (DiceShow(((1,) * 5, (1,) * 4)), "seat 1: a hand is five dice, not 4"),
        (DiceShow(((1,) * 5, (1, 2, 3, 4, 7))), "seat 1: die 4 is 7; a die shows 1 to 6"),
        (Outcome(), "Outcome is not a throw of dice"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(outcome: Outcome, message: str) -> None:
    rules = NiuNiu()
    in_air = rules.apply(rules.start(), {0: 0, 1: 0}).state
    with pytest.raises(Malformed, match=message) as refused:
        rules.apply(in_air, outcome)
    assert refused.value.position == write(rules, in_air)


@pytest.mark.parametrize("choices", [(0,) * 9, (0,) * 11, (6,) * 10, (-1,) * 10])
def test_choices_that_make_no_throw_are_refused(choices: tuple[int, ...]) -> None:
    rules = NiuNiu()
    with pytest.raises(Malformed):
        rules.outcome(rules.start(), choices)


@pytest.mark.parametrize(
    "options",
    [{"seats": 11}, {"seats": 0}, {"throws": 0}, {"throws": 1001}, {"faces": 1}, {"faces": 101}, {"baozi": 2}],
)
def test_settings_off_range_are_refused(options: dict[str, int]) -> None:
    with pytest.raises(Malformed, match=next(iter(options))):
        NiuNiu(**options)  # type: ignore[arg-type]  # numbers by name


def test_a_spec_names_it() -> None:
    assert make("niuniu:battle seats=4 throws=3") == NiuNiu(seats=4, throws=3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("played=2 won=0,0 statistics=0,0 dice=still log=-", "2 throws cannot have been made of 1"),
        ("played=1 won=0,0 statistics=0,0 dice=in_air log=-", "1 throws cannot have been made of 1"),
        ("played=1 won=2,0 statistics=0,0 dice=still log=-", "cannot have given these sums"),
        ("played=1 won=0 statistics=0,0 dice=still log=-", "won is a number for each of 2 seats"),
        ("played=1 won=0,1 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.1", "the log leads to"),
        ("played=1 won=1,0 statistics=3,2 dice=still log=5.2.4.6.3/4.5.5.4.x", "a die is a whole number"),
        ("played=1 won=1,0 statistics=3,2 dice=still", "log is missing"),
        ("played=1 won=1,0 statistics=3,2 dice=still log=- log=-", "log is given twice"),
        ("played=1 won=1,0 statistics=3,2 dice=flying log=-", "dice are still or in_air"),
        ("view=2 played=0 won=0,0 statistics=0,0 dice=still log=-", "there is no seat 2"),
        ("nonsense", "is not a part of this position"),
    ],
)
def test_a_line_that_is_no_position_says_why(line: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        NiuNiu().from_text(line)


def test_events_are_json_and_sentences_for_everybody() -> None:
    rules = NiuNiu(seats=3)
    step = rules.apply(
        rules.apply(rules.start(), dict.fromkeys(range(3), 0)).state,
        DiceShow(((5, 2, 4, 6, 3), (3, 3, 3, 5, 1), (6, 4, 5, 2, 3))),
    )
    assert [event.words(("Ann", "Bob", "Cy")) for event in step.events] == [
        "Ann throws 5 2 4 6 3: Niu Niu (5 + 2 + 3 is 10, 4 + 6 is 10).",
        "Bob throws 3 3 3 5 1: No Niu.",
        "Cy throws 6 4 5 2 3: Niu Niu (5 + 2 + 3 is 10, 6 + 4 is 10).",
        "The throw is a draw: Ann and Cy have Niu Niu.",
        "The match is shared by Ann, Bob and Cy, with 0 throws each.",
    ]
    assert [json.loads(msgspec.json.encode(event))["event"] for event in step.events][-2:] == [
        "throw_drawn",
        "match_won",
    ]
    assert all(event.audience is None for event in step.events)
