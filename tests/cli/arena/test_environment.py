"""Programs get the same environment in every command, and commands may use a shell."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from tests.arena.example_bots import BOTS
from tests.cli.in_process import inside as faceup

from faceup.arena.process.sandbox import sandbox_unavailable_reason
from faceup.arena.process.spawn import INHERITED_VARIABLES
from faceup.arena.run.log import read_log

pytestmark = pytest.mark.slow  # starts many processes

BOT = (BOTS / "any_game.py").read_text("utf-8")
SHOWING = "import os, sys\nprint('VARIABLES', *sorted(f'{k}={v}' for k, v in os.environ.items()), file=sys.stderr)\n"
OURS = ("greedy", "greedy", "greedy")
GAME = ("--game", "nimmt:arena", "--protocol", "json", "--time", "9000+9000")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a program that shows its environment."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(f"{BOT.partition(chr(10))[0]}\n{SHOWING}{BOT.partition(chr(10))[2]}")
    monkeypatch.setenv("SECRET", "7")
    monkeypatch.setenv("OPEN", "8")
    return tmp_path


def shown(text: str) -> list[str]:
    """Return the variables that a program showed, without those that Python itself sets."""
    match = re.search(r"VARIABLES (.*)", text)
    assert match is not None, text
    return [word for word in match[1].split() if "=" in word and not word.startswith(("LC_CTYPE=", "FACEUP_OUTPUT="))]


def test_a_program_has_the_same_environment_everywhere(folder: Path) -> None:
    added = ("--env", "OPEN", "--env", "SET=x=y")
    program = f"{sys.executable} bot.py"
    match = faceup("arena", "match", *GAME, *added, "--deals", "1", "--format", "json", "--", program, *OURS)
    first = shown(json.loads(match.stdout)["logs"][0])
    inherited = [f"{name}={os.environ[name]}" for name in INHERITED_VARIABLES if name in os.environ]
    assert first == sorted([*[word for word in inherited if not word.startswith("LC_CTYPE=")], "OPEN=8", "SET=x=y"])
    words = (*GAME, *added, "--blocks", "1", "--unit", "deal", "--seed", "7", "--log", "log.sqlite")
    done = faceup("arena", "gauntlet", *words, program, "greedy", "lowest", "highest")
    assert done.returncode == 0, done.stderr
    for command in ((), ("--", *program.split())):
        replayed = faceup(
            "arena", "replay", "log.sqlite", "0", *(added if command else ()), "--to-bot", "bot", *command
        )
        assert shown(replayed.stdout) == first, replayed.stderr
    failing = (folder / "bot.py").read_text().replace(SHOWING, f"{SHOWING}print(1, flush=True)\n")
    (folder / "failing.py").write_text(failing)
    checked = faceup("arena", "check", *GAME, *added, f"{sys.executable} failing.py")
    assert shown(checked.stdout) == first, checked.stdout


def test_bots_toml_adds_variables_of_one_bot(folder: Path) -> None:
    entry = f'[[bot]]\nname = "mine"\ncommand = "{sys.executable} bot.py"\nenvironment = {{ OPEN = "9" }}\n'
    (folder / "bots.toml").write_text(entry)
    match = faceup("arena", "match", *GAME, "--env", "OPEN", "--deals", "1", "--format", "json", "--", "mine", *OURS)
    assert "OPEN=9" in shown(json.loads(match.stdout)["logs"][0])


@pytest.mark.usefixtures("folder")
def test_an_invalid_variable_is_refused() -> None:
    for word, message in (("=7", "--env must be NAME or NAME=VALUE"), ("NONE", "there is no variable NONE; write")):
        done = faceup("arena", "check", "--env", word, f"{sys.executable} bot.py")
        assert (done.returncode, message in done.stderr) == (2, True)


@pytest.mark.sample(1)
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("script", ["PY bot.py 2>/dev/null", "exec PY ./bot.py 2> errors.log", "cat | PY bot.py"])
def test_a_shell_command_passes_as_the_hint_recommends(script: str) -> None:
    done = faceup("arena", "check", *GAME, f'sh -c "{script.replace("PY", sys.executable)}"')
    assert done.returncode == 0, done.stdout + done.stderr
    assert "bot follows the protocol" in done.stdout


def test_explain_shows_what_belongs_to_a_program(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "weights.bin").write_text("7")
    words = ("arena", "check", "--env", "OPEN", "--explain", f"{sys.executable} bot.py data --log old.log")
    text = faceup(*words).stdout
    for shown_text in ("bot runs in a copy", "its own 2 files, read-only", "data/weights.bin", "OPEN", "digest: "):
        assert shown_text in text
    assert "written by it, in the folder that $FACEUP_OUTPUT names:\n  old.log\n" in text
    assert f"installed, used where it is: {sys.executable}" in text
    answer = json.loads(faceup(*words, "--json").stdout)
    assert answer["files"] == {name: str(folder / name) for name in ("bot.py", "data/weights.bin")}
    assert answer["outputs"] == ["old.log"]
    assert answer["command"] == [sys.executable, "bot.py", "data", "--log", "old.log"]


def test_errors_say_that_a_program_runs_from_a_copy(folder: Path) -> None:
    (folder / "bad.py").write_text("open('weights.bin')\n")
    (folder / "weights.bin").write_text("7")
    done = faceup("arena", "match", *GAME, "--deals", "1", "--", f"{sys.executable} bad.py", *OURS)
    assert "when an answer was due; the program runs from a copy of its files, which `faceup arena check" in done.stdout


def test_a_program_that_writes_a_log_runs_twice(folder: Path) -> None:
    code = (folder / "bot.py").read_text().replace(SHOWING, "import sys\nopen(sys.argv[2], 'w').write('x')\n")
    (folder / "bot.py").write_text(code)
    (folder / "bot.txt").write_text("old")
    for _ in range(2):
        done = faceup("arena", "check", *GAME, f"{sys.executable} bot.py --log bot.txt")
        assert done.returncode == 0, done.stdout
    assert (folder / "bot.txt").read_text() == "old"


WRITING = """
import os, sys
for path in (sys.argv[1], os.path.join(os.environ["FACEUP_OUTPUT"], "own.txt")):
    open(path, "a").write("played ")
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("sandbox", [(), ("--sandbox",)])
@pytest.mark.parametrize("program", ["PY bot.py --log moves.txt", 'sh -c "PY bot.py x.log 2>moves.txt"'])
def test_what_a_program_writes_is_in_its_output_folder(folder: Path, program: str, sandbox: tuple[str, ...]) -> None:
    if sandbox and sandbox_unavailable_reason():
        pytest.skip("this machine has no sandbox")
    code = (folder / "bot.py").read_text().replace(SHOWING, WRITING.replace("argv[1]", "argv[-1]"))
    (folder / "bot.py").write_text(code)
    (folder / "moves.txt").write_text("old")
    for blocks in ("1", "2"):
        words = (*GAME, *sandbox, "--unit", "deal", "--seed", "7", "--log", "run.sqlite", "--blocks", blocks)
        done = faceup("arena", "gauntlet", *words, program.replace("PY", sys.executable), "greedy", "lowest", "highest")
        assert done.returncode == 0, done.stderr
        (folder / "moves.txt").write_text("new")  # does not make it another program
    [bot] = [bot for bot in json.loads(faceup("arena", "bots", "run.sqlite", "--json").stdout) if not bot["player"]]
    outputs = folder / "run.sqlite.files" / f"{bot['digest'][:16]}.output"
    assert (outputs / "own.txt").read_text().startswith("played played")
    assert (outputs / "moves.txt").exists()
    with read_log(Path("run.sqlite")) as log:
        assert not [result.faults for result in log.all_results() if result.faults]
