"""Bots for any game: the random policy, Monte Carlo search, levels, and the registry of policies."""

from faceup.bots.characters import CHARACTERS, COMPUTER, VISITORS, character_for, characters_for
from faceup.bots.registry import (
    BotDescription,
    GameBots,
    default_policy,
    describe,
    describe_bot,
    is_playable,
    is_pure_chance,
    is_time_limited,
    policies,
    policy,
    random_policy,
)
from faceup.bots.search import Estimate, Evaluation, Option, evaluate, is_searchable, searches
from faceup.bots.search_policies import Level, levels

__all__ = [
    "CHARACTERS",
    "COMPUTER",
    "VISITORS",
    "BotDescription",
    "Estimate",
    "Evaluation",
    "GameBots",
    "Level",
    "Option",
    "character_for",
    "characters_for",
    "default_policy",
    "describe",
    "describe_bot",
    "evaluate",
    "is_playable",
    "is_pure_chance",
    "is_searchable",
    "is_time_limited",
    "levels",
    "policies",
    "policy",
    "random_policy",
    "searches",
]
