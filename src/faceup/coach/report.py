"""Reviews and hints as JSON."""

from typing import Any

import msgspec

from faceup.bots.search import Estimate
from faceup.coach.decisions import ERRORS, THRESHOLDS, fault_in
from faceup.coach.hints import Hint
from faceup.coach.judgement import JudgedOption
from faceup.coach.luck import Luck
from faceup.coach.review import Review, ReviewStep
from faceup.core import AnyRules, Seat, spec, write


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
        "thresholds": {
            "errors": ERRORS,
            **{grade: {"heads": least.heads, "win": least.win} for grade, least in THRESHOLDS.items()},
        },
        "par": None
        if review.par is None
        else {
            "heads": _mean(review.par.heads),
            "first_decision": _mean(review.par.value),
            "deals": review.par.deals,
        },
        "luck": [_luck(part) for part in review.luck],
        "totals": [_luck(part) for part in review.totals],
        "moments": [_place(step) for step in review.moments],
        "decided": review.deciding_turn,
        "highlights": [_highlights(review, seat) for seat in review.seats],
        "chances": [_chances(review, seat) for seat in review.seats],
        "decisions": [step_json(rules, step) for step in review.steps],
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


def _place(step: ReviewStep) -> dict[str, int]:
    """Return where a step is in the game, and in `decisions`."""
    decision = step.decision
    return {"decision": decision.number, "seat": decision.seat, "deal": decision.deal, "turn": decision.turn}


def _highlights(review: Review, seat: Seat) -> dict[str, Any]:  # Any: JSON
    highlights = review.highlights(seat)
    return {"seat": seat} | {name: step and _place(step) for name, step in highlights._asdict().items()}


def _chances(review: Review, seat: Seat) -> dict[str, Any]:  # Any: JSON
    points = [
        {"deal": chance.deal, "turn": chance.turn, "win": round(chance.win, 4)} for chance in review.chances(seat)
    ]
    return {"seat": seat, "points": points}


def step_json(rules: AnyRules, step: ReviewStep) -> dict[str, Any]:  # Any: JSON
    """Return a step for JSON, an entry of `decisions`."""
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
        "grade": decision.grade,
        "fault": fault_in(decision),
        "cost": _mean(decision.cost),
        "heads": step.took,
        "win_before": round(step.chance, 4),
        "win_after": None if step.win is None else round(step.win, 4),
        "options": [option_json(rules, option) for option in decision.options],
    }


def option_json(rules: AnyRules, option: JudgedOption) -> dict[str, Any]:  # Any: JSON
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
        "explanation": msgspec.to_builtins(option.explanation),
    }


def hint_json(rules: AnyRules, advice: Hint) -> dict[str, Any]:  # Any: JSON
    """Return a hint for JSON, without sentences, so that clients can word it in their language.

    `lead` is how many heads the best option is better than the second one: 0 if they are about equally good, null if
    there is only one option. Each option has its `explanation`, see `faceup.coach.causes.Explanation`.
    """
    options = [option_json(rules, option) for option in advice.options]
    for option in options:
        del option["spread"]
    lead = advice.lead
    return {"options": options, "lead": lead and round(lead, 4)}


def _mean(mean: Estimate) -> dict[str, float]:
    return {"value": round(mean.value, 4), "error": round(mean.error, 4)}
