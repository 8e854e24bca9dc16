"""What the results show is what statistics makes of them, a duplicate deal being one number."""

from collections.abc import Sequence
from statistics import fmean, stdev

import pytest

from faceup.compare import Contest, Result, contest, play, report, schedule, standings, words
from faceup.compare.report import sentences
from faceup.core import make, places


def table(*lineups: Sequence[str], game: str = "nimmt seats=2") -> Contest:
    return Contest(game, tuple(map(tuple, lineups)), seed=1, matches=False)


def told(contest: Contest, *games: Sequence[int]) -> list[Result]:
    """Results with these heads, player by player, in the order of the schedule."""
    whole = zip(schedule(contest), games, strict=False)
    return [Result(*game, tuple(heads), places(heads)) for game, heads in whole]


def test_means_and_errors_are_those_over_duplicate_deals() -> None:
    wanted = table(("greedy", "random"))
    results = told(wanted, (1, 9), (3, 3), (0, 4), (8, 2), (5, 6), (5, 4))
    (found,) = standings(wanted, results)
    by_deal = [2, 4, 5]
    assert found.bot.score.mean == pytest.approx(fmean(by_deal))
    assert found.bot.score.stderr == pytest.approx(stdev(by_deal) / 3**0.5)
    assert found.bot.score.count == 3
    differences = [2 - 6, 4 - 3, 5 - 5]
    assert found.difference.score.mean == pytest.approx(fmean(differences))
    assert found.difference.score.stderr == pytest.approx(stdev(differences) / 3**0.5)


def test_a_win_shared_by_two_counts_half_and_places_are_shared() -> None:
    wanted = table(("greedy", "random"))
    (found,) = standings(wanted, told(wanted, (1, 9), (3, 3)))
    assert found.bot.win_share.mean == 0.75
    assert found.field[0].win_share.mean == 0.25
    assert found.bot.place.mean == 1
    assert found.field[0].place.mean == 1.5


def test_a_deal_that_is_not_finished_is_left_out() -> None:
    wanted = table(("greedy", "random"), ("lowest", "random"))
    whole = told(wanted, (1, 9), (3, 3), (2, 2), (0, 4))
    more = told(wanted, (1, 9), (3, 3), (2, 2), (0, 4), (70, 0), (70, 0), (70, 0))
    assert standings(wanted, more) == standings(wanted, whole)
    with pytest.raises(ValueError, match="no deal"):
        standings(wanted, whole[:3])


def test_bots_of_one_name_are_taken_together_and_others_apart() -> None:
    wanted = table(("greedy", "random", "lowest", "random"), game="nimmt seats=4")
    (found,) = standings(wanted, told(wanted, *[(1, 2, 7, 4)] * 4))
    assert [(each.name, each.players, each.score.mean) for each in found.field] == [("random", 2, 3), ("lowest", 1, 7)]
    assert found.difference.score.mean == pytest.approx(1 - 13 / 3)


def test_bots_against_one_field_are_compared_deal_by_deal() -> None:
    wanted = table(("greedy", "random"), ("lowest", "random"), ("greedy", "highest"))
    (first, second, third) = standings(
        wanted,
        told(
            wanted, *[(1, 9), (3, 3), (2, 2), (4, 4), (0, 9), (0, 9)], *[(5, 9), (5, 3), (7, 2), (7, 4)] + [(0, 9)] * 2
        ),
    )
    assert first.ahead is third.ahead is None
    assert second.ahead is not None
    assert second.first == "greedy"
    assert second.ahead.score.mean == fmean([3 - 2, 7 - 5])
    assert second.ahead.score.stderr == pytest.approx(0.5)


def test_sentences_say_who_beats_whom_and_whether_that_is_shown() -> None:
    wanted = contest(make("nimmt seats=3 hand=5"), ["greedy", "lowest"], [["random"], ["greedy"]], seed=3)
    results = list(play(wanted, schedule(wanted, 60)))
    clear = standings(wanted, results)
    assert sentences(wanted, clear[0])[0].startswith("greedy beats 2 random: it wins ")
    assert "(p < 0.001)" in sentences(wanted, clear[0])[0]
    assert "33.3% would be even" in sentences(wanted, clear[0])[0]
    assert sentences(wanted, clear[3])[0].startswith("lowest loses to 2 greedy: it wins ")
    assert sentences(wanted, clear[3])[1].startswith("There lowest does worse than greedy: it wins less often by ")
    mirror = contest(make("nimmt seats=3 hand=5"), ["greedy"], [["greedy"]], seed=3)
    (even,) = standings(mirror, list(play(mirror, schedule(mirror, 5))))
    (sentence,) = sentences(mirror, even)
    assert sentence.startswith("No difference in wins between greedy and 2 greedy is shown: greedy wins 33.33%")
    assert "p = 1" in sentence


def test_one_deal_shows_nothing_and_says_so() -> None:
    wanted = contest(make("nimmt seats=2"), ["greedy"], [["random"]], seed=1)
    found = standings(wanted, list(play(wanted, schedule(wanted, 1))))
    assert sentences(wanted, found[0]) == ["One duplicate deal shows nothing: play more of them."]
    assert "±" not in words(wanted, found, asked=1).rpartition("\n\n")[0]
    assert report(wanted, found, asked=1)["lineups"][0]["difference"]["score"]["p"] is None


def test_the_words_are_no_wider_than_a_terminal() -> None:
    wanted = contest(make("nimmt"), ["greedy", "lowest"], [["random", "highest"], ["random"]], seed=3)
    text = words(wanted, standings(wanted, list(play(wanted, schedule(wanted, 10)))), asked=20)
    assert "10 of 20 duplicate deals" in text
    assert max(map(len, text.splitlines())) <= 80
