"""What players of any game need: the random policy, the search, levels for people, and every policy by name."""

from faceup.bots.describing import Bot, Bots, describe, describe_bot
from faceup.bots.levels import Level, levels
from faceup.bots.lookup import is_pure_chance, policies, policy, thinks_by_the_clock, usual_policy
from faceup.bots.search import Estimate, Judgement, Option, judge, searches
from faceup.bots.uniform import random_policy

__all__ = [
    "Bot",
    "Bots",
    "Estimate",
    "Judgement",
    "Level",
    "Option",
    "describe",
    "describe_bot",
    "is_pure_chance",
    "judge",
    "levels",
    "policies",
    "policy",
    "random_policy",
    "searches",
    "thinks_by_the_clock",
    "usual_policy",
]
