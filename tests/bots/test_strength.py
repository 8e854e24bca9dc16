"""The promised strength of searches, with a fixed number of worlds so that results are reproducible."""

from pathlib import Path

import pytest

from faceup.arena import MatchTerms
from faceup.arena.run.engine import play
from faceup.arena.run.identity import built_in
from faceup.arena.run.log import open_log
from faceup.arena.run.pairings import ContestBot, contest
from faceup.arena.run.workers import WorkerConfig, WorkerEngine
from faceup.arena.stats.standings import BotStanding, standings

BLOCKS = 60


def against(folder: Path, bot: str, opponent: str) -> tuple[BotStanding, BotStanding]:
    """Return the standings of a bot and of its three equal opponents."""
    bots = {name: built_in(name).bot for name in (bot, opponent)}
    identified = [ContestBot(bot.name, bot.digest, bot.player) for bot in bots.values()]
    schedule = contest("gauntlet", MatchTerms("nimmt", "json"), identified, seed=7, unit="deal")
    config = WorkerConfig(schedule.terms, bots, schedule.seed)
    with open_log(folder / "log.sqlite", schedule, list(bots.items())) as log, WorkerEngine(config, 2) as workers:
        by_name = {row.name: row for row in standings(play(log, workers, BLOCKS)).bots}
    return by_name[bot], by_name[opponent]


@pytest.mark.long
def test_mc_wins_more_than_a_third_of_its_deals_against_three_greedy(tmp_path: Path) -> None:
    assert against(tmp_path, "mc@1000", "greedy")[0].win_share.mean >= 0.36


@pytest.mark.long
def test_mc_wins_most_deals_against_three_random_and_takes_few_heads(tmp_path: Path) -> None:
    row, _ = against(tmp_path, "mc@1000", "random")
    assert row.win_share.mean >= 0.6
    assert row.score is not None
    assert row.score.mean <= 5.2


@pytest.mark.long
def test_deep_wins_more_than_its_share_against_three_mc(tmp_path: Path) -> None:
    row, opponents = against(tmp_path, "deep@100", "mc@1000")
    assert row.win_share.mean >= 0.27
    assert row.score is not None
    assert opponents.score is not None
    assert row.score.mean - opponents.score.mean <= -1
