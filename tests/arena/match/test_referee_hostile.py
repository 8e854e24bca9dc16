"""Referee with hostile programs: the fault is correct, and no process is left.

`tables.play` checks for remaining processes after each match.
"""

from pathlib import Path

import msgspec
import pytest
from tests.arena.tables import ONE_DEAL, builtin, hostile, play, program

from faceup.arena import Bot, Cause, Fault

pytestmark = pytest.mark.slow  # starts real programs

OTHERS = (builtin("lowest"), builtin("highest"), builtin("greedy"))
BRISK = msgspec.structs.replace(ONE_DEAL, first=0.6)


def verdict(bot: Bot, *others: Bot, block: int = 0) -> Fault | None:
    """Return the fault of the bot, if any; the others have none."""
    others = others or OTHERS
    result, transcript = play(bot, *others, terms=BRISK, block=block)
    assert all(fault.player == 0 for fault in result.faults)
    assert result.places[0] == (4 if result.faults else result.places[0])
    assert len(transcript.answers[1]) >= 10
    for fault in result.faults:
        assert len(transcript.answers[0]) in {fault.decision, fault.decision + 1}
        assert "\n" not in fault.message
        assert fault.message.isprintable()
    return result.faults[0] if result.faults else None


@pytest.mark.parametrize(
    "way", ["instant", "slow", "in pieces", "carriage return", "message", "reports", "deaf", "spins"]
)
def test_correct_program_has_no_fault(way: str) -> None:
    assert verdict(hostile(way)) is None


@pytest.mark.parametrize("way", ["leaves children", "multiplies"])
def test_descendants_are_killed(way: str) -> None:
    assert verdict(hostile(way)) is None


def test_flooding_descendant_is_killed() -> None:
    fault = verdict(hostile("endless log of a child"))
    assert fault is None or fault.cause is Cause.FLOODED  # on a slow machine it reaches the limit before the end


@pytest.mark.sample(6)
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
        (
            "crashes",
            Cause.ENDED,
            3,
            "it ended with status 1 after the exception 'ValueError: the end' when an answer was due",
        ),
        ("exits", Cause.ENDED, 0, "it ended when an answer was due"),
        ("exits with 3", Cause.ENDED, 1, "it ended with status 3 when an answer was due"),
        ("is killed", Cause.ENDED, 1, "it was ended by SIGSEGV when an answer was due"),
        ("closes input", Cause.ENDED, 2, "it closed its input or output when an answer was due, and kept running"),
        ("closes output", Cause.ENDED, 1, "it closed its input or output when an answer was due, and kept running"),
        ("closes everything", Cause.ENDED, 1, "it closed its input or output when an answer was due, and kept running"),
        ("garbage", Cause.MALFORMED, 1, "expected PLAY and a card; got 'hello'"),
        ("empty line", Cause.MALFORMED, 0, "expected PLAY and a card; got ''"),
        ("NUL", Cause.MALFORMED, 1, "contains a NUL byte; an answer must be text"),
        ("not text", Cause.MALFORMED, 1, "'PLAY \\\\xff\\\\xfe' is not text in UTF-8"),
        ("wrong phase", Cause.MALFORMED, 0, "expected PLAY and a card; got 'PICK"),
        ("two answers", Cause.MALFORMED, 1, "; an answer must be one line"),
        ("endless output", Cause.MALFORMED, 1, "; an answer must be one line"),
        ("endless line", Cause.FLOODED, 1, "its line has more than 4,096 bytes, starting with 'xxxxx"),
        ("huge line", Cause.FLOODED, 1, "its line has more than 4,096 bytes, starting with 'PLAY"),
        ("endless log", Cause.FLOODED, 1, "it wrote more than 16 MB to its standard error in one match"),
        ("card not held", Cause.ILLEGAL, 1, "is not legal now; legal answers: PLAY"),
    ],
)
def test_broken_terms_are_a_fault(way: str, cause: Cause, decision: int, words: str) -> None:
    fault = verdict(hostile(way))
    assert fault is not None
    assert (fault.cause, fault.decision) == (cause, decision)
    assert words in fault.message


