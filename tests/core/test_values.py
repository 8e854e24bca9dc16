"""Types shared by all games."""

import pytest
from highcard import HighCard, Table

from faceup.core import (
    FORFEIT,
    Event,
    IllegalActionError,
    Malformed,
    RulesError,
    WrongSeatError,
    check_move,
    make,
    places,
    win_shares,
    write,
)

DEALT = Table(hands=((1, 5), (2, 6)), prize=2, turn=0, points=(0, 0), out=(-1, -1))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [((), ()), ((5,), (1,)), ((3, 1, 2), (3, 1, 2)), ((12, 3, 12, 40), (2, 1, 2, 4)), ((7, 7, 7), (1, 1, 1))],
)
def test_equal_keys_share_a_place_and_use_up_the_next(keys: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert places(keys) == expected


@pytest.mark.parametrize(
    ("ranks", "shares"), [((1, 2), (1.0, 0.0)), ((1, 1), (0.5, 0.5)), ((3, 1, 1), (0.0, 0.5, 0.5))]
)
def test_a_win_shared_by_k_counts_one_kth(ranks: tuple[int, ...], shares: tuple[float, ...]) -> None:
    assert win_shares(ranks) == shares
    assert sum(shares) == 1


def test_an_event_is_public_by_default() -> None:
    assert Event().audience is None


def test_states_and_views_are_frozen_and_hashable() -> None:
    view = HighCard().view(DEALT, 0)
    assert len({DEALT, Table(**{name: getattr(DEALT, name) for name in DEALT.__struct_fields__})}) == 1
    for value in (DEALT, view):
        assert isinstance(hash(value), int)
        with pytest.raises(AttributeError):
            value.turn = 3  # type: ignore[misc]  # the assignment must fail


@pytest.mark.parametrize(
    ("error", "kind"),
    [(Malformed, "malformed"), (IllegalActionError, "illegal_action"), (WrongSeatError, "wrong_seat")],
)
def test_an_error_is_a_value_error_with_its_kind_and_position(error: type[RulesError], kind: str) -> None:
    raised = error("no", position="highcard | here")
    assert isinstance(raised, ValueError)
    assert (raised.kind, raised.message, str(raised)) == (kind, "no", "no [in highcard | here]")
    assert str(error("no")) == "no"


def test_an_illegal_action_names_the_legal_ones_and_quotes_the_position() -> None:
    rules = HighCard()
    with pytest.raises(
        IllegalActionError, match="'play 2' is not legal for seat 0 now; legal: play 1, play 5"
    ) as caught:
        check_move(rules, DEALT, {0: 1, 1: 1})
    assert (caught.value.seat, caught.value.action, caught.value.legal) == (0, 1, ("play 1", "play 5"))
    assert caught.value.position == write(rules, DEALT)
    with pytest.raises(IllegalActionError, match="99, which is not an action, is not legal"):
        check_move(rules, DEALT, {0: 0, 1: 99})


def test_a_forfeit_is_legal_only_if_the_rules_have_forfeits() -> None:
    with pytest.raises(IllegalActionError, match="'forfeit' is not legal"):
        check_move(HighCard(), DEALT, {0: 0, 1: FORFEIT})
    check_move(HighCard(forfeits=True), DEALT, {0: 0, 1: FORFEIT})


@pytest.mark.parametrize(
    ("move", "seats", "message"),
    [
        ({0: 0}, (1,), "the decision of seat 1 is missing: seats 0, 1 must decide together"),
        ({}, (0, 1), "the decision of seats 0, 1 is missing"),
        ({0: 0, 1: 1, 2: 0}, (2,), "seat 2 cannot decide now: it is the turn of seats 0, 1"),
    ],
)
def test_a_move_is_by_exactly_the_seats_to_act(move: dict[int, int], seats: tuple[int, ...], message: str) -> None:
    with pytest.raises(WrongSeatError, match=message) as caught:
        check_move(HighCard(), DEALT, move)
    assert (caught.value.seats, caught.value.to_act) == (seats, (0, 1))


def test_no_seat_decides_when_chance_is_due_or_the_game_is_over() -> None:
    rules = HighCard()
    with pytest.raises(WrongSeatError, match="an outcome of chance must be applied next"):
        check_move(rules, rules.start(), {0: 0, 1: 1})
    over = Table(hands=((), ()), prize=0, turn=2, points=(3, 0), out=(-1, -1))
    for move in ({}, {0: 0}):
        with pytest.raises(WrongSeatError, match="the game is over"):
            check_move(rules, over, move)


def test_rules_are_equal_by_value() -> None:
    assert make("highcard") == HighCard()
    assert hash(make("highcard")) == hash(HighCard())
