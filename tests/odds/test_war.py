"""The odds of War, sampled: every combination of collecting order, cap and reshuffling, each with its intervals."""

import re

import msgspec
import pytest

from faceup.core import Malformed
from faceup.games.war import War
from faceup.games.war.batch import playouts
from faceup.odds.text import format_war_odds
from faceup.odds.war import report, sample_setting, settings
from faceup.sim import Counts

COLLECT = ("winner_first", "loser_first", "shuffled")


def test_default_settings_are_every_collecting_order_with_and_without_reshuffling() -> None:
    studied = settings(["cap=20"], 50, 3)
    assert [(studied.rules.collect, studied.rules.reshuffle) for studied in studied] == [
        (order, reshuffle) for order in COLLECT for reshuffle in (100, 0)
    ]
    played = tuple(list(sample_setting(setting, 1))[-1] for setting in studied)
    for setting in report(played)["settings"]:
        assert setting["cap"] == 20
        low, high = setting["unfinished"]["interval"]
        assert low <= setting["unfinished"]["probability"] <= high
        assert setting["unfinished"]["count"] == 50 - setting["ends"]["all cards"] > 0
        assert sum(setting["ends"].values()) == 50
        assert setting["rounds"]["least"] <= setting["rounds"]["p50"] <= setting["rounds"]["most"]


@pytest.mark.parametrize("caps", ["cap=10,100", "cap=[10, 100]", "cap=10 100,10"])
def test_several_caps_intervals_and_ways_of_collecting_are_combined(caps: str) -> None:
    studied = settings(["collect=shuffled", caps, "reshuffle=0,5,10", "down=1"], 10, 3)
    assert [(setting.rules.cap, setting.rules.reshuffle) for setting in studied] == [
        (cap, reshuffle) for cap in (10, 100) for reshuffle in (0, 5, 10)
    ]
    assert {(setting.rules.collect, setting.rules.down) for setting in studied} == {("shuffled", 1)}


def test_each_cap_plays_its_own_games() -> None:
    for setting in settings(["cap=20,100", "reshuffle=20", "collect=loser_first"], 300, 5):
        games = playouts(War(reshuffle=20, collect="loser_first", cap=setting.rules.cap), lanes=300, seed=5)
        ends = list(sample_setting(setting, 1))[-1].ends
        assert [ends["all cards"], ends["cap"], ends["sudden death"]] == [(games.by == by).sum() for by in (1, 2, 3)]
        assert ends["sudden death"] > 0


def test_draws_are_counted_by_their_cause() -> None:
    chosen = ["cap=4", "per_suit=2", "redeal=false", "sudden_death=false", "collect=shuffled", "reshuffle=0"]
    (setting,) = settings(chosen, 2000, 7)
    games = playouts(setting.rules, lanes=2000, seed=7)
    drawn = games.cards[games.winner < 0]
    ends = list(sample_setting(setting, 2))[-1].ends
    assert ends["draw, equal piles"] == (drawn == 4).all(axis=1).sum() > 0
    assert ends["draw, undecided round"] == (drawn == 0).all(axis=1).sum() > 0
    (one_by_one,) = settings(chosen, 500, 7)
    scalar = msgspec.structs.replace(one_by_one.run, engine="scalar")
    counted = list(sample_setting(msgspec.structs.replace(one_by_one, run=scalar), 1))[-1].ends
    assert counted["draw, equal piles"] > 0
    assert counted["draw, undecided round"] == pytest.approx(ends["draw, undecided round"] / 4, rel=0.2)


def test_tiny_shares_are_shown_in_scientific_notation_beside_their_counts() -> None:
    (setting,) = settings(["collect=winner_first", "reshuffle=100"], 1000, 7)
    for games, shown in ((1000, "1,000  0  0  0 to 0.38%"), (1_000_000, "1,000,000  0  0  0 to 3.8e-06")):
        counts = Counts(games, {"rounds": ({36: games},), "wars": ({2: games},), "by": ({0: games},)})
        words = format_war_odds([msgspec.structs.replace(setting, counts=counts)])
        assert shown in re.sub(" {2,}", "  ", words)


def test_sampling_is_reproducible() -> None:
    first, other = (
        [list(sample_setting(setting, jobs))[-1].counts for setting in settings([], 30, 9)] for jobs in (1, 2)
    )
    assert first == other


@pytest.mark.parametrize(
    ("options", "deals"), [(["cap=0"], 10), ([], 0), (["capp=3"], 10), (["cap="], 10), (["cap=9,x"], 10), (["cap"], 10)]
)
def test_invalid_settings_raise(options: list[str], deals: int) -> None:
    with pytest.raises(Malformed):
        settings(options, deals, 1)
