"""Whatever a program does, its match ends with the right verdict, and nothing of it is left running.

`tables.play` looks for what is left after each match.
"""

from pathlib import Path

import msgspec
import pytest
from tests.arena.tables import ONE_DEAL, hostile, ours, play, program

from faceup.arena import Bot, Cause, Fault

pytestmark = pytest.mark.slow  # real programs, again and again

OTHERS = (ours("lowest"), ours("highest"), ours("greedy"))
BRISK = msgspec.structs.replace(ONE_DEAL, first=0.6)


def verdict(bot: Bot, *others: Bot, block: int = 0) -> Fault | None:
    """How the bot lost its seat, if it did; nobody else did."""
    others = others or OTHERS
    result, transcript = play(bot, *others, terms=BRISK, block=block)
    assert all(fault.player == 0 for fault in result.faults)
    assert result.places[0] == (4 if result.faults else result.places[0])
    assert len(transcript.answers[1]) >= 10
    for fault in result.faults:
        assert len(transcript.answers[0]) in {fault.decision, fault.decision + 1}
        assert "\n" not in fault.words
        assert fault.words.isprintable()
    return result.faults[0] if result.faults else None


@pytest.mark.parametrize(
    "way", ["instant", "slow", "in pieces", "carriage return", "message", "reports", "deaf", "spins"]
)
def test_whoever_keeps_to_the_terms_keeps_its_seat(way: str) -> None:
    assert verdict(hostile(way)) is None


@pytest.mark.parametrize("way", ["leaves children", "multiplies", "endless log of a child"])
def test_children_that_do_not_end_are_ended(way: str) -> None:
    assert verdict(hostile(way)) is None


@pytest.mark.parametrize(
    ("way", "cause", "decision", "words"),
    [
        ("just late", Cause.LATE, 2, "100 ms were allowed"),
        ("sleeps", Cause.LATE, 1, "100 ms were allowed"),
        ("thinks", Cause.LATE, 1, "100 ms were allowed"),
        ("thinks in a child", Cause.LATE, 1, "100 ms were allowed"),
        ("thinks in threads", Cause.LATE, 1, "100 ms were allowed"),
        ("silent", Cause.LATE, 1, "no answer came within"),
        ("stops", Cause.LATE, 1, "no answer came within"),
        ("half a line", Cause.LATE, 1, "', which is not a whole line, came within"),
        ("never reads", Cause.LATE, 0, "600 ms were allowed"),
        ("crashes", Cause.ENDED, 3, "it ended with status 1 where an answer was due"),
        ("exits", Cause.ENDED, 0, "it ended where an answer was due"),
        ("exits with 3", Cause.ENDED, 1, "it ended with status 3 where an answer was due"),
        ("is killed", Cause.ENDED, 1, "it was ended by SIGSEGV where an answer was due"),
        ("closes input", Cause.ENDED, 2, "it closed its input or output where an answer was due, and ran on"),
        ("closes output", Cause.ENDED, 1, "it closed its input or output where an answer was due, and ran on"),
        ("closes everything", Cause.ENDED, 1, "it closed its input or output where an answer was due, and ran on"),
        ("garbage", Cause.MALFORMED, 1, "expected PLAY and a card, not 'hello'"),
        ("empty line", Cause.MALFORMED, 0, "expected PLAY and a card, not ''"),
        ("NUL", Cause.MALFORMED, 1, "holds a NUL byte: an answer is text"),
        ("not text", Cause.MALFORMED, 1, "'PLAY \\\\xff\\\\xfe' is not text in UTF-8"),
        ("wrong phase", Cause.MALFORMED, 0, "expected PLAY and a card, not 'PICK"),
        ("two answers", Cause.MALFORMED, 1, "after the end of its answer: one line is one answer"),
        ("endless output", Cause.MALFORMED, 1, "after the end of its answer: one line is one answer"),
        ("endless line", Cause.FLOODED, 1, "its line has more than 4,096 bytes, and begins with 'xxxxx"),
        ("huge line", Cause.FLOODED, 1, "its line has more than 4,096 bytes, and begins with 'PLAY"),
        ("endless log", Cause.FLOODED, 1, "it wrote more than 16 MB to its standard error in one match"),
        ("card not held", Cause.ILLEGAL, 1, "is not legal now; legal: PLAY"),
    ],
)
def test_whoever_breaks_the_terms_is_out(way: str, cause: Cause, decision: int, words: str) -> None:
    fault = verdict(hostile(way))
    assert fault is not None
    assert (fault.cause, fault.decision) == (cause, decision)
    assert words in fault.words


