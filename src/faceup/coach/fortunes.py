"""Which games the coach can tell the luck of: with `lessons`, the one place where it knows games by name."""

from collections.abc import Mapping
from typing import Any, Final

from faceup.coach import dice, war
from faceup.coach.chance import Fortune, Look
from faceup.core import AnyRules, find_game, spec

LOOKS: Final[Mapping[str, Look]] = {"niuniu": dice.look, "war": war.look}


def fortune_for(rules: AnyRules) -> Look | None:
    """What tells how chance went in this game, if anything does."""
    return LOOKS.get(rules.game)


def fortune_report(fortune: Fortune) -> dict[str, Any]:  # Any: JSON
    """What was found, for JSON; chances are of seat 0 where there are two seats and one number."""
    rules = fortune.rules
    return {
        "game": rules.game,
        "variant": rules.variant,
        "spec": spec(rules),
        "kind": "chance",
        "names": list(fortune.names),
        "decisions": [],
        "said": [none_here(rules), *fortune.said],
        "done": fortune.done,
        "asked": fortune.asked,
        **fortune.data,
    }


def none_here(rules: AnyRules) -> str:
    """That there is nothing to judge."""
    return f"{find_game(rules.game).title} has no decisions to review: this is how chance went."
