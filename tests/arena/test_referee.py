"""The referee plays by the terms, deals the same cards again, and lets down nobody who keeps to the terms."""

import os
import sys
from pathlib import Path
from time import sleep

import msgspec
import pytest
from benchmarks.building import PEERS, built
from tests.arena.tables import LEAN, ONE_DEAL, busy, hostile, left_of, ours, play, program

from faceup.arena import Bot, Cause, Match, Result, Terms, Transcript
from faceup.arena.programs.kernel import children_of, stat
from faceup.arena.referee import Referee
from faceup.core import Malformed

OURS = (ours("lowest"), ours("highest"), ours("greedy"), ours("random"))
BOTS = Path(__file__).with_name("bots")
READS_AND_TELLS = "import sys; [sys.stderr.write(sys.stdin.readline()) for _ in range(14)]"
FIRST_ANSWER = "import json\ninput()\nwhile True: print(json.loads(input())['answers'][0])"
ONE_WRONG_ANSWER = "input()\ninput()\nprint('hello')\ninput()"


def faceup(name: str) -> Bot:
    """A player of ours as the program that goes to the platform."""
    return program(f"{name} outside", sys.executable, "-P", "-m", "faceup", "bot", name, "--codingame")


def told(*bots: Bot, seed: int, block: int, rotation: int = 0) -> bytes:
    """What the program in the last player's place is sent first of all."""
    return play(*bots, program("told", *LEAN, "-c", READS_AND_TELLS), seed=seed, block=block, rotation=rotation)[
        1
    ].logs[3]


def timeless(played: tuple[Result, Transcript]) -> tuple[Result, Transcript]:
    """All but what differs from one time to the next."""
    return msgspec.structs.replace(played[0], times=()), played[1]


def test_bots_written_from_the_statement_alone_play_without_a_fault() -> None:
    cpp = program("C++", built(BOTS / "statement.cpp"))
    python = program("Python", *LEAN, str(BOTS / "statement.py"), phase_last=True)
    for rotation in range(4):
        result, transcript = play(cpp, python, *OURS[2:], terms=Terms(), block=rotation, rotation=rotation)
        assert result.faults == ()
        assert sum(result.scores) > 0
        assert all(len(answers) >= 50 for answers in transcript.answers)
        picked = [answer for answer in transcript.answers[0] if answer.startswith(b"PICK")]
        assert len(picked) == transcript.logs[0].count(b"[picks=")
        assert ("picks" in result.columns[0]) == bool(picked)
        assert [times.count for times in result.times] == [len(answers) for answers in transcript.answers]


@pytest.mark.slow
def test_our_own_bots_play_as_programs_as_they_play_inside() -> None:
    names = ("lowest", "highest", "greedy", "lowest")
    inside, _ = play(*map(ours, names))
    outside, transcript = play(*map(faceup, names))
    assert outside.faults == ()
    assert outside.scores == inside.scores
    assert all(b"the input ends where the next decision was expected" in log for log in transcript.logs)


def test_the_same_match_is_played_again_from_its_seed() -> None:
    first = play(*OURS, seed=5, block=3)
    assert timeless(play(*OURS, seed=5, block=3)) == timeless(first)
    assert play(*OURS, seed=6, block=3)[1] != first[1]
    assert play(*OURS, seed=5, block=4)[1] != first[1]


def test_all_lineups_of_a_block_get_the_same_cards_in_the_same_seats() -> None:
    first = told(*OURS[:3], seed=5, block=3)
    assert first.startswith(b"4 3\nCHOOSE_CARD_TO_PLAY\n-1 -1 -1 -1\n1\n")
    assert told(*OURS[1:], seed=5, block=3) == first
    assert told(*OURS[:3], seed=5, block=4) != first
    assert told(*OURS[:3], seed=5, block=3, rotation=1).startswith(b"4 0\n")


def test_the_phase_comes_last_for_a_bot_that_reads_it_there() -> None:
    bot = program("told", *LEAN, "-c", READS_AND_TELLS, phase_last=True)
    _, transcript = play(bot, *OURS[1:])
    assert transcript.logs[0].endswith(b"\nCHOOSE_CARD_TO_PLAY\n")


