"""What players of any game need: the random policy, and every policy by name."""

from faceup.bots.lookup import policies, policy
from faceup.bots.uniform import random_policy

__all__ = ["policies", "policy", "random_policy"]
