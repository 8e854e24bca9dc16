"""Every policy by name, and the one that plays any game."""

from collections import Counter

import pytest

from faceup.bots import policies, policy, random_policy, searches
from faceup.core import Game, Malformed, Seeded, draw, find_game, list_games, make


def test_random_chooses_each_legal_action_equally_often() -> None:
    rules = make("nimmt seats=2")
    rng = Seeded(3)
    state = rules.start()
    state = rules.apply(state, draw(rules, state, rng)).state
    view = rules.view(state, 0)
    counts = Counter(random_policy(rules, view, rng) for _ in range(10_000))
    assert set(counts) == set(view.legal)
    # Ten actions at 1000 each, standard deviation 30: five of them is one run in a million, and the seed is fixed.
    assert all(abs(count - 1000) < 150 for count in counts.values())


@pytest.mark.parametrize("game", [game.name for game in list_games()])
def test_random_is_known_for_any_game_beside_its_own_policies(game: str) -> None:
    own = find_game(game).policies
    assert policies(game) == ("random", *own, *searches(game))
    assert policy(game, "random") is random_policy
    assert all(policy(game, name) is own[name] for name in own)


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.name)
def test_a_games_stand_in_is_a_policy_that_plays_it(game: Game) -> None:
    assert game.stand_in in policies(game.name)


def test_an_unknown_policy_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(Malformed, match="nimmt has no policy 'gredy'; did you mean 'greedy'"):
        policy("nimmt", "gredy")
    with pytest.raises(Malformed, match="there are: random, "):
        policy("nimmt", "zzz")


def test_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(Malformed, match="did you mean 'nimmt'"):
        policies("nimt")
