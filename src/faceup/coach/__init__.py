"""What every decision was worth: reviews of records, and hints during play.

>>> from faceup.core import make
>>> rules = make("nimmt:cowheadking seats=4 hand=2")
>>> view = rules.from_text("view=0 sizes=2,2,2,2 hand=2,90 rows=5/6,7/31,32,33,34,35/81")
>>> print(hint(rules, view, worlds=1000).words)
90 follows 81 in row 3, which has room for 4 cards. It takes a row this turn in 2% of the cases. That is 0.6 heads \
better than play 2.
"""

from faceup.coach.chance import Fortune
from faceup.coach.decisions import Decision, Effort, Situation, judged, situations
from faceup.coach.fortunes import fortune_for, fortune_report
from faceup.coach.hints import Hint, hint, no_hint, ranking
from faceup.coach.lessons import has_coach, no_coach
from faceup.coach.luck import Luck
from faceup.coach.par import Par, par_for
from faceup.coach.report import report
from faceup.coach.review import Review, Step, reviewed

__all__ = [
    "Decision",
    "Effort",
    "Fortune",
    "Hint",
    "Luck",
    "Par",
    "Review",
    "Situation",
    "Step",
    "fortune_for",
    "fortune_report",
    "has_coach",
    "hint",
    "judged",
    "no_coach",
    "no_hint",
    "par_for",
    "ranking",
    "report",
    "reviewed",
    "situations",
]
