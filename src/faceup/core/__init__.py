"""What any game is in which everyone chooses at once: rules, states, views, outcomes, events, errors and records.

Knows no game. The laws that every game must keep are in `faceup.core.laws`.
"""

from faceup.core.check import check_move, not_legal
from faceup.core.errors import Malformed, NotLegal, NotYours, RulesError
from faceup.core.generator import Generator, Secret, Seeded, generator
from faceup.core.notation import read, spec, write
from faceup.core.registry import Game, Variant, find_game, list_games, make
from faceup.core.rules import AnyRules, Policy, Rules, draw
from faceup.core.values import (
    CHANCE,
    DONE,
    FORFEIT,
    Action,
    Bounds,
    Event,
    Move,
    Outcome,
    Seat,
    State,
    Step,
    View,
    places,
    win_shares,
)

__all__ = [
    "CHANCE",
    "DONE",
    "FORFEIT",
    "Action",
    "AnyRules",
    "Bounds",
    "Event",
    "Game",
    "Generator",
    "Malformed",
    "Move",
    "NotLegal",
    "NotYours",
    "Outcome",
    "Policy",
    "Rules",
    "RulesError",
    "Seat",
    "Secret",
    "Seeded",
    "State",
    "Step",
    "Variant",
    "View",
    "check_move",
    "draw",
    "find_game",
    "generator",
    "list_games",
    "make",
    "not_legal",
    "places",
    "read",
    "spec",
    "win_shares",
    "write",
]
