"""Referee: enforces the terms, deals reproducibly, and never faults a correct program."""

import os
import sys
from pathlib import Path
from time import sleep

import msgspec
import pytest
from benchmarks.native_build import PEERS, built
from tests.arena.tables import LEAN, ONE_DEAL, builtin, busy, hostile, left_of, play, program

from faceup.arena import Bot, Cause, Match, MatchResult, MatchTerms, Transcript
from faceup.arena.match.referee import Referee
from faceup.arena.process.linux import children_of, stat
from faceup.core import Malformed

BUILTIN_BOTS = (builtin("lowest"), builtin("highest"), builtin("greedy"), builtin("random"))
BOTS = Path(__file__).parents[1] / "bots"
ECHO_TO_STDERR = "import sys; [sys.stderr.write(sys.stdin.readline()) for _ in range(14)]"
FIRST_ANSWER = "import json\ninput()\nwhile True: print(json.loads(input())['answers'][0])"
ONE_WRONG_ANSWER = "input()\ninput()\nprint('hello')\ninput()"


def faceup(name: str) -> Bot:
    """Return a built-in bot as a program."""
    return program(f"{name} outside", sys.executable, "-P", "-m", "faceup", "bot", name, "--codingame")


def first_request(*bots: Bot, seed: int, block: int, rotation: int = 0) -> bytes:
    """Return the first request of the last player."""
    return play(*bots, program("echo", *LEAN, "-c", ECHO_TO_STDERR), seed=seed, block=block, rotation=rotation)[1].logs[
        3
    ]


def timeless(played: tuple[MatchResult, Transcript]) -> tuple[MatchResult, Transcript]:
    """Return a match without its times."""
    return msgspec.structs.replace(played[0], times=()), played[1]


def test_bots_written_from_the_statement_play_without_faults() -> None:
    cpp = program("C++", built(BOTS / "statement.cpp"))
    python = program("Python", *LEAN, str(BOTS / "statement.py"), phase_last=True)
    for rotation in range(4):
        result, transcript = play(cpp, python, *BUILTIN_BOTS[2:], terms=MatchTerms(), block=rotation, rotation=rotation)
        assert result.faults == ()
        assert sum(result.scores) > 0
        assert all(len(answers) >= 50 for answers in transcript.answers)
        picked = [answer for answer in transcript.answers[0] if answer.startswith(b"PICK")]
        assert len(picked) == transcript.logs[0].count(b"[picks=")
        assert ("picks" in result.columns[0]) == bool(picked)
        assert [times.count for times in result.times] == [len(answers) for answers in transcript.answers]


@pytest.mark.slow
def test_builtin_bots_play_the_same_as_programs() -> None:
    names = ("lowest", "highest", "greedy", "lowest")
    inside, _ = play(*map(builtin, names))
    outside, transcript = play(*map(faceup, names))
    assert outside.faults == ()
    assert outside.scores == inside.scores
    assert all(b"the input ends where the next decision was expected" in log for log in transcript.logs)


def test_match_is_reproducible_from_seed() -> None:
    first = play(*BUILTIN_BOTS, seed=5, block=3)
    assert timeless(play(*BUILTIN_BOTS, seed=5, block=3)) == timeless(first)
    assert play(*BUILTIN_BOTS, seed=6, block=3)[1] != first[1]
    assert play(*BUILTIN_BOTS, seed=5, block=4)[1] != first[1]


def test_all_lineups_of_a_block_get_the_same_cards_in_the_same_seats() -> None:
    first = first_request(*BUILTIN_BOTS[:3], seed=5, block=3)
    assert first.startswith(b"4 3\nCHOOSE_CARD_TO_PLAY\n-1 -1 -1 -1\n1\n")
    assert first_request(*BUILTIN_BOTS[1:], seed=5, block=3) == first
    assert first_request(*BUILTIN_BOTS[:3], seed=5, block=4) != first
    assert first_request(*BUILTIN_BOTS[:3], seed=5, block=3, rotation=1).startswith(b"4 0\n")