def test_results_are_by_player_and_not_by_seat() -> None:
    bots = (hostile("exits"), *OURS[1:])
    for rotation in range(4):
        result, _ = play(*bots, rotation=rotation)
        assert result.places[0] == 4
        assert [fault.player for fault in result.faults] == [0]
        assert [times.count for times in result.times][1:] != [0, 0, 0]


def test_places_fall_to_those_who_stay() -> None:
    result, transcript = play(hostile("exits"), hostile("garbage"), hostile("crashes"), hostile("instant"))
    assert [(fault.player, fault.cause, fault.decision) for fault in result.faults] == [
        (0, Cause.ENDED, 0),
        (1, Cause.MALFORMED, 1),
        (2, Cause.ENDED, 3),
    ]
    assert result.places == (4, 3, 2, 1)
    assert transcript.answers[1] == (transcript.answers[1][0], b"hello")


def test_a_bot_may_sit_in_several_seats() -> None:
    bot = hostile("instant")
    result, transcript = play(bot, bot, bot, ours("greedy"))
    assert result.faults == ()
    assert all(len(answers) >= 10 for answers in transcript.answers)


def test_what_a_program_reports_becomes_columns() -> None:
    result, transcript = play(hostile("reports"), *OURS[1:])
    assert result.columns == ({"depth": "4"}, {}, {}, {})
    assert transcript.logs[0].startswith(b"[depth=3]\nthinking\n[depth=4]\n")


def test_willing_programs_are_kept_and_told_that_a_match_begins() -> None:
    terms = Terms(game=ONE_DEAL.game, alive=True)
    kept, instant, unwilling = (
        hostile("instant", alive=True),
        program("C", built(PEERS / "instant.c"), alive=True),
        hostile("slow"),
    )
    bots = {bot.name: bot for bot in (kept, instant, unwilling)}
    processes = set()
    with Referee(terms, bots) as referee:
        for number in range(3):
            result, _ = referee.play(Match(number, number, (kept.name, instant.name, unwilling.name, kept.name), 0), 1)
            assert result.faults == ()
            assert left_of([unwilling]) == []
            processes.add((tuple(sorted(left_of([kept]))), tuple(left_of([instant]))))
    assert len(processes) == 1
    [(twice, once)] = processes
    assert (len(twice), len(once)) == (2, 1)
    assert left_of(bots.values()) == []


def test_a_program_with_a_fault_is_not_kept() -> None:
    terms = Terms(game=ONE_DEAL.game, alive=True)
    bots = {bot.name: bot for bot in (hostile("crashes", alive=True), *OURS[1:])}
    with Referee(terms, bots) as referee:
        for number in range(2):
            result, _ = referee.play(Match(number, number, tuple(bots), 0), 1)
            assert [(fault.cause, fault.decision) for fault in result.faults] == [(Cause.ENDED, 3)]
            assert left_of(bots.values()) == []


def test_a_program_that_ends_between_matches_is_started_anew() -> None:
    bot = hostile("ends between matches", alive=True)
    terms = Terms(game=ONE_DEAL.game, alive=True)
    with Referee(terms, {bot.name: bot for bot in (bot, ours("lowest"))}) as referee:
        before = children_of(os.getpid())
        for number in range(2):
            result, _ = referee.play(Match(number, number, (bot.name, "lowest", "lowest", "lowest"), 0), 1)
            assert result.faults == ()
            [process] = set(children_of(os.getpid())) - set(before)
            while stat(process).state != "Z":
                sleep(0.01)


@pytest.mark.slow
def test_programs_may_be_stopped_while_others_think() -> None:
    slow, between = hostile("slow"), []
    for stopped in (False, True):
        terms = msgspec.structs.replace(ONE_DEAL, stopped=stopped)
        result, _ = play(hostile("thinks between turns"), slow, slow, slow, terms=terms)
        assert result.faults == ()
        between.append(int(result.columns[0]["between"]))
    assert between[1] < between[0] / 2


