"""The coach: reviews of records, and hints during play.

>>> from faceup.core import make
>>> rules = make("nimmt:cowheadking seats=4 hand=2")
>>> view = rules.from_text("view=0 sizes=2,2,2,2 hand=50,90 rows=5/6,7/31,32,33,34,35/81")
>>> print(hint(rules, view).words)
90 follows 81 in row 4, which has room for 4 cards. It takes a row this turn in 10% of the cases. That is 5.1 heads \
better than play 50.
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
