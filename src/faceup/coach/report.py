"""Reviews as JSON."""

from typing import Any

from faceup.bots.search import Estimate, Option
from faceup.coach.decisions import ERRORS, INACCURACY, MISTAKE
from faceup.coach.luck import Luck
from faceup.coach.review import Review, ReviewStep
from faceup.core import AnyRules, spec, write


def report(review: Review) -> dict[str, Any]:  # Any: JSON
    """Return the review for JSON. The record, the worlds and the seed determine all values except `seconds`.

    `luck` has an entry for each seat and finished deal, in which `par`, `hand`, `choices` and `others` add up to
    `heads`.
    """
    rules, effort = review.rules, review.effort
    return {
        "game": rules.game,
        "variant": rules.variant,
        "spec": spec(rules),
        "kind": "decisions",
        "names": list(review.names),
        "seats": list(review.seats),
        "finished": review.finished,
        "scores": list(review.scores),
        "ranks": list(review.ranks),
        "player": effort.player,
        "worlds": effort.worlds_per_option if effort.seconds is None else None,
        "seed": effort.seed,
        "requested": review.requested,
        "evaluated": len(review.steps),
        "error": round(review.error, 4),
        "thresholds": {"errors": ERRORS, "doubtful": INACCURACY, "costly": MISTAKE},
        "par": None
        if review.par is None
        else {
            "heads": _mean(review.par.heads),
            "first_decision": _mean(review.par.value),
            "deals": review.par.deals,
        },
        "luck": [_luck(part) for part in review.luck],
        "totals": [_luck(part) for part in review.totals],
        "moments": [{"decision": step.decision.number, "seat": step.decision.seat} for step in review.moments],
        "decisions": [_step(rules, step) for step in review.steps],
        "seconds": round(review.clock, 3),
    }


def _luck(part: Luck) -> dict[str, Any]:  # Any: JSON
    return {
        "seat": part.seat,
        "deal": part.deal,
        "heads": part.heads,
        "par": _mean(part.par),
        "hand": _mean(part.hand),
        "choices": _mean(part.choices),
        "others": part.others,
    }


def _step(rules: AnyRules, step: ReviewStep) -> dict[str, Any]:  # Any: JSON
    decision = step.decision
    return {
        "decision": decision.number,
        "deal": decision.deal,
        "turn": decision.turn,
        "seat": decision.seat,
        "position": write(rules, decision.view),
        "chosen": rules.describe(decision.action),
        "by": decision.by,
        "best": rules.describe(decision.best.action),
        "word": decision.word,
        "cost": _mean(decision.cost),
        "heads": step.took,
        "win_before": round(decision.best.win.value, 4),
        "win_after": None if step.win is None else round(step.win, 4),
        "options": [option_json(rules, option) for option in decision.options],
    }


def option_json(rules: AnyRules, option: Option) -> dict[str, Any]:  # Any: JSON
    """Return an option for JSON."""
    return {
        "action": rules.describe(option.action),
        "worlds": option.worlds,
        "heads": _mean(option.heads),
        "relative": _mean(option.relative),
        "win": _mean(option.win),
        "behind": _mean(option.behind),
        "risk": round(option.risk, 4),
        "spread": list(option.spread),
    }


def _mean(mean: Estimate) -> dict[str, float]:
    return {"value": round(mean.value, 4), "error": round(mean.error, 4)}
