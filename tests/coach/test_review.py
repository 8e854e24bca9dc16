"""Reviews cover every decision from its seat's view, and the parts of luck add up to the heads."""

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

import msgspec
import pytest
from tests.coach.helpers import EFFORT, looked_at, moves_of, record_from, recorded

from faceup.bots.search import Estimate
from faceup.coach import (
    DealPar,
    Luck,
    Review,
    SearchBudget,
    build_review,
    decision_points,
    evaluate_decisions,
    report,
    settled_steps,
)
from faceup.coach.decisions import THRESHOLDS, lower_bound
from faceup.coach.text import ReviewText
from faceup.core import CHANCE, FORFEIT, Malformed, Outcome, SeededGenerator, draw, make
from faceup.core.record import Applied, Autoplayed, Chosen, TimedOut, replay
from faceup.games.nimmt.state import Deal, State

PAR = DealPar(Estimate(9.62, 0.07), Estimate(11.13, 0.03), 100)
DEAL = recorded("nimmt:cowheadking", "greedy")


@cache
def whole_review() -> Review:
    """Return the review of the deal, which several tests read."""
    return looked_at(DEAL)


def decimal_sum(luck: Luck) -> Decimal:
    parts = (luck.par.value, luck.hand.value, luck.choices.value, luck.others)
    return sum((Decimal(str(part)) for part in parts), Decimal(0))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "spec", ["nimmt:cowheadking", "nimmt:arena deals=3 hand=4", "nimmt:tactical seats=3 target=20"]
)
def test_par_hand_choices_and_others_add_up_to_the_heads_exactly(spec: str) -> None:
    record = recorded(spec)
    review = looked_at(record, par=PAR)
    rules, end = record.rules(), list(replay(record))[-1].state
    assert isinstance(end, State)
    assert len(review.luck) == rules.seats * len(end.earlier)
    for luck in (*review.luck, *review.totals):
        assert decimal_sum(luck) == luck.heads
    for luck in review.luck:
        assert luck.heads == end.earlier[(luck.deal or 0) - 1][luck.seat]
    for luck in review.totals:
        assert luck.heads == rules.scores(end)[luck.seat]


def test_every_decision_is_reviewed_once_and_includes_the_chosen_option() -> None:
    frames = list(replay(DEAL))
    asked = sum(
        len(DEAL.rules().to_act(frame.state)) for frame in frames[:-1] if DEAL.rules().to_act(frame.state) != (-1,)
    )
    assert len(whole_review().steps) == asked
    for step in whole_review().steps:
        decision = step.decision
        assert tuple(sorted(option.action for option in decision.options)) == decision.view.legal
        assert decision.chosen.action == decision.action
        assert decision.best.behind == Estimate(0.0, 0.0)
        assert decision.cost.value >= 0
        assert (decision.grade == "only") == (len(decision.options) == 1)


def test_the_heads_of_the_steps_are_the_heads_of_the_game() -> None:
    for seat in range(4):
        assert sum(step.took for step in whole_review().of(seat)) == whole_review().scores[seat]


def test_the_last_chance_of_winning_is_the_share_of_the_win() -> None:
    for seat, rank in enumerate(whole_review().ranks):
        last = whole_review().of(seat)[-1]
        assert last.win == (0 if rank > 1 else 1 / whole_review().ranks.count(1))


def test_the_chances_of_all_seats_add_up_to_one_in_each_turn() -> None:
    points = {seat: whole_review().chances(seat) for seat in range(4)}
    for turn in (*range(1, 11), None):
        assert sum(point.win for seat in range(4) for point in points[seat] if point.turn == turn) == pytest.approx(1)
    assert [point.turn for point in points[0]] == [*range(1, 11), None]
    raw = looked_at(DEAL, [0])
    assert raw.chances(0)[0].win == raw.steps[0].decision.best.win.value, "one seat alone is not scaled"


def test_the_deciding_turn_is_the_one_that_cost_a_reviewed_seat_most_heads() -> None:
    for seats in (range(4), [0]):
        review = looked_at(DEAL, seats)
        decided = review.deciding_turn
        assert decided is not None
        assert decided.heads == max(step.took for step in review.steps)
        step = next(
            seat_decision
            for seat_decision in review.of(decided.seat)
            if seat_decision.decision.turn == decided.turn and seat_decision.took
        )
        assert step.took == decided.heads
        assert DEAL.rules().describe(decided.card - 1) in {
            DEAL.rules().describe(seat_decision.decision.action)
            for seat_decision in review.of(decided.seat)
            if seat_decision.decision.turn == decided.turn
        }


