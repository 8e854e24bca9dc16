"""`faceup arena compare`, `round-robin`, `gauntlet`, `ladder` and `bots`."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.in_process import InProcessCli

Command = Callable[..., tuple[int, str, str]]

FAST = ("--game", "nimmt", "--seats", "2", "-o", "hand=2", "--jobs", "1", "--seed", "7")

BOT = """#!{python} -SE
# {version}
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "answers" in request:
        print(request["answers"][0], flush=True)
"""


@pytest.fixture
def faceup(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Return a function that runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    inside = InProcessCli(monkeypatch, capsys)
    return lambda *words: inside("arena", *words)


@pytest.mark.slow
def test_a_round_robin_is_logged_shown_and_not_replayed(faceup: Command) -> None:
    words = ("round-robin", "greedy", "lowest", "random", "--blocks", "4", *FAST)
    status, out, err = faceup(*words)
    assert status == 0, err
    assert "Writing results to round-robin.sqlite." in err
    assert "sandbox" not in err, "our own players need none"
    assert all(name in out for name in ("greedy", "lowest", "random"))
    status, again, err = faceup(*words)
    assert (status, again) == (0, out)
    assert "Resuming after 24 matches in round-robin.sqlite." in err


@pytest.mark.slow
def test_a_comparison_ends_by_itself_with_a_sentence(faceup: Command) -> None:
    status, out, err = faceup("compare", "greedy", "random", "--unit", "deal", *FAST[:-2], "--seed", "1")
    assert status == 0, err
    assert "greedy is better than random by" in out
    assert Path("compare-greedy-random.sqlite").exists()


PROGRAM = """
import sys

lines = iter(sys.stdin.readline, "")
next(lines)
while decision := [line for _, line in zip(range(13), lines)]:
    phase = decision.pop({phase})
    plays = "CARD" in phase
    print({answer}, flush=True)
"""
LOWEST = "'PLAY ' + min(decision[-1].split(), key=int) if plays else 'PICK 0'"
HIGHEST = "'PLAY ' + max(decision[-1].split(), key=int) if plays else 'PICK 0'"
NO_SUCH_ROW = "'PLAY ' + min(decision[-1].split(), key=int) if plays else 'PICK 4'"
DEALS = ("--unit", "deal", "--jobs", "2", "--seed", "7", "--time", "20000+20000")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Write programs that differ in what they play, and in where they read the phase."""
    for name, phase, answer in (
        ("lowest", 0, LOWEST),
        ("lowest_last", -1, LOWEST),
        ("highest", 0, HIGHEST),
        ("no_such_row", 0, NO_SUCH_ROW),
    ):
        (tmp_path / f"{name}.py").write_text(PROGRAM.format(phase=phase, answer=answer))
    return tmp_path


def run(name: str) -> str:
    return f"{sys.executable} -I -S {name}.py"


@pytest.mark.long
@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize("kind", ["compare", pytest.param("round-robin", marks=pytest.mark.long)])
def test_programs_with_different_phase_orders_play_each_other(faceup: Command, kind: str) -> None:
    status, out, err = faceup(kind, run("highest"), f"{run('lowest_last')}@phase-last", "--blocks", "1", *DEALS)
    assert status == 0, err
    assert "forfeited" not in err
    assert "Forfeits" not in out
    assert "highest" in out
    assert "lowest_last" in out
    status, out, err = faceup(
        kind, run("highest"), run("lowest_last"), "--blocks", "1", *DEALS, "--log", "wrong.sqlite"
    )
    assert "lowest_last forfeited match 0 at its decision 1 (" in err


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("programs")
def test_a_comparison_says_how_long_it_may_take(faceup: Command) -> None:
    status, _, err = faceup("compare", run("lowest"), run("highest"), "--blocks", "1", *DEALS)
    assert status == 0
    assert "This takes 1 block of 14 deals (14 deals).\n" in err
    words = ("compare", "greedy", "random", *DEALS[:-2], "--json")
    status, out, err = faceup(*words)
    assert status == 0
    assert (
        "This takes 24 to 452 blocks of 14 deals (at most 6,328 deals). It ends as soon as the result is clear.\n"
        in err
    )
    answer = json.loads(out)
    assert (answer["verdict"]["fewest"], answer["verdict"]["most"]) == (24, 452)
    played = answer["verdict"]["found"]["blocks"] * 14
    assert played <= answer["run"]["matches"] < played + 14
    assert answer["run"]["seconds"] > 0
    assert (answer["run"]["seconds_left_expected"], answer["run"]["seconds_left_most"]) == (0, 0)
    again = json.loads(faceup(*words)[1])["run"]
    assert again["matches"] == 0, "all matches were in the log"


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("programs")
def test_players_that_were_put_out_are_reported_before_the_verdict(faceup: Command) -> None:
    words = ("compare", run("no_such_row"), run("highest"), "--blocks", "2", *DEALS)
    status, out, err = faceup(*words)
    assert status == 0
    wrong = "(malformed): expected PICK and a row that exists; got 'PICK 4'"
    [notice] = [line for line in err.splitlines() if "forfeited" in line]
    assert notice.startswith("no_such_row forfeited match ")
    assert notice.endswith(wrong)
    words_only = " ".join(out.split())
    verdict = words_only.index("in all seatings of the two")
    assert words_only.index("Forfeits: no_such_row ") < words_only.index(notice) < verdict
    replay = out[out.index("faceup arena replay ") :].splitlines()[0].split()
    assert "  ← PICK 4\n    malformed: " in faceup(*replay[2:])[1]
    answer = json.loads(faceup(*words, "--json")[1])["verdict"]
    [(name, first)] = answer["first_out"].items()
    assert (name, first["cause"]) == ("no_such_row", "malformed")
    assert f"match {first['match']} at its decision {first['decision'] + 1} " in notice
    assert answer["words"].startswith("Forfeits: no_such_row ")


