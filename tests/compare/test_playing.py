"""The same deals for everybody, whoever plays, wherever they sit, and however many processes play."""

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faceup.bots import policy
from faceup.compare import Contest, Game, Result, contest, play, schedule
from faceup.core import Generator, Malformed, make


def against_random(*bots: str, spec: str = "nimmt seats=3 hand=4", seed: int = 7) -> Contest:
    return contest(make(spec), bots, [["random"]], seed=seed)


def results(contest: Contest, deals: int, jobs: int = 1) -> list[Result]:
    return list(play(contest, schedule(contest, deals), jobs))


def play_game(contest: Contest, game: Game) -> Result:
    """This one alone."""
    (result,) = play(contest, [game])
    return result


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, object]]:
    """Who sat where with which cards, as the bots are asked."""
    asked: list[tuple[str, int, object]] = []

    def spy(game: str, name: str) -> object:
        def chooser(rules: object, view: object, rng: Generator) -> int:
            asked.append((name, view.seat, (view.hand, view.opening)))  # type: ignore[attr-defined]  # a view of nimmt
            return policy(game, name)(rules, view, rng)

        return chooser

    monkeypatch.setattr("faceup.arena.referee.policy", spy)
    return asked


def test_all_rotations_of_a_deal_have_the_same_cards_and_everybody_sits_everywhere(
    seen: list[tuple[str, int, object]],
) -> None:
    wanted = contest(make("nimmt seats=3"), ["greedy", "lowest"], [["random", "highest"]], seed=7)
    first_turns = {}
    for game in schedule(wanted, 1):
        seen.clear()
        play_game(wanted, game)
        first_turns[game] = seen[3:6]  # before, each was asked once to get ready
    cards = {tuple(cards for _, _, cards in turn) for turn in first_turns.values()}
    assert len(cards) == 1
    for lineup in range(2):
        seats = [{name: seat for name, seat, _ in first_turns[Game(0, lineup, rotation)]} for rotation in range(3)]
        assert all({seat[name] for seat in seats} == {0, 1, 2} for name in wanted.lineups[lineup])


def test_deals_differ() -> None:
    scores = {result.scores for result in results(against_random("greedy"), 20)}
    assert len(scores) > 10


@given(seed=st.integers(0, 2**64 - 1), deal=st.integers(0, 10**6), seats=st.integers(2, 10))
@settings(max_examples=20)
def test_a_bot_without_chance_ties_with_itself_over_the_rotations(seed: int, deal: int, seats: int) -> None:
    wanted = contest(make(f"nimmt seats={seats} hand=3"), ["greedy"], [["greedy"]], seed=seed)
    games = [play_game(wanted, Game(deal, 0, rotation)) for rotation in range(seats)]
    by_player = list(zip(*(game.scores for game in games), strict=True))
    assert len({tuple(sorted(scores)) for scores in by_player}) == 1
    assert sum(by_player[0]) == sum(by_player[-1])


def test_a_game_is_the_same_again_and_whatever_else_is_played() -> None:
    alone = against_random("greedy")
    together = against_random("lowest", "greedy")
    mine = [result for result in results(together, 3) if together.lineups[result.lineup][0] == "greedy"]
    assert [(each.scores, each.places) for each in mine] == [(each.scores, each.places) for each in results(alone, 3)]


def test_how_much_one_bot_draws_does_not_change_what_another_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, list[int]] = {"random": []}

    def thirsty(game: str, name: str) -> object:
        def chooser(rules: object, view: object, rng: Generator) -> int:
            if name == "lowest":
                for _ in range(thirst):
                    rng.below(10)
            elif view.legal:  # type: ignore[attr-defined]  # a view
                drawn["random"].append(rng.below(10**9))
            return policy(game, "lowest")(rules, view, rng)

        return chooser

    monkeypatch.setattr("faceup.arena.referee.policy", thirsty)
    thirst = 0
    play_game(against_random("lowest"), Game(5, 0, 1))
    first, drawn["random"] = drawn["random"], []
    thirst = 3
    play_game(against_random("lowest"), Game(5, 0, 1))
    assert drawn["random"] == first


@pytest.mark.slow
def test_several_processes_give_the_same_in_the_same_order() -> None:
    wanted = against_random("greedy", "lowest")
    assert results(wanted, 12, jobs=3) == results(wanted, 12)


def test_whole_matches_are_played_where_they_are_asked_for() -> None:
    wanted = contest(make("nimmt:classic seats=3"), ["greedy"], [["random"]], seed=1, matches=True)
    (result,) = islice(play(wanted, schedule(wanted, 1)), 1)
    assert max(result.scores) >= 66


@pytest.mark.parametrize("jobs", [0, -1, 1025])
def test_no_jobs_are_refused(jobs: int) -> None:
    with pytest.raises(Malformed, match="jobs is 1 to 1024"):
        results(against_random("greedy"), 1, jobs)
