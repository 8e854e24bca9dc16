"""War as `faceup.core.Rules`."""

import msgspec
import pytest

from faceup.core import CHANCE, Malformed, NotLegal, NotYours, Outcome, Seeded, draw, make, read, write
from faceup.games.war import GAME, Collect, Deal, Reshuffle, War, WarState
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
    """The states of a game, and the moves between them."""
    rng, states, moves = Seeded(seed), [rules.start()], []
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


@pytest.mark.parametrize("rules", SETTINGS)
def test_notation_leads_back_to_states_positions_and_views(rules: War) -> None:
    for state in game(rules, 2)[0][:120]:
        assert read(write(rules, state)) == (rules, state)
        assert read(write(rules, rules.position(state))) == (rules, rules.position(state))
        for seat in (None, 0, 1):
            view = rules.view(state, seat)
            assert read(write(rules, view)) == (rules, view)
            assert rules.view(rules.guess(view, Seeded(0)), seat) == view
            assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view


@pytest.mark.parametrize("rules", SETTINGS)
def test_outcomes_are_their_choices_and_their_words(rules: War) -> None:
    for before, move in zip(*game(rules, 4), strict=False):
        if isinstance(move, Outcome):
            assert rules.outcome(before, rules.choices(before, move)) == move
            assert rules.parse(rules.describe(move)) == move


def test_the_deal_is_fisher_and_yates_over_the_deck_rank_by_rank() -> None:
    rules = War(per_suit=2, suits=2)
    start = rules.start()
    assert [rules.chance(start, (0,) * made) for made in range(4)] == [4, 3, 2, 0]
    assert rules.outcome(start, (0, 0, 0)) == Deal(((0, 1), (4, 5)))  # 2C 2D, 3C 3D
    assert rules.outcome(start, (3, 0, 1)) == Deal(((5, 1), (0, 4)))


def test_words_are_read_whatever_their_case_and_spaces() -> None:
    rules = War()
    assert rules.parse(" Flip ") == 0
    assert rules.parse("DEAL 2c/ KD") == Deal(((card("2C"),), (card("KD"),)))
    assert rules.parse("reshuffle 2C / kd") == Reshuffle(((card("2C"),), (card("KD"),)))
    assert rules.parse("collect td 2c") == Collect((card("TD"), card("2C")))
    assert [rules.describe(what) for what in (0, Collect((33, 0)))] == ["flip", "collect TD 2C"]


@pytest.mark.parametrize(
    "words", ["", "flip 2C", "deal 2C", "deal 2C / 3C / 4C", "collect 2C / 3C", "collect 1C", "play 2C"]
)
def test_words_that_mean_nothing_are_malformed(words: str) -> None:
    with pytest.raises(Malformed):
        War().parse(words)


def test_an_action_that_is_none_has_no_words() -> None:
    with pytest.raises(Malformed, match="1 is not an action of War"):
        War().describe(1)


def test_only_flipping_is_legal_and_only_for_both_at_once() -> None:
    rules = War()
    start = rules.start()
    with pytest.raises(NotYours, match="chance comes next"):
        rules.apply(start, FLIP)
    state = rules.apply(start, draw(rules, start, Seeded(1))).state
    with pytest.raises(NotYours, match="seat 1 is missing"):
        rules.apply(state, {0: 0})
    with pytest.raises(NotYours, match="seat 2 cannot decide now"):
        rules.apply(state, {0: 0, 1: 0, 2: 0})
    with pytest.raises(NotLegal, match="legal: flip"):
        rules.apply(state, {0: 0, 1: 1})
    with pytest.raises(NotYours, match="nothing is left to chance now"):
        rules.apply(state, Collect(()))
    assert [rules.legal(state, seat) for seat in (CHANCE, 0, 1, 2)] == [(), (0,), (0,), ()]
    assert rules.legal(start, 0) == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("collect 2C 2D", "chance is to deal now, which Collect is not"),
        ("deal 2C 2D 3C / 3D", "a deal is two halves, not 3 cards and 1"),
        ("deal 2C 2D / 3C 4D", "missing: 3D; foreign: 4D"),
        ("deal 2C 2D / 3C 2D", "twice: 2D; missing: 3D"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(words: str, message: str) -> None:
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
    with pytest.raises(Malformed, match="seat 0's draw pile is 2 different cards; missing: 4C; foreign: 2C"):
        rules.apply(state, Reshuffle((state.cards[1][:1] + state.cards[0][:1], state.cards[1])))


@pytest.mark.parametrize("choices", [(0,) * 50, (0,) * 52, (52, *(0,) * 50), (-1, *(0,) * 50)])
def test_choices_that_make_no_deal_are_refused(choices: tuple[int, ...]) -> None:
    rules = War()
    with pytest.raises(Malformed):
        rules.outcome(rules.start(), choices)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 3}, "seats is 2 in War, not 3"),
        ({"cap": 0}, "cap is 1 to 1000000"),
        ({"reshuffle": -1}, "reshuffle is 0 to"),
        ({"per_suit": 3, "suits": 3}, "a deck of 9 cards cannot be halved"),
        ({"down": 26}, "down is 0 to 25"),
        ({"collect": "mine"}, "collect is winner_first, loser_first or shuffled, not 'mine'"),
        ({"variant": "other"}, "War has no variant 'other'"),
    ],
)
def test_settings_off_range_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        War(**options)  # type: ignore[arg-type]  # settings by name