def test_a_program_that_ends_and_leaves_its_output_to_a_child_has_ended() -> None:
    fault = verdict(hostile("leaves it to a child"))
    assert fault is not None
    assert (fault.cause, fault.decision) == (Cause.ENDED, 1)
    assert "it ended with status 3" in fault.words


def test_whoever_takes_all_memory_gets_no_more_and_the_others_play_on() -> None:
    terms = msgspec.structs.replace(BRISK, memory=64 << 20)
    result, transcript = play(hostile("takes memory"), hostile("instant"), *OTHERS[:2], terms=terms)
    assert [(fault.player, fault.cause, fault.words) for fault in result.faults] == [
        (0, Cause.ENDED, "it ended with status 1 where an answer was due")
    ]
    assert b"MemoryError" in transcript.logs[0]


def test_a_row_that_is_not_there_is_no_answer() -> None:
    right = next(
        block for block in range(100) if b"PICK 0" in play(hostile("instant"), *OTHERS, block=block)[1].answers[0]
    )
    fault = verdict(hostile("row 4"), block=right)
    assert fault is not None
    assert (fault.cause, fault.words) == (Cause.MALFORMED, "expected PICK and a row that there is, not 'PICK 4'")


def test_a_second_answer_before_the_next_decision_is_malformed() -> None:
    fault = verdict(hostile("twice"), hostile("slow"), *OTHERS[:2])
    assert fault is not None
    assert (fault.cause, fault.decision in {1, 2}) == (Cause.MALFORMED, True)
    assert fault.words.endswith(("before it was asked: one line answers one decision", "one line is one answer"))


def commands(folder: Path) -> dict[str, Bot]:
    """Commands that start nothing."""
    (folder / "plain").write_text("print('PLAY 1')\n")
    (folder / "my-bot").write_text("echo PLAY 1\n")
    (folder / "my-bot").chmod(0o755)
    (folder / "nowhere").write_text("#!/no/such/interpreter\n")
    (folder / "nowhere").chmod(0o755)
    here = str(folder)
    return {
        "missing": program("missing", "./missing", folder=here),
        "not on the path": program("not on the path", "no-such-program-anywhere"),
        "here": program("here", "my-bot", folder=here),
        "folder": program("folder", here),
        "not executable": program("not executable", "./plain", folder=here),
        "needs a shell": program("needs a shell", "./my-bot", folder=here),
        "for a shell": program("for a shell", "cd", here, "&&", "./my-bot"),
        "interpreter": program("interpreter", "./nowhere", folder=here),
        "no folder": program("no folder", "true", folder=f"{here}/missing"),
        "nothing": program("nothing"),
    }


@pytest.mark.parametrize(
    ("which", "words"),
    [
        ("missing", "there is no program ./missing"),
        ("not on the path", "there is no program no-such-program-anywhere on the path"),
        ("here", "there is no program my-bot on the path: write ./my-bot for the one in its folder"),
        ("folder", " is a folder: name the program in it"),
        ("not executable", "./plain is not executable: `chmod +x ./plain`, or name what runs it"),
        ("needs a shell", "a script needs a first line such as #!/bin/sh, or its interpreter in the command"),
        ("for a shell", 'no shell reads the command: where one is needed, write sh -c "..."'),
        ("interpreter", "is there, but not what it needs to run"),
        ("no folder", "in which no folder is to run is not there"),
        ("nothing", "nothing has no command: say which program it is"),
    ],
)
def test_what_cannot_be_started_is_said(tmp_path: Path, which: str, words: str) -> None:
    fault = verdict(commands(tmp_path)[which])
    assert fault is not None
    assert (fault.cause, fault.decision) == (Cause.NOT_STARTED, 0)
    assert words in fault.words


def test_all_four_may_make_trouble() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    bots = [hostile(way) for way in ("crashes", "garbage", "leaves children", "endless log")]
    result, transcript = play(*bots, terms=BRISK)
    assert [fault.player for fault in result.faults] == [1, 3, 0]
    assert result.places == (2, 3, 1, 3)
    assert b"I feel unwell\n" in transcript.logs[0]
    assert b"ValueError: the end" in transcript.logs[0]
    assert len(transcript.logs[3]) < 70_000
    assert len(list(Path("/proc/self/fd").iterdir())) == before
