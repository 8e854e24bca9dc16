"""Text of reviews in any language, shared by the terminal and the HTML page."""

from collections import Counter
from collections.abc import Sequence

from faceup.bots.search import Estimate
from faceup.coach.decisions import THRESHOLDS, Grade
from faceup.coach.luck import Luck
from faceup.coach.registry import game_title
from faceup.coach.review import Review, ReviewStep
from faceup.core import Action, AnyRules, action_text, find_game
from faceup.formatting import format_percent, format_signed
from faceup.translations import Language, join_names, translate, translate_or
from faceup.translations.actions import translate_action
from faceup.translations.figures import localize

GRADES: tuple[Grade, ...] = ("best", "close", "good", "inaccurate", "mistake", "blunder")

BAD: frozenset[Grade] = frozenset(THRESHOLDS)
"""The grades of choices that cost something."""


class ReviewText:
    """The text of reviews in a language."""

    def __init__(self, language: Language = "en") -> None:
        self.language: Language = language

    def message(self, key: str, **values: object) -> str:
        """Return a message of any catalogue."""
        return translate(self.language, key, **values)

    def title(self, rules: AnyRules) -> str:
        """Return the titles of the game and its variant."""
        key = f"shell.variant.{rules.game}.{rules.variant}"
        variant = translate_or(self.language, key, find_game(rules.game).variant(rules.variant).title)
        return self.message("coach.title", game=game_title(rules, self.language), variant=variant)

    def action(self, rules: AnyRules, action: Action) -> str:
        """Return an action."""
        return translate_action(self.language, rules.game, action_text(rules, action))

    def grade(self, grade: Grade) -> str:
        """Return a grade."""
        return self.message(f"review.grade.{grade}")

    def heads(self, count: int) -> str:
        """Return a number of heads."""
        return self.message("hint.heads", count=count)

    def percent(self, share: float) -> str:
        """Return a share in percent."""
        return localize(self.language, format_percent(share))

    def signed(self, value: float) -> str:
        """Return a number with its sign."""
        return localize(self.language, format_signed(value))

    def number(self, value: float) -> str:
        """Return a number with two decimals."""
        return localize(self.language, f"{value:.2f}")

    def with_error(self, mean: Estimate) -> str:
        """Return a mean and its standard error.

        >>> ReviewText("de").with_error(Estimate(1.234, 0.056))
        '1,23 ±0,06'
        """
        return localize(self.language, f"{mean.value:.2f} ±{mean.error:.2f}")

    def join(self, words: Sequence[str]) -> str:
        """Return words with commas between them."""
        return self.message("site.list").join(words)

    def standing(self, review: Review) -> str:
        """Return the heads by name, such as "Ann: 3, Bo: 12", and the winners if the game is over."""
        pairs = zip(review.names, review.scores, strict=True)
        scores = self.join([self.message("coach.standing.score", name=name, score=score) for name, score in pairs])
        if not review.finished:
            return self.message("coach.standing.unfinished", scores=scores)
        winners = [name for name, rank in zip(review.names, review.ranks, strict=True) if rank == 1]
        names = join_names(self.language, winners)
        return self.message("coach.standing.won", scores=scores, names=names, count=len(winners))

    def basis(self, review: Review) -> str:
        """Describe the search and the precision of the review; "" if there are no decisions."""
        if not review.steps:
            return ""
        effort = review.effort
        worlds = effort.worlds_per_option
        how = (
            self.message("coach.basis.worlds", count=worlds, number=localize(self.language, f"{worlds:,}"))
            if effort.seconds is None
            else self.message("coach.basis.seconds", seconds=localize(self.language, f"{effort.seconds:g}"))
        )
        error = self.number(review.error)
        return self.message("coach.basis", player=effort.player, how=how, seed=effort.seed, error=error)

    def unfinished(self, review: Review) -> str:
        """Describe what the review does not cover; "" if it is complete."""
        if not review.requested:
            return self.message("coach.unfinished.none")
        if len(review.steps) < review.requested:
            return self.message("coach.unfinished.stopped", done=len(review.steps), count=review.requested)
        return "" if review.finished else self.message("coach.unfinished.game")

    def thresholds(self) -> str:
        """Return an explanation of the grades."""
        blunder, mistake, inaccurate = (THRESHOLDS[grade] for grade in ("blunder", "mistake", "inaccurate"))
        figures = {
            "inaccurate": inaccurate.heads,
            "mistake": mistake.heads,
            "mistake_points": 100 * (mistake.win or 0),
            "blunder": blunder.heads,
            "blunder_points": 100 * (blunder.win or 0),
        }
        shown = {name: localize(self.language, f"{value:g}") for name, value in figures.items()}
        return self.message("coach.thresholds", **shown)

    def legend(self) -> str:
        """Return an explanation of the parts of luck."""
        return self.message("coach.legend")

    def counted(self, steps: Sequence[ReviewStep]) -> str:
        """Return how many decisions have each grade, such as "6 best, 1 mistake"."""
        grades = Counter(step.decision.grade for step in steps)
        shown = [grade for grade in GRADES if grades[grade]]
        return self.join(
            [self.message("coach.counted", count=grades[grade], grade=self.grade(grade)) for grade in shown]
        )

    def luck(self, luck: Luck, name: str) -> str:
        """Return the parts of a seat's heads in a sentence."""
        return self.message(
            "coach.luck",
            name=name,
            deal=luck.deal,
            heads=self.heads(luck.heads),
            par=self.number(luck.par.value),
            cards=self.message("coach.luck.good" if luck.hand.value < 0 else "coach.luck.bad"),
            hand=self.signed(luck.hand.value),
            choices=self.signed(luck.choices.value),
            others=self.signed(luck.others),
            context="" if luck.deal is None else "deal",
        )

    def moment(self, review: Review, step: ReviewStep) -> str:
        """Describe a turning point in a few sentences."""
        decision, rules = step.decision, review.rules
        name = review.names[decision.seat]
        what = self.message(
            "coach.moment.choice",
            name=name,
            action=self.action(rules, decision.action),
            grade=self.grade(decision.grade),
            best=self.action(rules, decision.best.action),
            heads=self.number(decision.cost.value),
            context="bad" if decision.grade in BAD else "",
        )
        takes = self.message(
            "coach.moment.takes", name=name, heads=self.heads(step.took), context="" if step.took else "nothing"
        )
        others = [(count, seat) for seat, count in enumerate(step.heads) if seat != decision.seat and count]
        if others:
            most, seat = max(others)
            takes = self.message("coach.moment.while", takes=takes, name=review.names[seat], heads=most)
        before, after = self.percent(step.chance), self.percent(0.0 if step.win is None else step.win)
        return self.message("coach.moment", what=what, takes=takes, before=before, after=after)

    def when(self, step: ReviewStep, *, deals: bool) -> str:
        """Return the turn and, if `deals` is set, the deal."""
        turn, deal = step.decision.turn, step.decision.deal
        return self.message("coach.when", turn=turn, deal=deal, context="deal" if deals else "")

    @staticmethod
    def several_deals(review: Review) -> bool:
        """Return whether any of the decisions is in a deal after the first."""
        return any(step.decision.deal > 1 for step in review.steps)