def test_where_the_rules_know_no_forfeits_a_fault_ends_the_match() -> None:
    terms = Terms(game="nimmt:cowheadking seats=3", protocol="json")
    right, wrong = program("right", *LEAN, "-c", FIRST_ANSWER), program("wrong", *LEAN, "-c", ONE_WRONG_ANSWER)
    fine, _ = play(right, ours("lowest"), ours("greedy"), terms=terms)
    assert (fine.faults, fine.times[0].count >= 10) == ((), True)
    result, transcript = play(wrong, right, ours("greedy"), terms=terms)
    assert [(fault.player, fault.cause, fault.decision) for fault in result.faults] == [(0, Cause.MALFORMED, 0)]
    assert result.places == (3, 1, 1)
    assert transcript.answers[0] == (b"hello",)
    assert [len(answers) for answers in transcript.answers] == [1, 1, 1]
    both, _ = play(wrong, right, wrong, terms=terms)
    assert both.places == (2, 1, 2)


@pytest.mark.parametrize("game", ["niuniu seats=3", "war"])
def test_any_game_is_played(game: str) -> None:
    right = program("right", *LEAN, "-c", FIRST_ANSWER)
    bots = (right, *([ours("random")] * (game.count("seats") + 1)))
    first, transcript = play(*bots, terms=Terms(game=game, protocol="json"), seed=3)
    assert first.faults == ()
    assert min(first.places) == 1
    assert play(*bots, terms=Terms(game=game, protocol="json"), seed=3)[1] == transcript


def test_who_plays_is_checked() -> None:
    with Referee(ONE_DEAL, {bot.name: bot for bot in OURS}) as referee:
        with pytest.raises(Malformed, match=r"there is no bot 'gredy'; did you mean 'greedy'\?"):
            referee.play(Match(0, 0, ("gredy", "lowest", "highest", "random"), 0), 1)
        with pytest.raises(Malformed, match="has 4 seats, and the lineup 2 bots"):
            referee.play(Match(0, 0, ("greedy", "lowest"), 0), 1)


def instant_turns(turns: int) -> int:
    """How many turns four instant programs played while all cores were busy; none of them may lose its seat."""
    instant = program("C", built(PEERS / "instant.c"), alive=True)
    terms = Terms(alive=True)
    played = 0
    with busy(os.cpu_count() or 1), Referee(terms, {"C": instant}) as referee:
        while played < turns:
            result, transcript = referee.play(Match(played, played, ("C",) * 4, 0), 7)
            assert result.faults == ()
            played += len(transcript.answers[0])
    return played


@pytest.mark.slow
def test_an_instant_bot_is_never_out_in_a_thousand_turns_on_a_busy_machine() -> None:
    assert instant_turns(1000) >= 1000


@pytest.mark.long
def test_an_instant_bot_is_never_out_in_twenty_thousand_turns_on_a_busy_machine() -> None:
    assert instant_turns(20_000) >= 20_000


@pytest.mark.long
def test_two_newcomers_play_a_thousand_matches_without_a_fault_of_the_referee() -> None:
    cpp = program("C++", built(BOTS / "statement.cpp"))
    python = program("Python", *LEAN, str(BOTS / "statement.py"), phase_last=True)
    bots = {bot.name: bot for bot in (cpp, python, *OURS[2:])}
    with Referee(ONE_DEAL, bots) as referee:
        for number in range(1000):
            result, _ = referee.play(Match(number, number, tuple(bots), number % 4), 3)
            assert result.faults == ()
    assert left_of(bots.values()) == []


@pytest.mark.long
def test_memory_stays_flat_over_a_hundred_thousand_matches() -> None:
    instant = program("C", built(PEERS / "instant.c"), alive=True)
    terms = Terms(game="nimmt:arena deals=1 hand=2", alive=True)
    resident = []
    with Referee(terms, {"C": instant}) as referee:
        for number in range(100_000):
            referee.play(Match(number, number, ("C",) * 4, 0), 3)
            if number in {1000, 99_999}:
                resident.append(_resident())
    assert resident[1] - resident[0] < 1 << 20


def _resident() -> int:
    """Bytes of this process that are in memory, by Linux's own count."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
