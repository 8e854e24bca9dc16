"""A review tells of every decision, from what its seat could know, in parts that add up to the heads."""

from decimal import Decimal

import msgspec
import pytest
from tests.coach.records import EFFORT, looked_at, moves_of, record_from, recorded

from faceup.bots.search import Estimate
from faceup.coach import Effort, Luck, Par, judged, report, reviewed, situations
from faceup.coach.sentences import basis, luck_words, moment, standing, unfinished
from faceup.core import CHANCE, FORFEIT, Malformed, Outcome, Seeded, draw, make
from faceup.core.record import Applied, TimedOut, replay
from faceup.games.nimmt.state import Deal, State

PAR = Par(Estimate(9.62, 0.07), Estimate(11.13, 0.03), 100)
DEAL = recorded("nimmt:cowheadking", "greedy")
REVIEW = looked_at(DEAL)


def decimal_sum(luck: Luck) -> Decimal:
    parts = (luck.par.value, luck.hand.value, luck.choices.value, luck.others)
    return sum((Decimal(str(part)) for part in parts), Decimal(0))


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


def test_every_decision_is_told_of_once_and_the_chosen_option_is_among_its_options() -> None:
    frames = list(replay(DEAL))
    asked = sum(
        len(DEAL.rules().to_act(frame.state)) for frame in frames[:-1] if DEAL.rules().to_act(frame.state) != (-1,)
    )
    assert len(REVIEW.steps) == asked
    for step in REVIEW.steps:
        decision = step.decision
        assert tuple(sorted(option.action for option in decision.options)) == decision.view.legal
        assert decision.chosen.action == decision.action
        assert decision.best.behind == Estimate(0.0, 0.0)
        assert decision.cost.value >= 0
        assert (decision.word == "only") == (len(decision.options) == 1)


def test_the_heads_of_the_steps_are_the_heads_of_the_game() -> None:
    for seat in range(4):
        assert sum(step.took for step in REVIEW.of(seat)) == REVIEW.scores[seat]


def test_the_last_chance_of_winning_is_the_part_in_the_win() -> None:
    for seat, rank in enumerate(REVIEW.ranks):
        last = REVIEW.of(seat)[-1]
        assert last.win == (0 if rank > 1 else 1 / REVIEW.ranks.count(1))


def test_two_or_three_moments_decided_it_at_most_one_a_turn_and_in_order() -> None:
    turns = [(step.decision.deal, step.decision.turn) for step in REVIEW.moments]
    assert 2 <= len(turns) <= 3
    assert turns == sorted(set(turns))
    greatest = max(REVIEW.steps, key=lambda step: abs(step.swing))
    assert any(abs(step.swing) == abs(greatest.swing) for step in REVIEW.moments)


def test_the_same_worlds_and_seed_say_the_same_and_another_seed_nearly_so() -> None:
    def without_time(effort: Effort) -> dict[str, object]:
        return {key: value for key, value in report(looked_at(DEAL, [0], effort)).items() if key != "seconds"}

    assert without_time(EFFORT) == without_time(EFFORT)
    other = without_time(Effort(worlds=200, seed=8))
    assert other != without_time(EFFORT)
    assert [each["chosen"] for each in other["decisions"]] == [  # type: ignore[attr-defined]  # it is JSON
        REVIEW.rules.describe(step.decision.action) for step in REVIEW.of(0)
    ]


def test_what_a_seat_could_not_know_changes_nothing_in_what_its_decision_was_worth() -> None:
    rules = make("nimmt:cowheadking hand=4")
    moves = moves_of(rules)
    deal = moves[0]
    assert isinstance(deal, Deal)
    own, others, rows = deal.cards[:4], deal.cards[4:16], deal.cards[16:]
    unseen = [card for card in range(1, 105) if card not in deal.cards]
    for other_cards in (others[::-1], tuple(unseen[:12])):
        changed = Deal((*own, *other_cards, *rows))
        options = []
        for each in (deal, changed):
            first: dict[int, int] = {seat: each.cards[4 * seat] - 1 for seat in range(4)}
            record = record_from(rules, [each, first])
            found = situations(record, list(replay(record)), [0])
            options.append(next(judged(rules, found[:1], EFFORT)).options)
        assert options[0] == options[1]


def test_an_unfinished_game_is_reviewed_as_far_as_it_goes_and_says_so() -> None:
    record = recorded("nimmt:arena deals=3 hand=4", stop=11)
    review = looked_at(record, [0, 1], par=PAR)
    assert review.steps
    assert not review.finished
    assert {luck.deal for luck in review.luck} == {1}
    assert review.of(0)[-1].win is None
    assert "The game is not over" in unfinished(review)
    assert "the game is not over" in standing(review)