def test_no_turn_decides_a_game_without_rows_taken() -> None:
    review = looked_at(recorded("nimmt", stop=2), par=PAR)
    assert review.steps
    assert review.deciding_turn is None


def test_highlights_are_the_best_and_the_costliest_decision_of_a_seat() -> None:
    for seat in range(4):
        best, costliest = whole_review().highlights(seat)
        steps = whole_review().of(seat)
        bad = [lower_bound(step.decision.cost) for step in steps if step.decision.grade in THRESHOLDS]
        assert (costliest is None) == (not bad)
        assert costliest is None or lower_bound(costliest.decision.cost) == max(bad)
        assert best is None or (best.swing > 0 and best.decision.grade in {"best", "good"})
    assert any(whole_review().highlights(seat).best for seat in range(4))
    assert any(whole_review().highlights(seat).costliest for seat in range(4))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seats", [[0], range(4)])
def test_settled_steps_do_not_change_when_more_decisions_are_evaluated(seats: Sequence[int]) -> None:
    frames = list(replay(DEAL))
    points = decision_points(DEAL, frames, seats)
    decisions = list(evaluate_decisions(DEAL.rules(), points, EFFORT))
    complete = looked_at(DEAL, seats)
    sent = 0
    for count in range(1, len(points) + 1):
        review = build_review(
            DEAL, frames=frames, names="abcd", seats=seats, effort=EFFORT, points=points,
            decisions=decisions[:count], par=PAR,
        )  # fmt: skip
        steps = settled_steps(review, points)
        assert steps == complete.steps[: len(steps)]
        assert sent <= len(steps)
        sent = len(steps)
    assert sent == len(points)


def test_there_are_two_or_three_turning_points_in_order_at_most_one_per_turn() -> None:
    turns = [(step.decision.deal, step.decision.turn) for step in whole_review().moments]
    assert 2 <= len(turns) <= 3
    assert turns == sorted(set(turns))
    greatest = max(whole_review().steps, key=lambda step: abs(step.swing))
    assert any(abs(step.swing) == abs(greatest.swing) for step in whole_review().moments)


def test_a_review_is_reproducible_and_nearly_independent_of_the_seed() -> None:
    def without_time(effort: SearchBudget) -> dict[str, object]:
        return {key: value for key, value in report(looked_at(DEAL, [0], effort)).items() if key != "seconds"}

    assert without_time(EFFORT) == without_time(EFFORT)
    other = without_time(SearchBudget(worlds=200, seed=8))
    assert other != without_time(EFFORT)
    assert [decision["chosen"] for decision in other["decisions"]] == [  # type: ignore[attr-defined]  # it is JSON
        whole_review().rules.describe(step.decision.action) for step in whole_review().of(0)
    ]


def test_ratings_do_not_depend_on_hidden_cards() -> None:
    rules = make("nimmt:cowheadking hand=4")
    moves = moves_of(rules)
    deal = moves[0]
    assert isinstance(deal, Deal)
    own, others, rows = deal.cards[:4], deal.cards[4:16], deal.cards[16:]
    unseen = [card for card in range(1, 105) if card not in deal.cards]
    for other_cards in (others[::-1], tuple(unseen[:12])):
        changed = Deal((*own, *other_cards, *rows))
        options = []
        for other_record in (deal, changed):
            first: dict[int, int] = {seat: other_record.cards[4 * seat] - 1 for seat in range(4)}
            record = record_from(rules, [other_record, first])
            points = decision_points(record, list(replay(record)), [0])
            options.append(next(evaluate_decisions(rules, points[:1], EFFORT)).options)
        assert options[0] == options[1]


def test_the_review_of_an_unfinished_game_says_so() -> None:
    record = recorded("nimmt:arena deals=3 hand=4", stop=11)
    review = looked_at(record, [0, 1], par=PAR)
    assert review.steps
    assert not review.finished
    assert {luck.deal for luck in review.luck} == {1}
    assert review.of(0)[-1].win is None
    assert "The game is not over" in ReviewText().unfinished(review)
    assert "the game is not over" in ReviewText().standing(review)


@pytest.mark.parametrize("stop", [0, 1])
def test_a_record_without_decisions_raises(stop: int) -> None:
    review = looked_at(recorded("nimmt", stop=stop), par=PAR)
    assert (review.steps, review.moments, review.luck, review.par) == ((), (), (), None)
    assert "nothing to review" in ReviewText().unfinished(review)
    assert ReviewText().basis(review) == ""


