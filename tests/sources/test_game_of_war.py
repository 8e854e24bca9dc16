"""The rules text "Game-of-War": every rule, and what stands where it is silent, played on decks made for it."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from faceup.core import CHANCE, Malformed
from faceup.core.generator import SeededGenerator
from faceup.core.rules import draw
from faceup.games.war import Collect, Reshuffle, War, WarDeal, WarState
from faceup.games.war.cards import CARD_NAMES, RANKS, SUITS, card, deck
from faceup.games.war.transitions import REDEALS

FLIP = {0: 0, 1: 0}


def pile(words: str) -> tuple[int, ...]:
    return tuple(card(word) for word in words.split())


def dealt(rules: War, seat0: str, seat1: str) -> WarState:
    """The game after a deal in which these cards lie on top, and the rest of the deck follows in order."""
    tops = (pile(seat0), pile(seat1))
    rest = [card_ for card_ in deck(rules.per_suit, rules.suits) if card_ not in tops[0] + tops[1]]
    half = rules.per_suit * rules.suits // 2
    need = half - len(tops[0])
    return rules.apply(rules.start(), WarDeal((tops[0] + tuple(rest[:need]), tops[1] + tuple(rest[need:])))).state


def flips(rules: War, state: WarState, count: int = 1) -> WarState:
    for _ in range(count):
        state = rules.apply(state, FLIP).state
    return state


def ending(rules: War, state: WarState) -> tuple[str, int, tuple[int, ...]]:
    assert rules.to_act(state) == ()
    return state.by, state.rounds, rules.ranks(state)


def under(state: WarState, seat: int, count: int) -> str:
    """The words of the lowest cards of a draw pile, the lowest last."""
    return " ".join(CARD_NAMES[card_] for card_ in state.cards[seat][state.played[seat] :][-count:])


# The deck and the piles


def test_52_cards_13_of_each_of_4_suits_and_no_jokers() -> None:
    assert len(deck()) == len(set(deck())) == 52
    assert [CARD_NAMES[card_] for card_ in deck()] == [rank + suit for rank in RANKS for suit in SUITS]


@pytest.mark.parametrize(("low", "high"), list(zip("23456789TJQK", "3456789TJQKA", strict=True)))
def test_ranks_run_from_two_up_to_ace(low: str, high: str) -> None:
    rules = War()
    assert rules.scores(flips(rules, dealt(rules, f"{low}S", f"{high}C"))) == (25, 27)
    assert rules.scores(flips(rules, dealt(rules, f"{high}C", f"{low}S"))) == (27, 25)


@pytest.mark.parametrize("suits", ["CD", "SC", "HD", "DS"])
def test_suits_never_matter(suits: str) -> None:
    rules = War()
    state = flips(rules, dealt(rules, f"9{suits[0]}", f"9{suits[1]}"))
    assert (rules.to_act(state), state.wars) == ((0, 1), 1)


def test_the_deck_is_shuffled_and_halved_between_two_players() -> None:
    rules = War()
    assert rules.seats == 2
    assert rules.to_act(rules.start()) == (CHANCE,)
    state = rules.apply(rules.start(), draw(rules, rules.start(), SeededGenerator(1))).state
    assert rules.scores(state) == (26, 26)
    assert sorted(state.cards[0] + state.cards[1]) == list(deck())


# A round


def test_a_round_starts_with_a_card_face_up_from_each() -> None:
    rules = War()
    state = flips(rules, dealt(rules, "9C", "9D"))
    view = rules.view(state, None)
    assert view.table == ((card("9C"),), (card("9D"),))


def test_the_higher_card_collects_both() -> None:
    rules = War()
    state = flips(rules, dealt(rules, "9C", "TD"))
    assert rules.scores(state) == (25, 27)
    assert (state.played, state.rounds) == ((0, 0), 1)


def test_equal_cards_declare_war() -> None:
    rules = War()
    step = rules.apply(dealt(rules, "9C", "9D"), FLIP)
    assert [type(event).__name__ for event in step.events] == ["Turned", "WarDeclared"]
    assert (step.state.rounds, step.state.wars) == (0, 1)


# War


def test_each_places_four_cards_the_last_of_them_face_up() -> None:
    rules = War()
    state = flips(rules, dealt(rules, "9C 2C 3C 4C 5C 5S", "9D 2D 3D 4D 5D 6S"), 2)
    view = rules.view(state, None)
    assert view.table == (
        (card("9C"), None, None, None, card("5C")),
        (card("9D"), None, None, None, card("5D")),
    )
    assert view.turned == pile("9C 9D 5C 5D")


def test_the_last_cards_decide_and_the_winner_takes_all_also_those_face_down() -> None:
    rules = War()
    state = flips(rules, dealt(rules, "9C AC AH AS 5C", "9D 2D 3D 4D 6D"), 2)
    assert rules.scores(state) == (21, 31)
    assert under(state, 1, 10) == "9D 2D 3D 4D 6D 9C AC AH AS 5C"


def test_equal_last_cards_are_war_again() -> None:
    rules = War()
    state = flips(rules, dealt(rules, "9C 2C 3C 4C 5C 6C 7C 8C TC", "9D 2D 3D 4D 5D 6D 7D 8D JD"), 3)
    assert (rules.scores(state), state.rounds, state.wars) == ((17, 35), 1, 2)


def test_who_has_fewer_than_four_places_what_there_is_the_last_face_up() -> None:
    rules = War(per_suit=3, suits=2)  # 2C 2D 3C 3D 4C 4D, three each: two left when war comes
    state = dealt(rules, "2C 3C 4C", "2D 4D 3D")
    step = rules.apply(flips(rules, state), FLIP)
    assert step.events[0].words(("Ann", "Bob")) == (
        "Ann adds 1 face down and turns up the 4 of clubs; Bob adds 1 face down and turns up the 3 of diamonds."
    )
    assert ending(rules, step.state) == ("all cards", 1, (1, 2))


def test_who_has_none_left_compares_the_card_already_up() -> None:
    rules = War(per_suit=3, suits=2, reshuffle=0)
    # Ann wins two rounds; then Bob's last card meets its equal, and Ann alone adds.
    state = flips(rules, dealt(rules, "3C 4C 2C", "2D 3D 4D"), 2)
    assert rules.scores(state) == (5, 1)
    state = WarState("flip", (pile("4C 2C 3C 2D 3D"), pile("4D")), rounds=2)
    state = flips(rules, state)
    assert state.wars == 1
    step = rules.apply(state, FLIP)
    assert step.events[0].words(("Ann", "Bob")) == (
        "Ann adds 3 face down and turns up the 3 of diamonds; "
        "Bob has no card left, and the 4 of diamonds is compared again."
    )
    assert rules.scores(step.state) == (0, 6)
    assert ending(rules, step.state) == ("all cards", 3, (2, 1))


def test_war_goes_on_while_one_seat_can_still_add() -> None:
    rules = War(per_suit=2, suits=4, down=0)
    state = WarState("flip", (pile("3C 3D 2C 2D 2H 2S 3S"), pile("3H")))
    state = flips(rules, state, 2)
    assert (state.wars, state.played, state.turned) == (2, (2, 1), pile("3C 3H 3D 3H"))
    assert rules.to_act(state) == (0, 1)


@pytest.mark.parametrize(
    ("collect", "order"),
    [("winner_first", "AD 2D 3D 4D 6D AC 2C 3C 4C 5C"), ("loser_first", "AC 2C 3C 4C 5C AD 2D 3D 4D 6D")],
)
def test_collected_cards_go_under_the_pile_in_the_order_played(collect: str, order: str) -> None:
    rules = War(collect=collect)  # type: ignore[arg-type]  # one of the words it knows
    state = flips(rules, dealt(rules, "AC 2C 3C 4C 5C", "AD 2D 3D 4D 6D"), 2)
    assert under(state, 1, 10) == order


def test_shuffled_collecting_leaves_the_order_to_chance() -> None:
    rules = War(collect="shuffled")
    state = flips(rules, dealt(rules, "2C", "3D"))
    assert (rules.to_act(state), rules.chance(state, ())) == ((CHANCE,), 2)
    assert rules.outcome(state, (0,)) == Collect(pile("3D 2C"))
    assert under(rules.apply(state, rules.outcome(state, (1,))).state, 1, 2) == "2C 3D"


# Reshuffles


def play_on(rules: War, state: WarState, seed: int = 5) -> list[WarState]:
    """The states of a game to its end."""
    rng, states = SeededGenerator(seed), [state]
    while to_act := rules.to_act(states[-1]):
        move = draw(rules, states[-1], rng) if to_act == (CHANCE,) else FLIP
        states.append(rules.apply(states[-1], move).state)
    return states


def test_draw_piles_are_reshuffled_every_100_rounds_each_by_itself() -> None:
    rules = War()
    states = play_on(rules, rules.start(), seed=3)
    due = [(before, after) for before, after in pairwise(states) if before.due == "reshuffle"]
    assert [before.rounds for before, _ in due] == list(range(100, states[-1].rounds, 100)) != []
    for before, after in due:
        assert [sorted(pile_) for pile_ in before.cards] == [sorted(pile_) for pile_ in after.cards]
        assert before.cards != after.cards


def test_seat_0_is_reshuffled_first() -> None:
    rules = War(per_suit=3, suits=2, reshuffle=1)
    state = flips(rules, dealt(rules, "4C 2C 3C", "2D 3D 4D"))
    assert (state.due, [len(cards) for cards in state.cards]) == ("reshuffle", [4, 2])
    choices: list[int] = []
    counts = []
    while n := rules.chance(state, choices):
        counts.append(n)
        choices.append(0)
    assert counts == [4, 3, 2, 2]
    assert rules.outcome(state, (3, 0, 0, 1)) == Reshuffle((pile("2D 3C 4C 2C"), pile("4D 3D")))


@pytest.mark.parametrize("reshuffle", [0, 7])
def test_the_interval_can_be_set_and_switched_off(reshuffle: int) -> None:
    rules = War(reshuffle=reshuffle, cap=50)
    rounds = [state.rounds for state in play_on(rules, dealt(rules, "", "")) if state.due == "reshuffle"]
    assert rounds == ([7, 14, 21, 28, 35, 42, 49][: len(rounds)] if reshuffle else [])
    assert bool(rounds) == bool(reshuffle)


# The end


def test_who_has_all_the_cards_wins() -> None:
    rules = War()
    last = play_on(rules, dealt(rules, "", ""))[-1]
    assert last.by == "all cards"
    assert sorted(rules.scores(last)) == [0, 52]
    assert sorted(rules.utilities(last)) == [0.0, 1.0]


def test_after_the_cap_the_larger_draw_pile_wins() -> None:
    rules = War(cap=1)
    assert ending(rules, flips(rules, dealt(rules, "9C", "8D"))) == ("cap", 1, (1, 2))
    assert ending(rules, flips(rules, dealt(rules, "8C", "9D"))) == ("cap", 1, (2, 1))


def test_the_cap_can_be_won_by_the_seat_that_lost_the_last_round() -> None:
    rules = War(cap=4)
    state = flips(rules, dealt(rules, "9C 9D 9H 2C", "8C 8D 8H 3C"), 4)
    assert ending(rules, state) == ("cap", 4, (1, 2))


def test_the_cap_is_5000_rounds_of_the_standard_game() -> None:
    rules = War()
    tops = dealt(rules, "9C", "8D")
    almost = WarState("flip", tops.cards, rounds=4999)
    assert ending(rules, flips(rules, almost)) == ("cap", 5000, (1, 2))
    earlier = WarState("flip", tops.cards, rounds=4998)
    assert flips(rules, earlier).due == "flip"


def test_equal_piles_at_the_cap_play_sudden_death() -> None:
    rules = War(cap=2)
    state = dealt(rules, "9C 2C 5S", "8C 3C 6S")
    step = rules.apply(flips(rules, state), FLIP)
    assert rules.scores(step.state) == (26, 26)
    assert [type(event).__name__ for event in step.events] == ["Turned", "Collected", "SuddenDeath"]
    assert ending(rules, flips(rules, step.state)) == ("sudden death", 3, (2, 1))


def test_no_reshuffle_comes_between_the_cap_and_sudden_death() -> None:
    rules = War(cap=2, reshuffle=2)
    assert flips(rules, dealt(rules, "9C 2C", "8C 3C"), 2).due == "flip"


def test_without_sudden_death_equal_piles_at_the_cap_are_a_draw() -> None:
    rules = War(cap=2, sudden_death=False)
    state = flips(rules, dealt(rules, "9C 2C", "8C 3C"), 2)
    assert ending(rules, state) == ("draw", 2, (1, 1))
    assert rules.utilities(state) == (0.5, 0.5)


def test_all_cards_come_before_the_cap_and_before_sudden_death() -> None:
    rules = War(per_suit=2, suits=1, cap=1)
    assert ending(rules, flips(rules, dealt(rules, "2C", "3C"))) == ("all cards", 1, (2, 1))
    rules = War(per_suit=3, suits=2, cap=2)
    sudden = WarState("flip", (pile("2C 3C 4C"), pile("2D 4D 3D")), rounds=2)
    assert ending(rules, flips(rules, sudden, 2)) == ("all cards", 3, (1, 2))


# Undecided rounds

EVEN = ("2C 3C", "2D 3D")  # of a deck of four: war, and then both are out with equal cards up


def four(**options: object) -> War:
    return War(per_suit=2, suits=2, **options)  # type: ignore[arg-type]  # options by name


def undecided(rules: War, state: WarState) -> WarState:
    return flips(rules, state, 2)


def again(rules: War, state: WarState, seat0: str, seat1: str) -> WarState:
    return rules.apply(state, WarDeal((pile(seat0), pile(seat1)))).state


def test_both_out_with_equal_cards_up_is_undecided_and_all_is_dealt_anew() -> None:
    rules = four()
    state = undecided(rules, dealt(rules, *EVEN))
    assert (rules.to_act(state), state.rounds, state.wars, state.redeals) == ((CHANCE,), 1, 2, 1)
    state = again(rules, state, "3C 2C", "2D 3D")
    assert (rules.to_act(state), rules.scores(state), state.redeals) == ((0, 1), (2, 2), 1)
    assert flips(rules, state).rounds == 2


def test_after_a_hundred_redeals_the_next_undecided_round_is_a_draw() -> None:
    rules = four()
    state = undecided(rules, dealt(rules, *EVEN))
    for count in range(1, REDEALS + 1):
        assert (state.due, state.redeals) == ("deal", count)
        state = undecided(rules, again(rules, state, *EVEN))
    assert ending(rules, state) == ("draw", 101, (1, 1))
    assert (state.redeals, state.wars) == (100, 202)


def test_without_redealing_an_undecided_round_is_a_draw() -> None:
    rules = four(redeal=False)
    assert ending(rules, undecided(rules, dealt(rules, *EVEN))) == ("draw", 1, (1, 1))


def test_an_undecided_round_at_the_cap_leads_to_sudden_death() -> None:
    rules = four(cap=1)
    state = undecided(rules, dealt(rules, *EVEN))
    assert state.due == "deal"
    state = again(rules, state, "3C 2C", "2D 3D")
    assert ending(rules, flips(rules, state)) == ("sudden death", 2, (1, 2))


def test_an_undecided_sudden_death_round_is_followed_by_another() -> None:
    rules = four(cap=1)
    state = undecided(rules, dealt(rules, *EVEN))
    for rounds in (2, 3, 4):
        state = undecided(rules, again(rules, state, *EVEN))
        assert (state.due, state.rounds, state.redeals) == ("deal", rounds, rounds)
    state = flips(rules, again(rules, state, "2C 3C", "3D 2D"))
    assert ending(rules, state) == ("sudden death", 5, (2, 1))


def test_an_undecided_round_at_the_cap_without_sudden_death_is_a_draw() -> None:
    rules = four(cap=1, sudden_death=False)
    state = undecided(rules, dealt(rules, *EVEN))
    assert (ending(rules, state), state.redeals) == (("draw", 1, (1, 1)), 0)


# What a deck must be


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((0, "3C"), "the deck must be 52 different cards; twice: 3C; missing: 2C"),
        ((51, None), "the deck must be 52 different cards; got 51; missing: AS"),
    ],
)
def test_a_deck_that_is_not_52_different_cards_is_refused(change: tuple[int, str | None], message: str) -> None:
    from faceup.cli.war import Request, answer

    words: Sequence[str | None] = [*CARD_NAMES[: change[0]], change[1], *CARD_NAMES[change[0] + 1 :]]
    with pytest.raises(Malformed) as refused:
        answer(Request([word for word in words if word is not None]))
    assert refused.value.message == message
