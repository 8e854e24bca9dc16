"""Every bot satisfies the law of policies, in every variant and for every number of seats.

The same view and the same random numbers make the same choice, whatever is hidden; it is legal; the view is as it was.
"""

import pytest
from tests.variants import marked

from faceup.bots import Level, levels, policies, policy, searches
from faceup.core import laws, list_games, make

QUICK = {"nimmt:cowheadking seats=4", "niuniu:battle seats=2", "war:standard seats=2"}
SMALL = ["nimmt seats=2 hand=3", "nimmt:arena hand=3 deals=2", "nimmt seats=3 hand=4 rows=6 capacity=2", "nimmt hand=1"]


def bots(game: str, worlds: int = 20) -> list[str]:
    """Return every bot by name; searches have a number of worlds, because time limits are not reproducible."""
    return [f"{name}@{worlds}" if name in searches(game) else name for name in policies(game)]


def check(spec: str, bot: str, examples: int = 3, max_decisions: int = 20) -> None:
    rules = make(spec)
    player = policy(rules.game, bot)
    if isinstance(player, Level):  # with fewer worlds, because the laws ask for thousands of decisions
        player = player.plays._replace(worlds=20)
    laws.check_policy(rules, player, name=bot, examples=examples, max_decisions=max_decisions)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", marked([game.name for game in list_games()], QUICK))
def test_every_bot_obeys_the_policy_law_in_every_variant_and_number_of_seats(spec: str) -> None:
    game = make(spec).game
    for bot in bots(game, worlds=2):
        if bot not in levels(game):  # which are searches again
            check(spec, bot, examples=1, max_decisions=1 if "@" in bot else 2)


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("bot", bots("nimmt"))
def test_every_bot_obeys_the_policy_law_at_every_decision_of_small_games(spec: str, bot: str) -> None:
    check(spec, bot)


@pytest.mark.parametrize("level", levels("nimmt"))
def test_every_level_obeys_the_policy_law(level: str) -> None:
    check("nimmt seats=3", level, examples=1, max_decisions=2)
