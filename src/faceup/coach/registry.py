"""The games that the coach supports: reviews of decisions, and reports on luck."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from faceup.bots.search import Option, searches
from faceup.coach import cause_text, causes, nimmt, niuniu, war
from faceup.coach.chance_report import ChanceAnalysis, ChanceReport
from faceup.core import AnyRules, Event, Malformed, Seat, State, View, find_game, spec
from faceup.translations import Language, translate, translate_or


class GameCoach(msgspec.Struct, frozen=True):
    """The functions that a game provides to the coach, besides its search.

    Attributes:
        turn_of: function from a seat's view to the deal and the turn of its decision, both from 1.
        finished_deals: function from a state to the number of finished deals.
        out: function from a state to the seats that are out of the game.
        taken_row: function from the events of a turn and a seat to the row that the seat took; None if it took none.
        explain: function from a seat's view and its options, the best one first, to an explanation of each.
        outcome_text: function from the outcome of an option and a language to a sentence.
        cause_text: function from the outcome of the best option, the explanation of another one, and a language to a
            sentence.
    """

    turn_of: Callable[[View], tuple[int, int]]
    finished_deals: Callable[[State], int]
    out: Callable[[State], frozenset[Seat]]
    taken_row: Callable[[Iterable[Event], Seat], nimmt.TakenRow | None]
    explain: Callable[[View, Sequence[Option]], tuple[causes.Explanation, ...]]
    outcome_text: Callable[[causes.LikelyOutcome, Language], str]
    cause_text: Callable[[causes.LikelyOutcome, causes.Explanation, Language], str]

    def sentences(
        self, explanations: Sequence[causes.Explanation], option: int = 0, *, language: Language = "en"
    ) -> str:
        """Return what the best option does, and why others are worse.

        Args:
            explanations: the explanations of all options, the best one first.
            option: the index of the option to compare with; if it is 0, the second one if it is close, and the first
                one that is clearly worse.
            language: the language of the sentences.
        """
        best = explanations[0].outcome
        others = [option] if option else sorted({min(1, len(explanations) - 1), causes.contrast(explanations)})
        words = [self.cause_text(best, explanations[other], language) for other in others]
        prices = any((cause := explanations[other].cause) and cause.kind == "row" for other in others)
        words = ["" if prices else self.outcome_text(best, language), *words]
        return translate(language, "hint.space").join(filter(None, words))


GAME_COACHES: Final[Mapping[str, GameCoach]] = {
    "nimmt": GameCoach(
        nimmt.turn_of,
        nimmt.finished_deals,
        nimmt.out,
        nimmt.taken_row,
        causes.explain,
        cause_text.outcome_text,
        cause_text.cause_text,
    )
}


def coach_for(rules: AnyRules) -> GameCoach:
    """Return the coach of the game.

    Raises:
        Malformed: the game has no decisions or no search.
    """
    if has_coach(rules.game):
        return GAME_COACHES[rules.game]
    raise no_coach_error(rules)


def no_coach_error(rules: AnyRules) -> Malformed:
    """Return the error for a game without a coach."""
    title = find_game(rules.game).title
    if rules.bounds.actions == 1:
        return Malformed(
            f"{title} has no decisions to review, because every seat has only one possible action", where="game"
        )
    return Malformed(f"there is no coach for {title}, because it has no search", where="game")


def has_coach(game: str) -> bool:
    """Return whether the coach can evaluate decisions of the game.

    >>> has_coach("nimmt"), has_coach("war")
    (True, False)
    """
    return game in GAME_COACHES and bool(searches(game))


CHANCE_ANALYSES: Final[Mapping[str, ChanceAnalysis]] = {"niuniu": niuniu.analyze_chance, "war": war.analyze_chance}


def chance_analysis_for(rules: AnyRules) -> ChanceAnalysis | None:
    """Return the analysis of luck for this game; None if there is none."""
    return CHANCE_ANALYSES.get(rules.game)


def chance_report_json(chance: ChanceReport) -> dict[str, Any]:  # Any: JSON
    """Return the report for JSON. In a game of two seats, a single probability is the probability that seat 0 wins."""
    rules = chance.rules
    return {
        "game": rules.game,
        "variant": rules.variant,
        "spec": spec(rules),
        "kind": "chance",
        "names": list(chance.names),
        "decisions": [],
        "sentences": [no_decisions_text(rules, chance.language), *chance.sentences],
        "done": chance.done,
        "requested": chance.requested,
        **chance.data,
    }


def no_decisions_text(rules: AnyRules, language: Language = "en") -> str:
    """Return the sentence that explains a report without decisions."""
    return translate(language, "coach.chance.none", game=game_title(rules, language))


def game_title(rules: AnyRules, language: Language) -> str:
    """Return the title of a game in a language."""
    return translate_or(language, f"table.game.{rules.game}", find_game(rules.game).title)
