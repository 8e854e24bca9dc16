"""What players of any game need: the random policy, the search, and every policy by name."""

from faceup.bots.describing import Bot, Bots, describe
from faceup.bots.lookup import is_pure_chance, policies, policy
from faceup.bots.search import Judgement, Mean, Option, judge, searches
from faceup.bots.uniform import random_policy

__all__ = [
    "Bot",
    "Bots",
    "Judgement",
    "Mean",
    "Option",
    "describe",
    "is_pure_chance",
    "judge",
    "policies",
    "policy",
    "random_policy",
    "searches",
]