def test_exited_program_with_open_stdout_in_child_has_ended() -> None:
    fault = verdict(hostile("leaves it to a child"))
    assert fault is not None
    assert (fault.cause, fault.decision) == (Cause.ENDED, 1)
    assert "it ended with status 3" in fault.message


def test_memory_limit_ends_only_the_program() -> None:
    terms = msgspec.structs.replace(ONE_DEAL, first=10.0, turn=10.0, memory=64 << 20)  # a slow machine takes its time
    result, transcript = play(hostile("takes memory"), hostile("instant"), *OTHERS[:2], terms=terms)
    assert [(fault.player, fault.cause, fault.message) for fault in result.faults] == [
        (0, Cause.ENDED, "it ended with status 1 after the exception 'MemoryError' when an answer was due")
    ]
    assert b"MemoryError" in transcript.logs[0]


def test_row_out_of_range_is_malformed() -> None:
    right = next(
        block for block in range(100) if b"PICK 0" in play(hostile("instant"), *OTHERS, block=block)[1].answers[0]
    )
    fault = verdict(hostile("row 4"), block=right)
    assert fault is not None
    assert (fault.cause, fault.message) == (Cause.MALFORMED, "expected PICK and a row that exists; got 'PICK 4'")


def test_second_answer_is_malformed() -> None:
    fault = verdict(hostile("twice"), hostile("slow"), *OTHERS[:2])
    assert fault is not None
    assert (fault.cause, fault.decision in {1, 2}) == (Cause.MALFORMED, True)
    assert fault.message.endswith(
        ("before it was asked; it must write one line for each decision", "an answer must be one line")
    )


def commands(folder: Path) -> dict[str, Bot]:
    """Return commands that cannot start."""
    (folder / "plain").write_text("print('PLAY 1')\n")
    (folder / "my-bot").write_text("echo PLAY 1\n")
    (folder / "my-bot").chmod(0o755)
    (folder / "nowhere").write_text("#!/no/such/interpreter\n")
    (folder / "nowhere").chmod(0o755)
    current = str(folder)
    return {
        "missing": program("missing", "./missing", folder=current),
        "not on the path": program("not on the path", "no-such-program-anywhere"),
        "here": program("here", "my-bot", folder=current),
        "folder": program("folder", current),
        "not executable": program("not executable", "./plain", folder=current),
        "needs a shell": program("needs a shell", "./my-bot", folder=current),
        "for a shell": program("for a shell", "cd", current, "&&", "./my-bot"),
        "interpreter": program("interpreter", "./nowhere", folder=current),
        "no folder": program("no folder", "true", folder=f"{current}/missing"),
        "nothing": program("nothing"),
    }


@pytest.mark.parametrize(
    ("which", "words"),
    [
        ("missing", "there is no program ./missing"),
        ("not on the path", "there is no program no-such-program-anywhere on the path"),
        ("here", "there is no program my-bot on the path; write ./my-bot for the one in its folder"),
        ("folder", " is a folder; name the program in it"),
        ("not executable", "./plain is not executable; run `chmod +x ./plain`, or name its interpreter"),
        (
            "needs a shell",
            "a script must have a first line such as #!/bin/sh, or the command must name its interpreter",
        ),
        ("for a shell", 'no shell reads the command; if it needs one, write sh -c "..."'),
        ("interpreter", "exists, but the interpreter or loader"),
        ("no folder", "of no folder does not exist"),
        ("nothing", "nothing has no command; it must name a program"),
    ],
)
def test_program_that_cannot_start_is_explained(tmp_path: Path, which: str, words: str) -> None:
    fault = verdict(commands(tmp_path)[which])
    assert fault is not None
    assert (fault.cause, fault.decision) == (Cause.NOT_STARTED, 0)
    assert words in fault.message


def test_four_hostile_programs_in_one_match() -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    bots = [hostile(way) for way in ("crashes", "garbage", "leaves children", "endless log")]
    result, transcript = play(*bots, terms=BRISK)
    assert [fault.player for fault in result.faults] == [1, 3, 0]
    assert result.places == (2, 3, 1, 3)
    assert b"I feel unwell\n" in transcript.logs[0]
    assert b"ValueError: the end" in transcript.logs[0]
    assert len(transcript.logs[3]) < 70_000
    assert len(list(Path("/proc/self/fd").iterdir())) == before