@pytest.mark.parametrize("stop", [0, 1])
def test_where_nobody_has_decided_anything_it_says_that_there_is_nothing_to_review(stop: int) -> None:
    review = looked_at(recorded("nimmt", stop=stop), par=PAR)
    assert (review.steps, review.moments, review.luck, review.par) == ((), (), (), None)
    assert "nothing to review" in unfinished(review)
    assert basis(review) == ""


def test_a_review_that_was_stopped_tells_of_what_was_judged() -> None:
    frames = list(replay(DEAL))
    found = situations(DEAL, frames, [0])
    some = list(judged(DEAL.rules(), found[:3], EFFORT))
    review = reviewed(DEAL, frames=frames, names="abcd", seats=[0], effort=EFFORT, found=found, decisions=some, par=PAR)
    assert (len(review.steps), review.luck) == (3, ())
    assert review.steps == tuple(
        msgspec.structs.replace(step, win=None) if index == 2 else step for index, step in enumerate(REVIEW.of(0)[:3])
    )
    assert f"3 of {len(found)} decisions" in unfinished(review)


def test_a_deal_in_which_a_seat_was_put_out_says_nothing_of_its_luck() -> None:
    rules = make("nimmt:arena deals=2 hand=3")
    moves = moves_of(rules)
    state = rules.apply(rules.start(), moves[0]).state
    out: dict[int, int] = {0: FORFEIT, **{seat: rules.legal(state, seat)[0] for seat in (1, 2, 3)}}
    played: list[dict[int, int] | Outcome] = [moves[0], out]
    state = rules.apply(state, out).state
    rng = Seeded(1)
    while to_act := rules.to_act(state):
        move: dict[int, int] | Outcome = (
            draw(rules, state, rng) if to_act == (CHANCE,) else {seat: rules.legal(state, seat)[0] for seat in to_act}
        )
        played.append(move)
        state = rules.apply(state, move).state
    review = looked_at(record_from(rules, played), par=PAR)
    assert review.of(0) == ()
    assert {luck.seat for luck in review.luck} == {1, 2, 3}


def test_what_the_clock_chose_is_the_clocks() -> None:
    frames, entries = list(replay(DEAL)), list(DEAL.entries)
    first = frames[2].entry  # after the start and the deal
    turn = entries[first]
    assert isinstance(turn, Applied)
    late = TimedOut(turn.at, 2, turn.actions[2] or "", "stand-in")
    record = msgspec.structs.replace(DEAL, entries=(*entries[:first], late, *entries[first:]))
    found = situations(record, list(replay(record)), range(4))
    assert [each.by for each in found[:4]] == ["seat", "seat", "clock", "seat"]
    assert {each.by for each in found[4:]} == {"seat"}


def test_sentences_name_players_choices_and_errors() -> None:
    assert "judged by mc with 200 worlds an option, seed 7".lower() in basis(REVIEW).lower()
    said = moment(REVIEW, REVIEW.moments[0])
    assert said.startswith(f"Player {REVIEW.moments[0].decision.seat}: play ")
    assert "Chance of winning" in said
    assert luck_words(REVIEW.luck[0], "Ann").startswith("In deal 1, Ann took ")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"seconds": 0.0}, "more than 0"),
        ({"seconds": float("nan")}, "more than 0"),
        ({"seconds": 1e9}, "86,400"),
        ({"worlds": 1}, "worlds are 2"),
        ({"worlds": 0}, "worlds are 2"),
        ({"worlds": 10, "seconds": 1.0}, "one of them"),
        ({"seed": -1}, "seed"),
    ],
)
def test_an_effort_that_cannot_be_made_is_refused(given: dict[str, float], says: str) -> None:
    with pytest.raises(Malformed, match=says):
        Effort(**given)  # type: ignore[arg-type]  # some of them are wrong, which is the point


def test_games_without_decisions_are_not_judged() -> None:
    for spec in ("war", "niuniu"):
        record = recorded(f"{spec} {'cap=5' if spec == 'war' else 'throws=2'}")
        with pytest.raises(Malformed, match="no decisions to review"):
            situations(record, list(replay(record)), [0])


def test_a_game_of_another_package_without_a_search_has_no_coach() -> None:
    record = recorded("highcard:strict")
    with pytest.raises(Malformed, match="there is no coach for High Card"):
        situations(record, list(replay(record)), [0])