def test_phase_last_is_sent_last() -> None:
    bot = program("echo", *LEAN, "-c", ECHO_TO_STDERR, phase_last=True)
    _, transcript = play(bot, *BUILTIN_BOTS[1:])
    assert transcript.logs[0].endswith(b"\nCHOOSE_CARD_TO_PLAY\n")


def test_results_are_by_player_and_not_by_seat() -> None:
    bots = (hostile("exits"), *BUILTIN_BOTS[1:])
    for rotation in range(4):
        result, _ = play(*bots, rotation=rotation)
        assert result.places[0] == 4
        assert [fault.player for fault in result.faults] == [0]
        assert [times.count for times in result.times][1:] != [0, 0, 0]


def test_forfeited_bots_are_placed_last() -> None:
    result, transcript = play(hostile("exits"), hostile("garbage"), hostile("crashes"), hostile("instant"))
    assert [(fault.player, fault.cause, fault.decision) for fault in result.faults] == [
        (0, Cause.ENDED, 0),
        (1, Cause.MALFORMED, 1),
        (2, Cause.ENDED, 3),
    ]
    assert result.places == (4, 3, 2, 1)
    assert transcript.answers[1] == (transcript.answers[1][0], b"hello")


def test_bot_can_have_several_seats() -> None:
    bot = hostile("instant")
    result, transcript = play(bot, bot, bot, builtin("greedy"))
    assert result.faults == ()
    assert all(len(answers) >= 10 for answers in transcript.answers)


def test_reported_values_become_columns() -> None:
    result, transcript = play(hostile("reports"), *BUILTIN_BOTS[1:])
    assert result.columns == ({"depth": "4"}, {}, {}, {})
    assert transcript.logs[0].startswith(b"[depth=3]\nthinking\n[depth=4]\n")


def test_programs_are_kept_alive_between_matches() -> None:
    terms = MatchTerms(game=ONE_DEAL.game, alive=True)
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


def test_program_with_fault_is_not_kept_alive() -> None:
    terms = MatchTerms(game=ONE_DEAL.game, alive=True)
    bots = {bot.name: bot for bot in (hostile("crashes", alive=True), *BUILTIN_BOTS[1:])}
    with Referee(terms, bots) as referee:
        for number in range(2):
            result, _ = referee.play(Match(number, number, tuple(bots), 0), 1)
            assert [(fault.cause, fault.decision) for fault in result.faults] == [(Cause.ENDED, 3)]
            assert left_of(bots.values()) == []


def test_program_that_exits_between_matches_is_restarted() -> None:
    bot = hostile("ends between matches", alive=True)
    terms = MatchTerms(game=ONE_DEAL.game, alive=True)
    with Referee(terms, {bot.name: bot for bot in (bot, builtin("lowest"))}) as referee:
        before = children_of(os.getpid())
        for number in range(2):
            result, _ = referee.play(Match(number, number, (bot.name, "lowest", "lowest", "lowest"), 0), 1)
            assert result.faults == ()
            [process] = set(children_of(os.getpid())) - set(before)
            while stat(process).state != "Z":
                sleep(0.01)


@pytest.mark.slow
def test_programs_are_suspended_between_turns() -> None:
    slow, between = hostile("slow"), []
    for stopped in (False, True):
        terms = msgspec.structs.replace(ONE_DEAL, stopped=stopped)
        result, _ = play(hostile("thinks between turns"), slow, slow, slow, terms=terms)
        assert result.faults == ()
        between.append(int(result.columns[0]["between"]))
    assert between[1] < between[0] / 2


