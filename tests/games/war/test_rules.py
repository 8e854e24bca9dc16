"""The rules of War."""

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
from faceup.games.war import GAME, Collect, Reshuffle, War, WarDeal, WarState
from faceup.games.war.cards import card, deck

FLIP = {0: 0, 1: 0}
SETTINGS = [
    War(),
    War(collect="loser_first", reshuffle=7, cap=60),
    War(collect="shuffled", cap=40),
    War(per_suit=3, suits=2, reshuffle=2, cap=9),
    War(per_suit=2, suits=2, cap=3),
    War(per_suit=1, suits=2, cap=1),
    War(per_suit=5, suits=4, down=0, reshuffle=3, cap=30, sudden_death=False),
]


def game(rules: War, seed: int) -> tuple[list[WarState], list[Outcome | dict[int, int]]]:
    """Yield the states of a game and the moves between them."""
    rng, states, moves = SeededGenerator(seed), [rules.start()], []
    while to_act := rules.to_act(states[-1]):
        moves.append(draw(rules, states[-1], rng) if to_act == (CHANCE,) else FLIP)
        states.append(rules.apply(states[-1], moves[-1]).state)
    return states, moves


@pytest.mark.parametrize("rules", SETTINGS)
def test_cards_are_conserved_and_decisions_and_utilities_stay_in_bounds(rules: War) -> None:
    low, high = rules.bounds.utility
    for seed in range(3):
        states, moves = game(rules, seed)
        for state in states[1:]:
            assert tuple(sorted(state.cards[0] + state.cards[1])) == deck(rules.per_suit, rules.suits)
            assert all(low <= utility <= high for utility in rules.utilities(state))
            assert all(
                sum(1 << card_ for card_ in state.cards[seat]) & state.members[seat] == state.members[seat]
                for seat in (0, 1)
            )
        assert moves.count(FLIP) <= rules.bounds.decisions
        assert (states[-1].by == "draw") == (rules.ranks(states[-1]) == (1, 1))


@pytest.mark.sample(1)
@pytest.mark.parametrize("rules", SETTINGS)
def test_notation_round_trips_states_positions_and_views(rules: War) -> None:
    for state in game(rules, 2)[0][:120]:
        assert read(write(rules, state)) == (rules, state)
        assert read(write(rules, rules.position(state))) == (rules, rules.position(state))
        for seat in (None, 0, 1):
            view = rules.view(state, seat)
            assert read(write(rules, view)) == (rules, view)
            assert rules.view(rules.guess(view, SeededGenerator(0)), seat) == view
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@pytest.mark.parametrize("rules", SETTINGS)
def test_outcomes_round_trip_through_choices_and_words(rules: War) -> None:
    for before, move in zip(*game(rules, 4), strict=False):
        if isinstance(move, Outcome):
            assert rules.outcome(before, rules.choices(before, move)) == move
            assert rules.parse(rules.describe(move)) == move


def test_the_deal_is_fisher_and_yates_over_the_deck_rank_by_rank() -> None:
    rules = War(per_suit=2, suits=2)
    start = rules.start()
    assert [rules.chance(start, (0,) * made) for made in range(4)] == [4, 3, 2, 0]
    assert rules.outcome(start, (0, 0, 0)) == WarDeal(((0, 1), (4, 5)))  # 2C 2D, 3C 3D
    assert rules.outcome(start, (3, 0, 1)) == WarDeal(((5, 1), (0, 4)))


def test_parsing_ignores_case_and_spaces() -> None:
    rules = War()
    assert rules.parse(" Flip ") == 0
    assert rules.parse("DEAL 2c/ KD") == WarDeal(((card("2C"),), (card("KD"),)))
    assert rules.parse("reshuffle 2C / kd") == Reshuffle(((card("2C"),), (card("KD"),)))
    assert rules.parse("collect td 2c") == Collect((card("TD"), card("2C")))
    assert [rules.describe(what) for what in (0, Collect((33, 0)))] == ["flip", "collect TD 2C"]


@pytest.mark.parametrize(
    "words", ["", "flip 2C", "deal 2C", "deal 2C / 3C / 4C", "collect 2C / 3C", "collect 1C", "play 2C"]
)
def test_unknown_words_are_malformed(words: str) -> None:
    with pytest.raises(Malformed):
        War().parse(words)


def test_an_unknown_action_cannot_be_described() -> None:
    with pytest.raises(Malformed, match="1 is not an action of War"):
        War().describe(1)


def test_only_flipping_is_legal_for_both_seats_together() -> None:
    rules = War()
    start = rules.start()
    with pytest.raises(WrongSeatError, match="an outcome of chance must be applied next"):
        rules.apply(start, FLIP)
    state = rules.apply(start, draw(rules, start, SeededGenerator(1))).state
    with pytest.raises(WrongSeatError, match="seat 1 is missing"):
        rules.apply(state, {0: 0})
    with pytest.raises(WrongSeatError, match="seat 2 cannot decide now"):
        rules.apply(state, {0: 0, 1: 0, 2: 0})
    with pytest.raises(IllegalActionError, match="legal: flip"):
        rules.apply(state, {0: 0, 1: 1})
    with pytest.raises(WrongSeatError, match="no outcome of chance is due now"):
        rules.apply(state, Collect(()))
    assert [rules.legal(state, seat) for seat in (CHANCE, 0, 1, 2)] == [(), (0,), (0,), ()]
    assert rules.legal(start, 0) == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("collect 2C 2D", "the next outcome must be a deal; got Collect"),
        ("deal 2C 2D 3C / 3D", "a deal must have two equal halves; got 3 cards and 1"),
        ("deal 2C 2D / 3C 4D", "missing: 3D; unexpected: 4D"),
        ("deal 2C 2D / 3C 2D", "twice: 2D; missing: 3D"),
    ],
)
def test_an_impossible_outcome_is_refused(words: str, message: str) -> None:
    rules = War(per_suit=2, suits=2)
    outcome = rules.parse(words)
    with pytest.raises(Malformed, match=message) as refused:
        rules.apply(rules.start(), outcome)  # type: ignore[arg-type]  # an outcome, by its words
    assert refused.value.position == write(rules, rules.start())


