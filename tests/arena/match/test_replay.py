"""Replay of recorded matches, with and without faults."""

import msgspec
import pytest
from tests.arena.bot_matches import ARENA, SHORT, bots, play

from faceup.arena import Cause, Match, MatchTerms
from faceup.arena.match.replay import RecordedMatch, names_by_seat, replay, sent_to, to_record
from faceup.bots import policy
from faceup.core import FORFEIT, Malformed, SeededGenerator, make
from faceup.core.record import dumps, loads
from faceup.core.record import replay as replay_record
from faceup.games.nimmt.codingame import CODINGAME
from faceup.terminal.replay_frames import replay_frames

FOUR = ("greedy", "lowest", "highest", "random")


def test_replay_ends_in_final_state() -> None:
    result, transcript = play(Match(3, 2, FOUR, 1), ARENA)
    steps = list(replay(RecordedMatch(result, transcript, ARENA, 7, bots(*FOUR))))
    scores = make(ARENA.game).scores(steps[-1].after)
    assert tuple(scores[seat] for seat in result.match.seat_of) == result.scores
    assert sum(len(step.decisions) > 1 for step in steps) == 50


def test_each_player_answers_its_own_decisions_in_order() -> None:
    result, transcript = play(Match(0, 0, FOUR, 2))
    steps = list(replay(RecordedMatch(result, transcript, SHORT, 7, bots(*FOUR))))
    for player in range(4):
        decisions = [decision for step in steps for decision in step.decisions if decision.player == player]
        assert [decision.answer for decision in decisions] == list(transcript.answers[player])
        assert [decision.decision for decision in decisions] == list(range(len(decisions)))
        assert {decision.seat for decision in decisions} == {result.match.seat_of[player]}


def test_sent_lines_are_valid_for_builtin_client() -> None:
    result, transcript = play(Match(0, 0, FOUR, 0))
    steps = list(replay(RecordedMatch(result, transcript, SHORT, 7, bots(*FOUR))))
    seat = result.match.seat_of[1]
    lines = sent_to(steps, 1).decode().splitlines()
    assert lines[0] == f"4 {seat}"
    assert (len(lines) - 1) % 13 == 0
    answers: list[str] = []
    source = iter([f"{line}\n" for line in lines])
    rules = make("nimmt:arena")
    lowest, rng = policy("nimmt", "lowest"), SeededGenerator(0)
    status = CODINGAME.run_client(
        lambda: next(source, ""),
        answers.append,
        print,
        lambda knowledge: lowest(rules, CODINGAME.as_view(knowledge), rng),
    )
    assert status == 0
    assert [line.encode() for line in answers] == list(transcript.answers[1])


def test_replay_sends_phase_last() -> None:
    result, transcript = play(Match(0, 0, FOUR, 0))
    entrants = bots(*FOUR)
    entrants["lowest"] = msgspec.structs.replace(entrants["lowest"], phase_last=True)
    steps = list(replay(RecordedMatch(result, transcript, SHORT, 7, entrants)))
    assert sent_to(steps, 1).decode().splitlines()[13] == "CHOOSE_CARD_TO_PLAY"
    assert sent_to(steps, 0).decode().splitlines()[1] == "CHOOSE_CARD_TO_PLAY"


@pytest.mark.parametrize("came", [None, b"PLAY", b"\xff\x00", b""])
def test_forfeited_player_is_not_asked_and_others_continue(came: bytes | None) -> None:
    result, transcript = play(Match(0, 0, FOUR, 3), faults={(2, 4): (Cause.LATE, came)})
    steps = list(replay(RecordedMatch(result, transcript, SHORT, 7, bots(*FOUR))))
    decisions = [decision for step in steps for decision in step.decisions]
    [fault] = [decision for decision in decisions if decision.fault]
    assert (fault.player, fault.decision, fault.answer, fault.action) == (2, 4, came, FORFEIT)
    assert [decision.decision for decision in decisions if decision.player == 2] == [0, 1, 2, 3, 4]
    assert len([decision for decision in decisions if decision.player == 0]) >= 10


def test_match_ends_when_one_player_is_left() -> None:
    faults = {(player, 1): (Cause.ENDED, None) for player in (0, 1, 3)}
    result, transcript = play(Match(0, 0, FOUR, 0), faults=faults)
    steps = list(replay(RecordedMatch(result, transcript, SHORT, 7, bots(*FOUR))))
    assert len([step for step in steps if step.decisions]) == 2
    assert result.places == (2, 2, 1, 2)


@pytest.mark.parametrize("spec", ["nimmt:classic seats=3", "nimmt:cowheadking"])
def test_fault_ends_replay_without_forfeits(spec: str) -> None:
    terms = MatchTerms(game=spec, protocol="json")
    names = FOUR[: make(spec).seats]
    result, transcript = play(Match(0, 0, names, 0), terms, faults={(1, 3): (Cause.ILLEGAL, b"PLAY 1")})
    steps = list(replay(RecordedMatch(result, transcript, terms, 7, bots(*names))))
    assert steps[-1].after == steps[-1].before
    assert [decision.fault for decision in steps[-1].decisions if decision.player == 1] == list(result.faults)


def test_answers_of_other_deals_are_refused_with_the_reason() -> None:
    result, transcript = play(Match(8, 0, FOUR, 0))
    with pytest.raises(Malformed, match="match 8 do not fit its deals"):
        list(replay(RecordedMatch(result, transcript, SHORT, 8, bots(*FOUR))))


def test_incomplete_transcript_is_refused() -> None:
    result, transcript = play(Match(8, 0, FOUR, 0))
    cut = msgspec.structs.replace(transcript, answers=(*transcript.answers[:3], transcript.answers[3][:-1]))
    with pytest.raises(Malformed, match="has no answer to decision"):
        list(replay(RecordedMatch(result, cut, SHORT, 7, bots(*FOUR))))


def test_bot_in_several_seats_is_numbered() -> None:
    assert names_by_seat(Match(0, 0, ("a", "b", "a", "a"), 0)) == ("a", "b", "a (2)", "a (3)")


@pytest.mark.parametrize("faults", [{}, {(0, 3): (Cause.LATE, None)}])
def test_record_replays_to_the_same_result(faults: dict[tuple[int, int], tuple[Cause, bytes | None]]) -> None:
    result, transcript = play(Match(0, 0, FOUR, 1), ARENA, faults=faults)
    rules, entrants = make(ARENA.game), bots(*FOUR)
    steps = list(replay(RecordedMatch(result, transcript, ARENA, 7, entrants)))
    record = loads(dumps(to_record(result.match, steps, rules, entrants)))
    assert record.result is not None
    assert tuple(record.result.scores[seat] for seat in result.match.seat_of) == result.scores
    assert list(replay_record(record))[-1].state == steps[-1].after
    assert replay_frames(record).names == names_by_seat(result.match)


def test_record_of_match_ended_by_fault_is_unfinished() -> None:
    terms = MatchTerms(game="nimmt:cowheadking", protocol="json")
    result, transcript = play(Match(0, 0, FOUR, 0), terms, faults={(1, 3): (Cause.LATE, None)})
    rules, entrants = make(terms.game), bots(*FOUR)
    record = to_record(
        result.match, list(replay(RecordedMatch(result, transcript, terms, 7, entrants))), rules, entrants
    )
    assert record.result is None
    replay_frames(record)