def test_fault_ends_match_without_forfeits() -> None:
    terms = MatchTerms(game="nimmt:cowheadking seats=3", protocol="json")
    right, wrong = program("right", *LEAN, "-c", FIRST_ANSWER), program("wrong", *LEAN, "-c", ONE_WRONG_ANSWER)
    fine, _ = play(right, builtin("lowest"), builtin("greedy"), terms=terms)
    assert (fine.faults, fine.times[0].count >= 10) == ((), True)
    result, transcript = play(wrong, right, builtin("greedy"), terms=terms)
    assert [(fault.player, fault.cause, fault.decision) for fault in result.faults] == [(0, Cause.MALFORMED, 0)]
    assert result.places == (3, 1, 1)
    assert transcript.answers[0] == (b"hello",)
    assert [len(answers) for answers in transcript.answers] == [1, 1, 1]
    both, _ = play(wrong, right, wrong, terms=terms)
    assert both.places == (2, 1, 2)


@pytest.mark.parametrize("game", ["niuniu seats=3", "war"])
def test_any_game_is_played(game: str) -> None:
    right = program("right", *LEAN, "-c", FIRST_ANSWER)
    bots = (right, *([builtin("random")] * (game.count("seats") + 1)))
    first, transcript = play(*bots, terms=MatchTerms(game=game, protocol="json"), seed=3)
    assert first.faults == ()
    assert min(first.places) == 1
    assert play(*bots, terms=MatchTerms(game=game, protocol="json"), seed=3)[1] == transcript


def test_invalid_lineup_is_refused() -> None:
    with Referee(ONE_DEAL, {bot.name: bot for bot in BUILTIN_BOTS}) as referee:
        with pytest.raises(Malformed, match=r"there is no bot 'gredy'; did you mean 'greedy'\?"):
            referee.play(Match(0, 0, ("gredy", "lowest", "highest", "random"), 0), 1)
        with pytest.raises(Malformed, match=r"must have 4 bots, one for each seat of .*; got 2"):
            referee.play(Match(0, 0, ("greedy", "lowest"), 0), 1)


def instant_turns(turns: int) -> int:
    """Play four instant programs on busy cores without faults; return the number of turns."""
    instant = program("C", built(PEERS / "instant.c"), alive=True)
    terms = MatchTerms(alive=True)
    played = 0
    with busy(os.cpu_count() or 1), Referee(terms, {"C": instant}) as referee:
        while played < turns:
            result, transcript = referee.play(Match(played, played, ("C",) * 4, 0), 7)
            assert result.faults == ()
            played += len(transcript.answers[0])
    return played


@pytest.mark.long
def test_fast_bot_never_times_out_in_a_thousand_turns_on_a_busy_machine() -> None:
    assert instant_turns(1000) >= 1000


@pytest.mark.long
def test_fast_bot_never_times_out_in_twenty_thousand_turns_on_a_busy_machine() -> None:
    assert instant_turns(20_000) >= 20_000


@pytest.mark.long
def test_two_programs_play_a_thousand_matches_without_faults() -> None:
    cpp = program("C++", built(BOTS / "statement.cpp"))
    python = program("Python", *LEAN, str(BOTS / "statement.py"), phase_last=True)
    bots = {bot.name: bot for bot in (cpp, python, *BUILTIN_BOTS[2:])}
    with Referee(ONE_DEAL, bots) as referee:
        for number in range(1000):
            result, _ = referee.play(Match(number, number, tuple(bots), number % 4), 3)
            assert result.faults == ()
    assert left_of(bots.values()) == []


@pytest.mark.long
def test_memory_use_is_constant_over_a_hundred_thousand_matches() -> None:
    instant = program("C", built(PEERS / "instant.c"), alive=True)
    terms = MatchTerms(game="nimmt:arena deals=1 hand=2", alive=True)
    resident = []
    with Referee(terms, {"C": instant}) as referee:
        for number in range(100_000):
            referee.play(Match(number, number, ("C",) * 4, 0), 3)
            if number in {1000, 99_999}:
                resident.append(_resident())
    assert resident[1] - resident[0] < 1 << 20


def _resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
