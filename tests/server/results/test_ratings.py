"""Results of finished games, and ratings."""

from math import log

import pytest
from tests.server.results.played_games import play_game
from tests.server.rooms.room_log import IDS, Play

from faceup.core import Malformed
from faceup.core.record import Terms
from faceup.server.results.game_result import GameResult, SeatResult, result_from_log
from faceup.server.results.ratings import Rating, update_ratings
from faceup.server.results.standing_ids import bot_id
from faceup.server.rooms import TableConfig, loads


def result_of(play: Play) -> GameResult:
    return result_from_log(loads(text) for text, _ in play.log)


def test_the_result_of_a_log_has_players_scores_and_places() -> None:
    play = play_game()
    ended = result_of(play)
    result = play.room.table.record.result
    assert result is not None
    assert [side.who for side in ended.sides] == [IDS[0], IDS[1], "bot random"]
    assert tuple(side.score for side in ended.sides) == result.scores
    assert tuple(side.place for side in ended.sides) == result.ranks
    assert (ended.game, ended.variant, ended.options) == ("nimmt", "cowheadking", {"seats": 3, "hand": 3})


def test_a_player_who_left_and_did_not_return_is_away() -> None:
    assert [side.away for side in result_of(play_game(away=[1])).sides] == [False, True, False]


def test_a_game_that_is_not_over_has_no_result() -> None:
    play = play_game()
    with pytest.raises(Malformed, match="must be over, but is not"):
        result_from_log([loads(text) for text, _ in play.log][:-1])
    with pytest.raises(Malformed, match="must start with the entry room_created"):
        result_from_log([])


def default_config(*, rated: bool) -> TableConfig:
    return TableConfig(game="nimmt", options={"seats": 2}, terms=Terms(), bots=("random",), rated=rated)


def sides(*who: str, away: tuple[int, ...] = ()) -> GameResult:
    sides = [SeatResult(who=player, score=seat, place=seat + 1, away=seat in away) for seat, player in enumerate(who)]
    return GameResult(game="nimmt", variant="cowheadking", options={"seats": 3}, sides=tuple(sides), rated_table=True)


def test_a_game_at_a_rated_table_is_rated_for_people_and_bots() -> None:
    assert result_of(play_game(1, config=default_config(rated=True))).rated
    assert not result_of(play_game(1, config=default_config(rated=False))).rated
    assert sides("ann", "bo", bot_id("mc")).rated
    assert sides(bot_id("mc"), bot_id("random")).rated


def test_a_game_of_one_player_alone_is_not_rated() -> None:
    assert not sides(bot_id("mc"), bot_id("mc")).rated
    assert not sides("ann", "ann").rated


@pytest.mark.parametrize(
    "ended",
    [sides("ann", "bo", away=(1,)), sides("ann", "bo", away=(0, 1)), sides("ann", bot_id("mc"), away=(0,))],
    ids=["one left", "all left", "the only person left"],
)
def test_a_game_is_rated_although_players_left(ended: GameResult) -> None:
    assert ended.rated


def test_winning_raises_and_losing_lowers_the_mean_and_both_lower_the_deviation() -> None:
    after = update_ratings({}, ["ann", "bo", "cy"], [1, 3, 2])
    new = Rating()
    assert after["ann"].mean > after["cy"].mean > after["bo"].mean
    assert all(rating.deviation < new.deviation and rating.games == 1 for rating in after.values())
    assert [after[who].wins for who in ("ann", "bo", "cy")] == [1, 0, 0]


def test_a_shared_win_counts_as_a_fraction() -> None:
    after = update_ratings({}, ["ann", "bo"], [1, 1])
    assert after["ann"] == after["bo"]
    assert after["ann"].wins == 0.5


def test_a_player_in_several_seats_is_one_player_with_their_mean_place() -> None:
    bot = bot_id("mc")
    assert update_ratings({}, ["ann", bot, bot, bot], [1, 2, 3, 4]).keys() == {"ann", bot}
    for places, as_two in (
        ([1, 2, 3, 4], [1, 2]),
        ([2, 1, 3, 4], [1, 2]),
        ([3, 1, 2, 4], [2, 1]),
        ([4, 1, 2, 3], [2, 1]),
    ):
        after, duel = update_ratings({}, ["ann", bot, bot, bot], places), update_ratings({}, ["ann", bot], as_two)
        for who in ("ann", bot):
            assert (after[who].mean, after[who].deviation, after[who].games) == (
                duel[who].mean, duel[who].deviation, 1
            )  # fmt: skip


def test_three_chairs_do_not_count_as_three_winners() -> None:
    bot = bot_id("mc")
    places = [(1, 2, 3, 4), (2, 1, 3, 4), (3, 1, 2, 4), (4, 1, 2, 3)]  # each of four equal players wins once
    ratings: dict[str, Rating] = {}
    for place in places:
        ratings |= update_ratings(ratings, ["ann", bot, bot, bot], place)
    assert (ratings["ann"].wins, ratings[bot].wins) == (1, 1)
    assert update_ratings({}, ["ann", bot, bot, bot], (2, 1, 1, 1))[bot].wins == pytest.approx(1 / 3)


def test_equal_players_keep_equal_ratings_although_one_holds_three_chairs() -> None:
    ratings: dict[str, Rating] = {}
    for _ in range(50):
        for places in ((1, 2, 3, 4), (4, 1, 2, 3), (2, 1, 3, 4), (3, 1, 2, 4)):
            ratings |= update_ratings(ratings, ["ann", "bot mc", "bot mc", "bot mc"], places)
    assert abs(ratings["ann"].points - ratings["bot mc"].points) < 30


def test_points_start_at_1500_are_never_negative_and_are_provisional_until_the_deviation_has_halved() -> None:
    new = Rating()
    assert (new.points, new.deviation_points, new.provisional) == (1500, 250, True)
    assert Rating(mean=-40).points == 0
    assert [Rating(deviation=deviation / 30).provisional for deviation in (126, 125, 60)] == [True, False, False]
    even = 2**0.5 * 25 / 6 * log(10)  # the difference of two certain strengths with odds of ten to one
    assert Rating(mean=25 + even).points == pytest.approx(1900, abs=10)


def test_a_constant_winner_gets_the_highest_rating() -> None:
    ratings: dict[str, Rating] = {}
    for number in range(30):
        ratings |= update_ratings(ratings, ["weak", "strong", f"other {number % 5}"], [3, 1, 2])
    order = sorted(ratings, key=lambda who: ratings[who].mean)
    assert (order[0], order[-1]) == ("weak", "strong")
