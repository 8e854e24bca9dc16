"""The coach: reviews of records, and hints during play.

>>> from faceup.core import make
>>> rules = make("nimmt:cowheadking seats=4 hand=2")
>>> view = rules.from_text("view=0 sizes=2,2,2,2 hand=50,90 rows=5/6,7/31,32,33,34,35/81")
>>> print(hint(rules, view).words)
Card 90 mostly goes to row 4; it takes a row in 10% of the cases. 50 can be one card too many in row 3: now it takes \
a row in 94% of the cases (about 10 heads), later in 32% of the cases (about 8 heads).
"""

from faceup.coach.chance_report import ChanceReport
from faceup.coach.decisions import Decision, DecisionPoint, decision_points, evaluate_decisions
from faceup.coach.hints import Hint, hint, no_hint, ranking
from faceup.coach.luck import DealPar, Luck, par_for
from faceup.coach.registry import chance_analysis_for, chance_report_json, has_coach, no_coach_error
from faceup.coach.report import hint_json, report
from faceup.coach.review import Review, ReviewStep, build_review, settled_steps
from faceup.coach.search_budget import SearchBudget, default_player, default_worlds

__all__ = [
    "ChanceReport",
    "DealPar",
    "Decision",
    "DecisionPoint",
    "Hint",
    "Luck",
    "Review",
    "ReviewStep",
    "SearchBudget",
    "build_review",
    "chance_analysis_for",
    "chance_report_json",
    "decision_points",
    "default_player",
    "default_worlds",
    "evaluate_decisions",
    "has_coach",
    "hint",
    "hint_json",
    "no_coach_error",
    "no_hint",
    "par_for",
    "ranking",
    "report",
    "settled_steps",
]