def test_a_spec_names_it() -> None:
    assert make("war collect=shuffled cap=40") == War(collect="shuffled", cap=40)


GOOD = "due=flip rounds=1 wars=1 redeals=0 by=- table=3C/3D draw=2c4C/2d4d members=-/- log=4C2C"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("due=flip", "due=play", "due is one of"),
        ("by=-", "by=luck", "by is not an ending"),
        ("by=-", "by=cap", "one that goes on by nothing"),
        ("rounds=1", "rounds=0", "1 rounds in the log, but 0 played"),
        ("rounds=1", "rounds=x", "rounds is a whole number"),
        ("rounds=1", "rounds=9999", "over after 5101 rounds"),
        ("redeals=0", "redeals=2", "cannot have been 2 redeals in 1 rounds"),
        ("2c4C", "2c", "there are 5 cards; the deck has 6"),
        ("2c4C", "2c2c", "the deck is 6 different cards; twice: 2C; missing: 4C"),
        ("2c4C", "2c3C", "a card is in two places"),
        ("2c4C", "2c5C", "a card that is not in the deck"),
        ("2c4C", "??4C", r"\?\? stands in views only"),
        ("2c4C", "2c4", "'4' in draw is no card"),
        ("2c4C/2d4d", "2c4C", "draw is for both seats"),
        ("table=3C/3D draw=2c4C/2d4d", "table=3C/- draw=2c4C/3d2d4d", "can have|has played|cannot be due"),
        ("table=3C", "table=(3C)", "can have|has played|cannot be due"),
        ("table=3C/3D draw=2c4C", "table=4C/3D draw=2c3c", "flip cannot be due"),
        ("members=-/-", "members=2D/-", "not all members of seat 0"),
        ("members=-/-", "members=2c/-", "members holds known cards only"),
        ("members=-/-", "members=2C4D/-", "fewer hidden cards than members"),
        ("log=4C2C", "log=4C", "a round in the log is pairs"),
        ("log=4C2C", "log=4CAS", "not in the deck"),
        ("due=flip", "due=deal", "deal cannot be due"),
        ("due=flip", "due=reshuffle", "reshuffle cannot be due"),
        ("due=flip", "view=all due=flip", "a view holds no card that is not known"),
        ("due=flip", "view=2 due=flip", "there is no seat 2"),
    ],
)
def test_a_line_that_is_no_position_says_why(old: str, new: str, message: str) -> None:
    rules = War(per_suit=3, suits=2)
    assert rules.to_text(rules.from_text(GOOD)) == GOOD
    with pytest.raises(Malformed, match=message):
        rules.from_text(GOOD.replace(old, new))


@pytest.mark.parametrize("rules", SETTINGS)
def test_what_all_know_is_drawn_in_plain_text_of_at_most_80_columns(rules: War) -> None:
    for state in game(rules, 1)[0][:80]:
        text = GAME.drawings["text"](rules.view(state, 0), ("Ann", "Bartholomew"), rules=rules)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("rules", SETTINGS)
def test_events_are_public_sentences(rules: War) -> None:
    rng, state = Seeded(9), rules.start()
    while to_act := rules.to_act(state):
        state, events = rules.apply(state, draw(rules, state, rng) if to_act == (CHANCE,) else FLIP)
        for event in events:
            assert event.audience is None
            assert event.words(("Ann", "Bob")).endswith((".", "!"))


def test_the_guide_says_every_option() -> None:
    assert all(f"**{option}**" in GAME.guide for option in GAME.options)
