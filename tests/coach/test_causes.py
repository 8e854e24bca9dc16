"""The causes that the coach names, on positions made for each of them."""

import pytest
from msgspec.structs import replace

from faceup.bots.search import Estimate, Option
from faceup.coach.causes import CauseKind, OutcomeKind, Takes, contrast, explain
from faceup.coach.judgement import JudgedOption, judge
from faceup.coach.registry import coach_for
from faceup.core import make
from faceup.games.nimmt.actions import play
from faceup.games.nimmt.card_results import CardResult

LOW_OR_FULL = (
    "seats=3",
    "hand=13,41,51,86,87,91 rows=64,69,85,96/28,54,81/20,26,43,45,50/76,80,102,103",
)
LAST_LOW = "seats=3", "hand=6,81,93,94 rows=31,36,47,66,76/40,67,70,73,84/26,27,29,30,49/3,10,45"
FULL_LATER = "seats=5", "hand=7,87,95 rows=13,35,60/68,71,74,76/66,67,81,90,94/77,85"
LOW_LATER = "seats=5", "hand=24,36 rows=13,35,60,79/10,19/66,67,81,90,94/77,85,87,89"
ALL_FULL = "seats=5", "hand=34,35,53,101 rows=12,25,26,31,47/20,22,28,36,51/11,55,67,69,71/37,60,61,66"
PRICES = "seats=3", "hand=44,48,82,96 rows=42,49/20,22,88/66,79,89,97/57,80,90,91 waiting=16:0,65:1,76:2"
ROW_FOR_93 = "seats=2", "hand=93 rows=31,35,38/91/52,53,73,75,89/36,37 waiting=25:0,96:1"


def judged(options: str, position: str) -> dict[str, JudgedOption]:
    rules = make(f"nimmt {options}")
    hand = position.split(maxsplit=1)[0].count(",") + 1
    view = rules.from_text(f"view=0 sizes={','.join([str(hand)] * rules.seats)} {position}")
    judgement = judge(rules, view, player="deep", worlds=500, seed=1, explain=True)
    return {rules.describe(option.action): option for option in judgement}


@pytest.mark.parametrize(
    ("position", "best", "other", "cause"),
    [
        (LOW_OR_FULL, "play 41", "play 86", ("sixth", 86, 2)),
        (LAST_LOW, "play 93", "play 6", ("low", 6, 3)),
        (FULL_LATER, "play 87", "play 95", ("keep", 87, 0)),
        (LOW_LATER, "play 24", "play 36", ("keep_low", 24, 1)),
        (ALL_FULL, "play 35", "play 34", ("close", 0, -1)),
        (PRICES, "take row 0", "take row 2", ("row", 16, 2)),
        (ROW_FOR_93, "take row 1", "take row 3", ("other", 93, 2)),
    ],
)
def test_a_cause_is_found_in_the_worlds_of_the_search(
    position: tuple[str, str], best: str, other: str, cause: tuple[CauseKind, int, int]
) -> None:
    options = judged(*position)
    assert next(iter(options)) == best
    first, explanation = options[best].explanation, options[other].explanation
    assert first is not None
    assert first.cause is None
    assert explanation is not None
    assert explanation.cause is not None
    assert (explanation.cause.kind, explanation.cause.card, explanation.cause.row) == cause
    if cause[0] != "close":
        assert explanation.cause.explains >= 0.5
        assert explanation.cause.worse.heads > explanation.cause.better.heads


@pytest.mark.parametrize(
    ("position", "action", "kind", "row"),
    [
        (FULL_LATER, "play 87", "joins", 3),
        (ALL_FULL, "play 35", "lower_first", 0),
        (LAST_LOW, "play 93", "sixth", 1),
        (LAST_LOW, "play 6", "low", 3),
        (PRICES, "take row 0", "row", 0),
    ],
)
def test_an_outcome_is_what_happens_in_most_worlds(
    position: tuple[str, str], action: str, kind: OutcomeKind, row: int
) -> None:
    explanation = judged(*position)[action].explanation
    assert explanation is not None
    assert explanation.outcome.kind == kind
    assert kind == "lower_first" or explanation.outcome.row == row


RULES = make("nimmt seats=4")
VIEW = RULES.from_text("view=0 sizes=3,3,3,3 hand=10,50,90 rows=20/30/40/60")
NOTHING = Estimate(0.0, 0.0)


