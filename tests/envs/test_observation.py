import numpy as np
import pytest
from tests.envs.helpers import EVERY, SHORT, walk

from faceup.core import Malformed, SeededGenerator, find_game, make
from faceup.core.observation import ObservationSpec, observation_spec
from faceup.envs import observe
from faceup.envs.observation import encoding_names, layout, observer

ENCODED = [(spec, encoding) for spec in EVERY + SHORT for encoding in encoding_names(make(spec))]


@pytest.mark.sample(9)
@pytest.mark.parametrize(("spec", "encoding"), ENCODED)
def test_every_observation_of_every_seat_is_within_its_space(spec: str, encoding: str) -> None:
    rules = make(spec)
    watching = observer(rules, encoding)
    most = np.concatenate([np.full(part.at.stop - part.at.start, part.piece.high) for part in watching.parts])
    for state in walk(rules, seed=1):
        views = [rules.view(state, seat) for seat in range(rules.seats)]
        seen = watching.seats(state, views)
        assert seen.dtype == watching.dtype
        assert (seen <= (most if seen.dtype == np.uint8 else 1)).all()
        assert watching.state_space.contains(watching.state(state))
        for seat in range(rules.seats):
            assert watching.space.contains(seen[seat])
            assert np.array_equal(watching.seat(state, seat), seen[seat])
            assert np.array_equal(observe(rules, views[seat], encoding), seen[seat])


@pytest.mark.parametrize(("spec", "encoding"), ENCODED)
def test_nothing_hidden_from_a_seat_reaches_its_observation(spec: str, encoding: str) -> None:
    rules, rng = make(spec), SeededGenerator(2)
    watching = observer(rules, encoding)
    for state in walk(rules, seed=3, most=25):
        for seat in range(rules.seats):
            guessed = rules.guess(rules.view(state, seat), rng)
            assert np.array_equal(watching.seat(guessed, seat), watching.seat(state, seat))


def test_state_vector_contains_hidden_information() -> None:
    rules = make("nimmt")
    state = walk(rules, seed=4, most=4)[-1]
    guessed = rules.guess(rules.view(state, 0), SeededGenerator(5))
    assert not np.array_equal(observer(rules).state(guessed), observer(rules).state(state))


def test_pieces_of_6_nimmt_hold_the_numbers_of_the_position() -> None:
    rules = make("nimmt:cowheadking seats=3 hand=4")
    states = walk(rules, seed=7)
    state = next(state for state in states if state.waiting)  # type: ignore[attr-defined]  # a state of 6 nimmt!
    seat = 1
    view = rules.view(state, seat)
    vector = observer(rules).seat(state, seat)
    piece = {part.piece.name: (vector[part.at] * part.piece.high).round().astype(int) for part in observer(rules).parts}
    turned = [1, 2, 0]
    assert [card + 1 for card in piece["hand"].nonzero()[0]] == [*view.hand]
    assert {card + 1 for card in piece["seen"].nonzero()[0]} == {
        *(card for row in view.rows for card in row),
        *(card for cards in view.taken for card in cards),
        *(card for card, _ in view.waiting),
    }
    shown = [tuple(card for card in row if card) for row in piece["rows"].reshape(4, 5).tolist()]
    assert shown == [*view.rows]
    assert piece["choosing"].tolist() == [int(other in view.to_act) for other in turned]
    assert piece["heads"].tolist() == [view.heads[other] for other in turned]
    plays = piece["plays"].reshape(4, 3)
    assert [tuple(plays[turn].tolist()) for turn in range(len(view.log))] == [
        tuple(turn.plays[other] for other in turned) for turn in view.log
    ]
    assert piece["chosen_rows"].tolist()[: len(view.log)] == [turn.row + 1 for turn in view.log]
    waits = {other: card for card, other in view.waiting}
    assert piece["revealed"].tolist() == [waits.get(other, 0) for other in turned]
    assert piece["opening"].tolist() == [*view.opening]


def test_pieces_of_war_distinguish_known_and_unknown_cards() -> None:
    rules = make("war per_suit=3 reshuffle=0")
    for state in walk(rules, seed=1):
        view = rules.view(state, 1)
        vector = observer(rules).seat(state, 1)
        for part in observer(rules).parts:
            numbers = (vector[part.at] * part.piece.high).round().astype(int).reshape(part.piece.shape)
            if part.piece.name == "draw":
                for side, pile in zip(numbers, (view.draw[1], view.draw[0]), strict=True):
                    expected = [part.piece.high if card is None else card + 1 for card in pile]
                    assert side.tolist() == expected + [0] * (12 - len(expected))


def test_a_game_without_observations_raises() -> None:
    with pytest.raises(Malformed, match="High Card has no observations"):
        observer(make("highcard"))


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_documented_pieces_match_the_code(game: str) -> None:
    numbers = find_game(game).formats["observation"]
    assert isinstance(numbers, ObservationSpec)
    assert numbers is observation_spec(make(game))
    assert len(layout(make(game)).splitlines()) == 2 + len(observer(make(game)).parts)
