"""The registry of policies, and the random policy."""

from collections import Counter
from typing import Any

import pytest

from faceup.bots import (
    CHARACTERS,
    VISITORS,
    characters_for,
    default_policy,
    is_pure_chance,
    levels,
    policies,
    policy,
    random_policy,
    searches,
)
from faceup.core import CHANCE, Game, Malformed, SeededGenerator, draw, find_game, list_games, make


def test_random_chooses_each_legal_action_equally_often() -> None:
    rules = make("nimmt seats=2")
    rng = SeededGenerator(3)
    state = rules.start()
    state = rules.apply(state, draw(rules, state, rng)).state
    view = rules.view(state, 0)
    counts = Counter(random_policy(rules, view, rng) for _ in range(10_000))
    assert set(counts) == set(view.legal)
    # Ten actions at 1000 each, standard deviation 30: five of them is one run in a million, and the seed is fixed.
    assert all(abs(count - 1000) < 150 for count in counts.values())


@pytest.mark.parametrize("game", [game.name for game in list_games()])
def test_every_game_has_the_random_policy(game: str) -> None:
    own = find_game(game).policies
    networks: Any = find_game(game).formats.get("networks", {})  # Any: formats are of any type
    assert policies(game) == (*levels(game), "random", *own, *networks, *searches(game))
    assert policy(game, "random") is random_policy
    assert all(policy(game, name) is own[name] for name in own)


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.name)
def test_autoplay_policy_plays_its_game(game: Game) -> None:
    assert game.autoplay in policies(game.name)


def test_an_unknown_policy_raises_with_the_closest_name() -> None:
    with pytest.raises(Malformed, match="nimmt has no policy 'gredy'; did you mean 'greedy'"):
        policy("nimmt", "gredy")
    with pytest.raises(Malformed, match="there are: gentle, "):
        policy("nimmt", "zzz")


def test_an_unknown_game_raises_with_the_closest_name() -> None:
    with pytest.raises(Malformed, match="did you mean 'nimmt'"):
        policies("nimt")


@pytest.mark.parametrize("name", ["champion", "mc", "deep", "greedy", "zzz"])
@pytest.mark.parametrize("game", ["war", "niuniu"])
def test_unknown_bot_of_a_game_without_decisions_is_explained(game: str, name: str) -> None:
    title = find_game(game).title
    with pytest.raises(Malformed, match=f"{title} has no bot '{name}': it has no decisions.*, or 'random'"):
        policy(game, name)


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.name)
def test_pure_chance_means_at_most_one_legal_action(game: Game) -> None:
    rules = make(game.name)
    rng, state, most = SeededGenerator(1), rules.start(), 0
    while to_act := rules.to_act(state):
        legal = {seat: rules.legal(state, seat) for seat in to_act if seat != CHANCE}
        most = max([most, *map(len, legal.values())])
        move = {seat: actions[0] for seat, actions in legal.items()} or draw(rules, state, rng)
        state = rules.apply(state, move).state
    assert is_pure_chance(game.name) == (most == 1)


@pytest.mark.parametrize("game", list_games(), ids=lambda game: game.name)
def test_the_default_bot_plays_the_game_without_search(game: Game) -> None:
    assert policy(game.name, default_policy(game.name)) in {random_policy, *game.policies.values()}


def test_every_bot_of_6_nimmt_has_characters_of_its_own() -> None:
    assert set(CHARACTERS) == set(policies("nimmt"))
    names = [*VISITORS, *(name for characters in CHARACTERS.values() for name in characters)]
    assert len(set(names)) == len(names)
    seated = characters_for("nimmt", ["steady"] * 5)
    assert seated == (*CHARACTERS["steady"], VISITORS[0])


@pytest.mark.parametrize("kind", [*policies("nimmt"), "mc@1000"])
def test_nine_bots_of_one_kind_have_names_without_a_number(kind: str) -> None:
    seated = characters_for("nimmt", [kind] * 9)
    assert len(set(seated)) == 9
