"""The coach's judgement of a decision: what each option costs, whatever the other players are like.

With `deep`, an option is compared with the best one in three models of the other seats: in worlds in which every seat
plays a small policy, by the ratings of a network that learned from games between networks, and in worlds in which
every seat plays at random. A cost is the smallest of the three differences. If one model prefers the option to the best
one, the two are *close*, and the cost is 0.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from faceup.bots.search import Estimate, Option, evaluate
from faceup.coach.causes import Explanation
from faceup.coach.registry import coach_for
from faceup.core import Action, AnyRules, View

WORLDS: Final = 0.85
"""What the difference in the worlds of `deep` counts."""

RATINGS: Final = 1.75
"""What the difference between the network's ratings counts."""

RANDOM: Final = 2.0
"""What the difference in worlds with random players counts.

`script/calibrate` compares the costs with those that a referee finds.
"""


class JudgedOption(Option, frozen=True):
    """An option with its cost.

    Attributes:
        explanation: what it does, and why it is worse than the best one; None if this was not requested.
    """

    explanation: Explanation | None = None


def judge(
    rules: AnyRules,
    view: View,
    *,
    player: str,
    worlds: int | None = None,
    seconds: float | None = None,
    seed: int,
    explain: bool = False,
) -> tuple[JudgedOption, ...]:
    """Return all options with their costs in heads, the best option first.

    `behind` of an option is its cost, and `heads` are those of the best option and the cost.

    Args:
        rules: the rules of the game.
        view: the view of the seat that decides.
        player: the search. Only `deep` has several models of the other seats.
        worlds: the number of worlds for each option.
        seconds: the time limit, instead of `worlds`.
        seed: the seed of the worlds.
        explain: whether to explain the options.

    Raises:
        Malformed: the seat has no decision to make, or the search is unknown.
        MissingExtraError: the search needs the extra `fast`.
    """
    options = evaluate(
        rules,
        view,
        player=player,
        worlds=worlds,
        seconds=seconds,
        seed=seed,
        objective="heads",
        every=True,
        use_beliefs=False,  # against equal opponents, as par does
        explain=explain,
    ).options
    if player == "deep" and len(options) > 1:
        weak = evaluate(
            rules,
            view,
            worlds=options[0].worlds,
            seed=seed,
            objective="heads",
            every=True,
            use_beliefs=False,
        ).options
        options = combine_models(options, {option.action: option.heads.value for option in weak})
    explanations = coach_for(rules).explain(view, options) if explain else [None] * len(options)
    return tuple(
        JudgedOption(**(msgspec.structs.asdict(option) | {"results": ()}), explanation=explanation)
        for option, explanation in zip(options, explanations, strict=True)
    )


def combine_models(options: tuple[Option, ...], random_heads: Mapping[Action, float]) -> tuple[Option, ...]:
    """Return the options with the smallest of their differences to the best one, in the order of these costs.

    Args:
        options: the evaluation by `deep`.
        random_heads: the expected heads of each option if every seat plays at random.
    """
    best = options[0]

    def with_cost(option: Option) -> Option:
        differences = [
            scale * model.value for scale, model in zip((WORLDS, RATINGS), option.models, strict=False)
        ]  # without ratings, `models` has only the difference in worlds
        differences.append(RANDOM * (random_heads[option.action] - random_heads[best.action]))
        cost = max(0.0, min(differences))
        return msgspec.structs.replace(
            option,
            heads=Estimate(best.heads.value + cost, option.heads.error),
            behind=Estimate(cost, WORLDS * option.models[0].error),
        )

    return best, *sorted(map(with_cost, options[1:]), key=lambda option: option.behind.value)