def test_a_reshuffle_keeps_each_pile_to_its_seat() -> None:
    rules = War(per_suit=3, suits=2, reshuffle=1)
    state = rules.from_text(
        "due=reshuffle rounds=1 wars=0 redeals=0 by=- table=-/- draw=3c4c/2c2d3d4d members=-/- log=-"
    )
    assert isinstance(state, WarState)
    with pytest.raises(Malformed, match="seat 0's draw pile must be 2 different cards; missing: 4C; unexpected: 2C"):
        rules.apply(state, Reshuffle((state.cards[1][:1] + state.cards[0][:1], state.cards[1])))


@pytest.mark.parametrize("choices", [(0,) * 50, (0,) * 52, (52, *(0,) * 50), (-1, *(0,) * 50)])
def test_invalid_choices_are_refused(choices: tuple[int, ...]) -> None:
    rules = War()
    with pytest.raises(Malformed):
        rules.outcome(rules.start(), choices)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 3}, "seats must be 2; got 3"),
        ({"cap": 0}, "cap must be 1 to 1,000,000"),
        ({"reshuffle": -1}, "reshuffle must be 0 to"),
        ({"per_suit": 3, "suits": 3}, "a deck of 9 cards cannot be halved"),
        ({"down": 26}, "down must be 0 to 25"),
        ({"collect": "mine"}, "collect must be winner_first, loser_first or shuffled; got 'mine'"),
        ({"variant": "other"}, "War has no variant 'other'"),
    ],
)
def test_settings_out_of_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        War(**options)  # type: ignore[arg-type]  # settings by name


def test_a_spec_makes_the_rules() -> None:
    assert make("war collect=shuffled cap=40") == War(collect="shuffled", cap=40)


GOOD = "due=flip rounds=1 wars=1 redeals=0 by=- table=3C/3D draw=2c4C/2d4d members=-/- log=4C2C"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("due=flip", "due=play", "due must be one of"),
        ("by=-", "by=luck", "by must be - or an ending"),
        ("by=-", "by=cap", "`by` must be given if and only if the game is over"),
        ("rounds=1", "rounds=0", "the log must not have more than the 0 rounds played; got 1"),
        ("rounds=1", "rounds=x", "rounds must be a whole number"),
        ("rounds=1", "rounds=9999", "a game must be over by round 5,101; got round 9,999"),
        ("redeals=0", "redeals=2", "2 redeals in 1 round are impossible"),
        ("2c4C", "2c", "the position must have the 6 cards of the deck, or none before the deal; got 5"),
        ("2c4C", "2c2c", "the deck must be 6 different cards; twice: 2C; missing: 4C"),
        ("2c4C", "2c3C", "a card is in two places"),
        ("2c4C", "2c5C", "a card is not in the deck"),
        ("2c4C", "??4C", r"\?\? is allowed only in views"),
        ("2c4C", "2c4", "'4' in draw is not a card"),
        ("2c4C/2d4d", "2c4C", "draw must have two parts, one for each seat"),
        ("table=3C/3D draw=2c4C/2d4d", "table=3C/- draw=2c4C/3d2d4d", "must have|cannot be due"),
        ("table=3C", "table=(3C)", "must have|cannot be due"),
        ("table=3C/3D draw=2c4C", "table=4C/3D draw=2c3c", "flip cannot be due"),
        ("members=-/-", "members=2D/-", "the members of seat 0 must be among the cards on its side"),
        ("members=-/-", "members=2c/-", "members must have known cards only"),
        ("members=-/-", "members=2C4D/-", "fewer hidden cards than members"),
        ("log=4C2C", "log=4C", "a round in the log must be pairs"),
        ("log=4C2C", "log=4CAS", "not in the deck"),
        ("due=flip", "due=deal", "deal cannot be due"),
        ("due=flip", "due=reshuffle", "reshuffle cannot be due"),
        ("due=flip", "view=- due=flip", "a view must not name cards that are not public"),
        ("due=flip", "view=2 due=flip", "there is no seat 2"),
    ],
)
def test_an_invalid_position_error_gives_the_reason(old: str, new: str, message: str) -> None:
    rules = War(per_suit=3, suits=2)
    assert rules.to_text(rules.from_text(GOOD)) == GOOD
    with pytest.raises(Malformed, match=message):
        rules.from_text(GOOD.replace(old, new))


@pytest.mark.parametrize("rules", SETTINGS)
def test_text_drawings_are_at_most_80_columns_wide(rules: War) -> None:
    for state in game(rules, 1)[0][:80]:
        text = GAME.drawings["text"](rules.view(state, 0), ("Ann", "Bartholomew"), rules=rules)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("rules", SETTINGS)
def test_events_are_public_sentences(rules: War) -> None:
    rng, state = SeededGenerator(9), rules.start()
    while to_act := rules.to_act(state):
        state, events = rules.apply(state, draw(rules, state, rng) if to_act == (CHANCE,) else FLIP)
        for event in events:
            assert event.audience is None
            assert event.words(("Ann", "Bob")).endswith((".", "!"))


def test_the_guide_covers_every_option() -> None:
    assert all(f"`{option}`" in GAME.guide for option in GAME.options)