def tried(card: int, heads: dict[int, float], worse: float = 0.0, kind: str = "sixth") -> Option:
    """Return the option to play a card, with the mean heads that each card takes: one row of 10 heads, or none."""
    results = []
    for other, taken in heads.items():
        now, share = other == card, taken / 10
        results += [CardResult(other, now, kind, 3, share, taken)] if taken else []  # type: ignore[arg-type]  # a kind
        results += [CardResult(other, now, "joined", 3, 1 - share, 0.0)] if share < 1 else []
    behind = Estimate(worse, 0.01)
    return Option(play(card), 100, NOTHING, NOTHING, NOTHING, behind, 0.0, (), (behind,), tuple(results))


@pytest.mark.parametrize(
    ("best", "other", "kind", "explains"),
    [
        ({10: 6.0, 50: 0, 90: 0}, {10: 9.0, 50: 0, 90: 0}, "purpose", 1.0),
        ({10: 0.0, 50: 1, 90: 0}, {10: 1.0, 50: 2, 90: 1}, "swap", 0.67),
        ({10: 0.0, 50: 0, 90: 1}, {10: 0.0, 50: 0, 90: 4}, "other", 1.0),
        ({10: 1.0, 50: 0, 90: 0}, {10: 0.0, 50: 3, 90: 0}, "sixth", 1.5),
    ],
)
def test_a_cause_explains_at_least_half_of_the_difference(
    best: dict[int, float], other: dict[int, float], kind: CauseKind, explains: float
) -> None:
    difference = sum(other.values()) - sum(best.values())
    _, explanation = explain(VIEW, (tried(10, best), tried(50, other, difference)))
    assert explanation.cause is not None
    assert (explanation.cause.kind, explanation.cause.explains) == (kind, explains)


def test_the_other_cards_together_are_a_cause_if_no_single_card_is() -> None:
    rules = make("nimmt seats=4")
    view = rules.from_text("view=0 sizes=5,5,5,5 hand=10,50,70,80,90 rows=20/30/40/60")
    best, other = ({10: 0.0, 50: 0.0} | dict.fromkeys((70, 80, 90), taken) for taken in (1.0, 2.0))
    _, explanation = explain(view, (tried(10, best), tried(50, other, 3.0)))
    assert explanation.cause is not None
    assert (explanation.cause.kind, explanation.cause.worse) == ("rest", Takes(0.6, 6.0))


def test_no_cause_is_named_if_none_explains_half_of_the_difference() -> None:
    _, explanation = explain(VIEW, (tried(10, {10: 0.0, 50: 0, 90: 0}), tried(50, {10: 0.4, 50: 0.4, 90: 0.4}, 3.0)))
    assert explanation.cause is None
    coach = coach_for(RULES)
    assert coach.cause_text(explanation.outcome, explanation, "en") == ""


def test_what_only_some_models_find_worse_depends_on_the_others() -> None:
    option = tried(50, {10: 0.0, 50: 5.0, 90: 0}, 5.0)
    _, explanation = explain(VIEW, (tried(10, {10: 0.0, 50: 0, 90: 0}), replace(option, behind=NOTHING)))
    assert explanation.cause is not None
    assert explanation.cause.kind == "depends"


def test_the_best_option_is_compared_with_the_first_that_is_clearly_worse() -> None:
    options = (
        tried(10, {10: 0.0, 50: 0, 90: 0}),
        tried(50, {10: 0.0, 50: 0, 90: 0}),
        tried(90, {10: 0.0, 50: 0, 90: 4}, 4.0),
    )
    explanations = explain(VIEW, options)
    assert [explanation.cause and explanation.cause.kind for explanation in explanations] == [None, "close", "sixth"]
    assert contrast(explanations) == 2
    assert coach_for(RULES).sentences(explanations) == (
        "Card 10 is lower than every row, but others play lower cards first; it takes no row. 50 is about as "
        "good as 10. 90 can be one card too many in row 4: now it takes a row in 40% of the cases (about 10 heads), "
        "later never."
    )


def test_rows_have_the_price_as_their_outcome() -> None:
    rules = make("nimmt seats=3")
    judgements = list(judged(*PRICES).values())
    explanations = [option.explanation for option in judgements if option.explanation]
    assert coach_for(rules).sentences(explanations, 2) == "Row 3 costs 8 heads now, row 1 costs 2 heads."
