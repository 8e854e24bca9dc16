"""What a finished game says: who it was, whether it counts, and what is learnt from it."""

import pytest
from tests.server.people.games import played
from tests.server.rooms.play import IDS, Play, nimmt

from faceup.core import Malformed
from faceup.core.record import Terms
from faceup.server.people.finished import Finished, Side, bot_id, finished
from faceup.server.people.rating import Rating, after_game
from faceup.server.rooms import Opening, loads


def of(play: Play) -> Finished:
    return finished(loads(text) for text, _ in play.log)


def test_a_log_tells_who_sat_where_and_how_they_did() -> None:
    play = played()
    ended = of(play)
    result = play.room.table.record.result
    assert result is not None
    assert [side.who for side in ended.sides] == [IDS[0], IDS[1], "bot random"]
    assert tuple(side.score for side in ended.sides) == result.scores
    assert tuple(side.place for side in ended.sides) == result.ranks
    assert (ended.game, ended.variant, ended.options) == ("nimmt", "cowheadking", {"seats": 3, "hand": 3})


def test_who_left_and_did_not_return_is_away() -> None:
    assert [side.away for side in of(played(away=[1])).sides] == [False, True, False]


def test_a_game_that_is_not_over_has_no_result() -> None:
    play = played()
    with pytest.raises(Malformed, match="not over"):
        finished([loads(text) for text, _ in play.log][:-1])
    with pytest.raises(Malformed, match="begins with its opening"):
        finished([])


def usual(**others: object) -> Opening:
    return Opening(game="nimmt", options={"seats": 2}, terms=Terms(), bots=("random",), **others)  # type: ignore[arg-type]  # fields of an opening


def sides(*who: str, away: tuple[int, ...] = ()) -> Finished:
    each = [Side(who=one, score=seat, place=seat + 1, away=seat in away) for seat, one in enumerate(who)]
    return Finished(game="nimmt", variant="cowheadking", options={"seats": 3}, sides=tuple(each))


def test_a_usual_game_is_rated_for_people_and_bots() -> None:
    assert of(played(1, opening=usual())).rated
    assert sides("ann", "bo", bot_id("mc")).rated
    assert sides(bot_id("mc"), bot_id("random")).rated


@pytest.mark.parametrize(
    "ended",
    [
        of(played()),  # hands of three cards are another game
        of(played(2, opening=Opening(game="niuniu", terms=Terms()))),
        sides("ann", "bo", away=(0, 1)),
        sides("ann", bot_id("mc"), away=(0,)),
        sides(bot_id("mc"), bot_id("mc")),
    ],
    ids=["other options", "pure chance", "abandoned", "abandoned to a bot", "one bot alone"],
)
def test_what_says_nothing_about_strength_is_not_rated(ended: Finished) -> None:
    assert not ended.rated


def test_leaving_keeps_nobody_from_losing() -> None:
    assert sides("ann", "bo", away=(1,)).rated


def test_who_wins_goes_up_and_who_loses_goes_down_and_both_are_known_better() -> None:
    after = after_game({}, ["ann", "bo", "cy"], [1, 3, 2])
    new = Rating()
    assert after["ann"].mean > after["cy"].mean > after["bo"].mean
    assert all(each.deviation < new.deviation and each.games == 1 for each in after.values())
    assert [after[who].wins for who in ("ann", "bo", "cy")] == [1, 0, 0]


def test_a_win_that_is_shared_counts_in_part() -> None:
    after = after_game({}, ["ann", "bo"], [1, 1])
    assert after["ann"] == after["bo"]
    assert after["ann"].wins == 0.5


def test_a_bot_in_several_seats_is_one_player() -> None:
    bot = bot_id("mc")
    after = after_game({}, ["ann", bot, bot], [1, 2, 3])
    assert set(after) == {"ann", bot}
    assert after[bot].games == 1
    assert after[bot].mean < 25 < after["ann"].mean


def test_somebody_who_always_wins_ends_at_the_top() -> None:
    known: dict[str, Rating] = {}
    for number in range(30):
        known |= after_game(known, ["weak", "strong", f"other {number % 5}"], [3, 1, 2])
    order = sorted(known, key=lambda who: known[who].rating)
    assert (order[0], order[-1]) == ("weak", "strong")


def test_fair_and_usual_games_are_alike_to_ratings() -> None:
    assert nimmt(hand=3).options == nimmt(hand=3, terms=Terms(fair=True)).options
