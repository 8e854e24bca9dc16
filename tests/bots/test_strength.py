"""What is promised of how well searches play: with a number of worlds, so that every machine finds the same."""

import pytest

from faceup.compare import Standings, contest, play, schedule, standings
from faceup.core import make

DEALS = 60


def against(bot: str, field: str) -> Standings:
    """How the bot does at four seats, against three of another."""
    both = contest(make("nimmt"), [bot], [[field]], seed=7)
    return standings(both, list(play(both, schedule(both, DEALS))))[0]


@pytest.mark.long
def test_mc_wins_more_than_a_third_of_its_deals_against_three_greedy() -> None:
    assert against("mc@1000", "greedy").bot.win_share.mean >= 0.36


@pytest.mark.long
def test_mc_wins_most_of_its_deals_against_three_random_and_takes_few_heads() -> None:
    found = against("mc@1000", "random").bot
    assert found.win_share.mean >= 0.6
    assert found.score.mean <= 5.2


@pytest.mark.long
def test_deep_wins_more_than_its_share_against_three_mc() -> None:
    found = against("deep@100", "mc@1000")
    assert found.bot.win_share.mean >= 0.3
    assert found.difference.score.mean <= -1