def test_a_stopped_review_covers_the_evaluated_decisions() -> None:
    frames = list(replay(DEAL))
    points = decision_points(DEAL, frames, [0])
    evaluated = list(evaluate_decisions(DEAL.rules(), points[:3], EFFORT))
    review = build_review(
        DEAL, frames=frames, names="abcd", seats=[0], effort=EFFORT, points=points, decisions=evaluated, par=PAR
    )
    assert (len(review.steps), review.luck) == (3, ())
    assert review.steps == tuple(
        msgspec.structs.replace(step, win=None) if index == 2 else step
        for index, step in enumerate(looked_at(DEAL, [0]).steps[:3])
    )
    assert f"3 of {len(points)} decisions" in ReviewText().unfinished(review)


def test_a_deal_in_which_a_seat_is_out_has_no_luck() -> None:
    rules = make("nimmt:arena deals=2 hand=3")
    moves = moves_of(rules)
    state = rules.apply(rules.start(), moves[0]).state
    out: dict[int, int] = {0: FORFEIT, **{seat: rules.legal(state, seat)[0] for seat in (1, 2, 3)}}
    played: list[dict[int, int] | Outcome] = [moves[0], out]
    state = rules.apply(state, out).state
    rng = SeededGenerator(1)
    while to_act := rules.to_act(state):
        move: dict[int, int] | Outcome = (
            draw(rules, state, rng) if to_act == (CHANCE,) else {seat: rules.legal(state, seat)[0] for seat in to_act}
        )
        played.append(move)
        state = rules.apply(state, move).state
    review = looked_at(record_from(rules, played), par=PAR)
    assert review.of(0) == ()
    assert {luck.seat for luck in review.luck} == {1, 2, 3}


def test_choices_made_by_the_clock_or_for_an_absent_player_are_marked() -> None:
    frames, entries = list(replay(DEAL)), list(DEAL.entries)
    first = frames[2].entry  # after the start and the deal
    turn = entries[first]
    assert isinstance(turn, Applied)
    late = TimedOut(turn.at, 2, turn.actions[2] or "", "autoplay")
    absent, back = (Autoplayed(turn.at, seat, turn.actions[seat] or "", "autoplay") for seat in (0, 3))
    own = Chosen(turn.at, 3, turn.actions[3] or "")  # the player returned before the reveal
    record = msgspec.structs.replace(DEAL, entries=(*entries[:first], late, absent, back, own, *entries[first:]))
    points = decision_points(record, list(replay(record)), range(4))
    assert [point.by for point in points[:4]] == ["clock", "seat", "clock", "seat"]
    assert {point.by for point in points[4:]} == {"seat"}


def test_sentences_name_players_choices_and_errors() -> None:
    assert "rated by deep with 200 worlds per option, seed 7".lower() in ReviewText().basis(whole_review()).lower()
    text = ReviewText().moment(whole_review(), whole_review().moments[0])
    assert text.startswith(f"Player {whole_review().moments[0].decision.seat}: play ")
    assert "Chance of winning" in text
    assert ReviewText().luck(whole_review().luck[0], "Ann").startswith("In deal 1, Ann took ")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"seconds": 0.0}, "more than 0"),
        ({"seconds": float("nan")}, "more than 0"),
        ({"seconds": 1e9}, "86,400"),
        ({"worlds": 1}, "worlds must be 2"),
        ({"worlds": 0}, "worlds must be 2"),
        ({"worlds": 10, "seconds": 1.0}, "got both"),
        ({"seed": -1}, "seed"),
    ],
)
def test_an_invalid_search_budget_raises(limits: dict[str, float], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        SearchBudget(**limits)  # type: ignore[arg-type]  # some of them are wrong, which is the point


def test_games_without_decisions_are_not_reviewed() -> None:
    for spec in ("war", "niuniu"):
        record = recorded(f"{spec} {'cap=5' if spec == 'war' else 'throws=2'}")
        with pytest.raises(Malformed, match="no decisions to review"):
            decision_points(record, list(replay(record)), [0])


def test_a_game_of_another_package_without_a_search_has_no_coach() -> None:
    record = recorded("highcard:strict")
    with pytest.raises(Malformed, match="there is no coach for High Card"):
        decision_points(record, list(replay(record)), [0])
