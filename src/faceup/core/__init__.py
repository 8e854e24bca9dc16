"""The game-independent core of simultaneous-choice games: rules, states, views, outcomes, events, errors and records.

It contains no specific game. The laws that every game must satisfy are in `faceup.core.laws`.
"""

from faceup.core.errors import IllegalActionError, Malformed, RulesError, WrongSeatError
from faceup.core.generator import Generator, SeededGenerator, SystemRandom, generator
from faceup.core.moves import check_move, check_seat, illegal_action_error
from faceup.core.notation import action_text, read, spec, write
from faceup.core.registry import Game, Variant, find_game, list_games, make
from faceup.core.rules import AnyRules, Policy, Rules, draw, play_game
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
from faceup.formatting import plural

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
    "IllegalActionError",
    "Malformed",
    "Move",
    "Outcome",
    "Policy",
    "Rules",
    "RulesError",
    "Seat",
    "SeededGenerator",
    "State",
    "Step",
    "SystemRandom",
    "Variant",
    "View",
    "WrongSeatError",
    "action_text",
    "check_move",
    "check_seat",
    "draw",
    "find_game",
    "generator",
    "illegal_action_error",
    "list_games",
    "make",
    "places",
    "play_game",
    "plural",
    "read",
    "spec",
    "win_shares",
    "write",
]
