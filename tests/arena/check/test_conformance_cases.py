"""Conformance trials: every request can occur in a match, and the protocol's extremes are covered."""

import pytest

from faceup.arena.check.conformance import Trial, conversation, trials
from faceup.bots import policy
from faceup.core import AnyRules, SeededGenerator, make, read, write
from faceup.games.nimmt.codingame import DecisionMessage, format_decision, parse_decision
from faceup.games.nimmt.codingame.messages import OUT_SCORE


def views(rules: AnyRules, trial: Trial, seed: int = 1, pick: int = 0) -> list[object]:
    """Return the views of a program that always picks the legal action at this index."""
    talk = conversation(rules, trial, seed)
    answers: list[object] = []
    try:
        view = next(talk)
        while True:
            answers.append(view)
            view = talk.send(view.legal[pick])
    except StopIteration:
        return answers


@pytest.mark.parametrize("spec", ["nimmt:arena", "nimmt seats=10 hand=2", "niuniu seats=3", "war", "highcard:strict"])
def test_every_game_has_trials_and_each_ends(spec: str) -> None:
    rules = make(spec)
    cases = list(trials(rules))
    assert len({trial.name for trial in cases}) == len(cases)
    for trial in cases:
        shown = views(rules, trial)
        assert 1 <= len(shown) <= trial.decisions


@pytest.mark.parametrize("spec", ["nimmt:arena", "nimmt seats=10 hand=2", "niuniu seats=3", "war"])
def test_positions_can_be_read(spec: str) -> None:
    rules = make(spec)
    for trial in trials(rules):
        for view in views(rules, trial):
            assert read(write(rules, view)) == (rules, view)  # type: ignore[arg-type]  # a view of these rules


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["mc@20", "deep@20", "network"])
def test_bots_play_on_from_positions_without_the_opening(name: str) -> None:
    rules = make("nimmt:arena")
    for trial in trials(rules):
        for view in views(rules, trial)[:2]:
            assert policy("nimmt", name)(rules, view, SeededGenerator(1)) in view.legal  # type: ignore[attr-defined]


def arena(pick: int = 0) -> list[DecisionMessage]:
    """Return all requests of the arena's trials."""
    rules = make("nimmt:arena")
    return [
        parse_decision(format_decision(view))  # type: ignore[arg-type]  # a view of these rules
        for trial in trials(rules)
        for view in views(rules, trial, pick=pick)
    ]


@pytest.mark.parametrize("pick", [0, -1], ids=["lowest card", "highest card"])
def test_trials_cover_protocol_extremes(pick: int) -> None:
    asked = arena(pick)
    assert {ask.phase for ask in asked} == {"CHOOSE_CARD_TO_PLAY", "CHOOSE_LINE_TO_PICK"}
    assert any(not ask.hand for ask in asked)
    assert any(all(len(row) == 5 for row in ask.rows) for ask in asked)
    assert any(ask.scores.count(OUT_SCORE) == 2 for ask in asked)
    assert any(-1 in ask.last and max(ask.last) > 0 for ask in asked)
    assert max(max(ask.scores) for ask in asked) > 300
    assert {len(ask.hand) for ask in asked} == set(range(11))
    assert len(asked) > 200


def test_forfeited_seat_is_not_asked_again() -> None:
    rules = make("nimmt:arena")
    trial = Trial("others out", 0, rules.start(), out={1: 0, 2: 3})
    last = views(rules, trial)[-1]
    assert getattr(last, "out", ()) == ((1,), (2,))


def test_conversation_is_reproducible_from_seed() -> None:
    rules = make("nimmt:arena")
    trial = Trial("a match", 2, rules.start())
    assert views(rules, trial, seed=5) == views(rules, trial, seed=5) != views(rules, trial, seed=6)