@pytest.mark.slow
def test_a_program_that_has_changed_is_another_bot(faceup: Command, tmp_path: Path) -> None:
    bot = tmp_path / "mine"
    words = ("gauntlet", "./mine", "lowest", "--blocks", "2", *FAST)
    for version in ("one", "two"):
        bot.write_text(BOT.format(python=sys.executable, version=version))
        bot.chmod(0o755)
        status, out, err = faceup(*words)
        assert status == 0, err
        assert "sandbox: off; programs have your network" in err
    assert "mine differs from the program with this name in gauntlet-mine.sqlite, so mine is renamed to mine@2." in err
    assert "mine@2" in out
    answer = json.loads(faceup("bots", "gauntlet-mine.sqlite", "--json")[1])
    assert {row["name"]: row["matches"] for row in answer}.keys() == {"lowest", "mine", "mine@2"}


def test_the_bots_of_a_file_are_listed(faceup: Command, tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text('[[bot]]\nname = "mine"\ncommand = "sh -c true"\n')
    assert faceup("bots")[1].splitlines()[1].split()[0] == "mine"
    assert json.loads(faceup("bots", "--json")[1])[0]["command"] == ["sh", "-c", "true"]
    (tmp_path / "bots.toml").unlink()
    assert "There is no bots.toml here" in faceup("bots")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("round-robin", "greedy", "greedy", *FAST), "'greedy' is named twice"),
        (("round-robin", *FAST), "must have 2 or more bots; got 0"),
        (("compare", "gredy", "lowest", *FAST), "did you mean 'greedy'"),
        (("compare", "greedy", "./none", *FAST), "there is no program"),
        (("compare", "greedy", "lowest", *FAST, "--blocks", "0"), "blocks must be 1 or more; got 0"),
        (("compare", "greedy", "lowest", *FAST, "--jobs", "0"), "jobs must be 1 to 1024; got 0"),
        (("compare", "greedy", "lowest", *FAST, "--time", "100"), "--time must be FIRST+TURN in milliseconds"),
        (("compare", "greedy", "lowest", *FAST, "--game", "nimt"), "did you mean 'nimmt'"),
        (("compare", "greedy", "lowest", *FAST, "--log", "none/x.sqlite"), "there is no folder none"),
        (("ladder", "greedy", "lowest", "--seats", "3", "--game", "nimmt"), "play a round-robin"),
        (("bots", "none.sqlite"), "there is no log none.sqlite"),
    ],
)
def test_invalid_arguments_are_rejected_in_a_sentence(faceup: Command, words: tuple[str, ...], message: str) -> None:
    status, _, err = faceup(*words)
    assert status == 2
    assert message in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_more_matches_at_once_than_cores_are_played_with_a_warning(faceup: Command) -> None:
    words = ("round-robin", "greedy", "lowest", "--blocks", "1", *FAST[:-4], "--seed", "7", "--jobs", "5")
    status, _, err = faceup(*words)
    assert status == 0
    assert "5 matches in parallel on" in err
    assert "programs compete for the processor and may exceed their time limit" in err


@pytest.mark.slow
def test_files_and_logs_may_have_names_in_any_script(faceup: Command) -> None:
    """Two names outside ASCII have two logs; a file name that is not UTF-8 is printed with escapes."""
    byte_name = b"\xff".decode("utf-8", "surrogateescape")
    for name in ("机器人", "对手", "ж" * 200, byte_name):
        Path(f"{name[:100]}.py").write_text(BOT.format(python=sys.executable, version=name[:1]), "utf-8", "replace")
    words = ("--blocks", "1", "--protocol", "json", "--time", "9000+9000", *FAST)
    for name in ("机器人", "对手", "ж" * 100, byte_name):
        status, out, err = faceup("compare", f"{sys.executable} {name}.py", "greedy", *words)
        assert status == 0, err
        assert (name[-60:] if name != byte_name else "-xff") in out
    logs = {path.name for path in Path().glob("*.sqlite")}
    assert {"compare-机器人-greedy.sqlite", "compare-对手-greedy.sqlite", "compare--xff-greedy.sqlite"} < logs
    Path("compare-对手-greedy.sqlite").rename(f"{byte_name}.sqlite")
    assert faceup("table", f"{byte_name}.sqlite")[0] == 0
    status, out, err = faceup("table", f"{byte_name}2.sqlite", "--json")
    assert (status, json.loads(out)["error"]["kind"]) == (2, "malformed")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "gauntlet"])
def test_a_byte_order_mark_before_the_first_answer_is_ignored(faceup: Command, command: str) -> None:
    code = BOT.format(python=sys.executable, version="").replace(
        "import json, sys", "import json, sys\nmark = '\\ufeff'"
    )
    code = code.replace(
        'print(request["answers"][0], flush=True)', 'print(mark + request["answers"][0], flush=True); mark = ""'
    )
    Path("bot.py").write_text(code, "utf-8")
    options = ("--protocol", "json", "--time", "9000+9000", "--game", "nimmt", "--seats", "2", "-o", "hand=2")
    more = ("greedy", "--blocks", "1", "--jobs", "1", "--seed", "7") if command == "gauntlet" else ()
    environment = ("--env", "PYTHONIOENCODING=utf-8")
    status, out, err = faceup(command, *options, *environment, f"{sys.executable} bot.py", *more)
    assert (status, "Forfeits" in out) == (0, False), out + err
