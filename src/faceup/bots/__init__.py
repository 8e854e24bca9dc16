"""What players of any game need: the random policy, the search, and every policy by name."""

from faceup.bots.lookup import policies, policy
from faceup.bots.search import Judgement, Mean, Option, judge, searches
from faceup.bots.uniform import random_policy

__all__ = ["Judgement", "Mean", "Option", "judge", "policies", "policy", "random_policy", "searches"]
