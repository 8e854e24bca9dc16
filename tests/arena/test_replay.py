"""A match is played again from its answers alone, whoever went out and however it ended."""

import msgspec
import pytest
from tests.arena.played import ARENA, SHORT, bots, play

from faceup.arena import Cause, Match, Terms
from faceup.arena.replay import Watched, as_record, names_by_seat, replay, sent_to
from faceup.bots import policy
from faceup.core import FORFEIT, Malformed, Seeded, make
from faceup.core.record import dumps, loads
from faceup.core.record import replay as replay_record
from faceup.games.nimmt.codingame import CODINGAME
from faceup.terminal.story import story

FOUR = ("greedy", "lowest", "highest", "random")


def test_the_end_is_that_of_the_match() -> None:
    result, transcript = play(Match(3, 2, FOUR, 1), ARENA)
    moments = list(replay(Watched(result, transcript, ARENA, 7, bots(*FOUR))))
    scores = make(ARENA.game).scores(moments[-1].after)
    assert tuple(scores[seat] for seat in result.match.seat_of) == result.scores
    assert sum(len(moment.asked) > 1 for moment in moments) == 50


def test_each_player_answers_its_own_decisions_in_order() -> None:
    result, transcript = play(Match(0, 0, FOUR, 2))
    moments = list(replay(Watched(result, transcript, SHORT, 7, bots(*FOUR))))
    for player in range(4):
        asked = [each for moment in moments for each in moment.asked if each.player == player]
        assert [each.answer for each in asked] == list(transcript.answers[player])
        assert [each.decision for each in asked] == list(range(len(asked)))
        assert {each.seat for each in asked} == {result.match.seat_of[player]}


def test_what_was_sent_begins_with_the_start_and_is_what_a_program_of_ours_understands() -> None:
    result, transcript = play(Match(0, 0, FOUR, 0))
    moments = list(replay(Watched(result, transcript, SHORT, 7, bots(*FOUR))))
    seat = result.match.seat_of[1]
    lines = sent_to(moments, 1).decode().splitlines()
    assert lines[0] == f"4 {seat}"
    assert (len(lines) - 1) % 13 == 0
    answers: list[str] = []
    heard = iter([f"{line}\n" for line in lines])
    rules = make("nimmt:arena")
    lowest, rng = policy("nimmt", "lowest"), Seeded(0)
    status = CODINGAME.converse(
        lambda: next(heard, ""), answers.append, print, lambda known: lowest(rules, CODINGAME.as_view(known), rng)
    )
    assert status == 0
    assert [line.encode() for line in answers] == list(transcript.answers[1])


def test_the_phase_goes_last_to_whoever_wants_it_last() -> None:
    result, transcript = play(Match(0, 0, FOUR, 0))
    known = bots(*FOUR)
    known["lowest"] = msgspec.structs.replace(known["lowest"], phase_last=True)
    moments = list(replay(Watched(result, transcript, SHORT, 7, known)))
    assert sent_to(moments, 1).decode().splitlines()[13] == "CHOOSE_CARD_TO_PLAY"
    assert sent_to(moments, 0).decode().splitlines()[1] == "CHOOSE_CARD_TO_PLAY"


@pytest.mark.parametrize("came", [None, b"PLAY", b"\xff\x00", b""])
def test_who_went_out_is_asked_no_more_and_the_others_go_on(came: bytes | None) -> None:
    result, transcript = play(Match(0, 0, FOUR, 3), faults={(2, 4): (Cause.LATE, came)})
    moments = list(replay(Watched(result, transcript, SHORT, 7, bots(*FOUR))))
    asked = [each for moment in moments for each in moment.asked]
    [fault] = [each for each in asked if each.fault]
    assert (fault.player, fault.decision, fault.answer, fault.action) == (2, 4, came, FORFEIT)
    assert [each.decision for each in asked if each.player == 2] == [0, 1, 2, 3, 4]
    assert len([each for each in asked if each.player == 0]) >= 10


def test_several_go_out_at_once_and_the_match_is_over() -> None:
    faults = {(player, 1): (Cause.ENDED, None) for player in (0, 1, 3)}
    result, transcript = play(Match(0, 0, FOUR, 0), faults=faults)
    moments = list(replay(Watched(result, transcript, SHORT, 7, bots(*FOUR))))
    assert len([moment for moment in moments if moment.asked]) == 2
    assert result.places == (2, 2, 1, 2)


@pytest.mark.parametrize("spec", ["nimmt:classic seats=3", "nimmt:cowheadking"])
def test_where_nobody_may_be_out_a_fault_ends_it(spec: str) -> None:
    terms = Terms(game=spec, protocol="json")
    names = FOUR[: make(spec).seats]
    result, transcript = play(Match(0, 0, names, 0), terms, faults={(1, 3): (Cause.ILLEGAL, b"PLAY 1")})
    moments = list(replay(Watched(result, transcript, terms, 7, bots(*names))))
    assert moments[-1].after == moments[-1].before
    assert [each.fault for each in moments[-1].asked if each.player == 1] == list(result.faults)


def test_answers_of_other_deals_are_refused_with_the_reason() -> None:
    result, transcript = play(Match(8, 0, FOUR, 0))
    with pytest.raises(Malformed, match="match 8 are not those of its deals"):
        list(replay(Watched(result, transcript, SHORT, 8, bots(*FOUR))))


def test_a_transcript_that_is_cut_short_is_refused() -> None:
    result, transcript = play(Match(8, 0, FOUR, 0))
    cut = msgspec.structs.replace(transcript, answers=(*transcript.answers[:3], transcript.answers[3][:-1]))
    with pytest.raises(Malformed, match="has no answer to decision"):
        list(replay(Watched(result, cut, SHORT, 7, bots(*FOUR))))


def test_bots_that_sit_twice_are_told_apart() -> None:
    assert names_by_seat(Match(0, 0, ("a", "b", "a", "a"), 0)) == ("a", "b", "a (2)", "a (3)")


@pytest.mark.parametrize("faults", [{}, {(0, 3): (Cause.LATE, None)}])
def test_the_record_replays_and_tells_the_story(faults: dict[tuple[int, int], tuple[Cause, bytes | None]]) -> None:
    result, transcript = play(Match(0, 0, FOUR, 1), ARENA, faults=faults)
    rules, known = make(ARENA.game), bots(*FOUR)
    moments = list(replay(Watched(result, transcript, ARENA, 7, known)))
    record = loads(dumps(as_record(result.match, moments, rules, known)))
    assert record.result is not None
    assert tuple(record.result.scores[seat] for seat in result.match.seat_of) == result.scores
    assert list(replay_record(record))[-1].state == moments[-1].after
    assert story(record).names == names_by_seat(result.match)


def test_the_record_of_a_match_that_a_fault_ended_is_one_that_was_not_finished() -> None:
    terms = Terms(game="nimmt:cowheadking", protocol="json")
    result, transcript = play(Match(0, 0, FOUR, 0), terms, faults={(1, 3): (Cause.LATE, None)})
    rules, known = make(terms.game), bots(*FOUR)
    record = as_record(result.match, list(replay(Watched(result, transcript, terms, 7, known))), rules, known)
    assert record.result is None
    story(record)
