"""The command without streams, disk space, permissions or encodings: one clear message, and no game is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.in_process import inside

from faceup.cli.main import GROUPS, parser
from faceup.core import Malformed
from faceup.core.record import loads
from faceup.terminal import list_saved

pytestmark = pytest.mark.slow  # starts many processes

SHORT = ("niuniu", "--plain")
POSIX = pytest.mark.skipif(os.name != "posix", reason="shells and their streams are POSIX")


def shell(line: str, data: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `$faceup` is the command."""
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("$faceup", f"{sys.executable} -m faceup")],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        env={**os.environ, "FACEUP_DATA": str(data), **more},
    )


@pytest.mark.sample(1)
@POSIX
@pytest.mark.parametrize(
    "line",
    [
        "$faceup <&-",
        "$faceup play war --plain <&-",
        "$faceup watch niuniu >&-",
        "$faceup play niuniu --plain <&- >&- 2>&-",
        "$faceup games >&-",
        "$faceup niuniu score --ndjson <&-",
        """echo '{"dice":[1,2,3,4,5]}' | $faceup niuniu score --ndjson >&-""",
    ],
)
def test_closed_streams_act_like_empty_ones(line: str, tmp_path: Path) -> None:
    done = shell(line, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.sample(1)
@POSIX
@pytest.mark.parametrize("words", ["games", "schema", "--help", "niuniu score 1 2 3 4 5", "watch niuniu --json"])
def test_a_closed_pipe_or_full_disk_prints_at_most_one_line(words: str, tmp_path: Path) -> None:
    assert shell(f"$faceup {words} | true", tmp_path).stderr == ""
    if Path("/dev/full").exists() and words != "--help":  # argparse ignores write errors
        full = shell(f"$faceup {words} > /dev/full", tmp_path)
        assert (full.returncode, full.stderr) == (1, "faceup: No space left on device\n")


def test_unencodable_characters_are_escaped(tmp_path: Path) -> None:
    for words in (SHORT, ("niuniu", "--json")):
        done = shell(f"$faceup play {' '.join(words)} -p Öğe", tmp_path, PYTHONIOENCODING="ascii")
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert json.loads(done.stdout.splitlines()[0])["message"].startswith("Niu Niu, Battle: Öğe")


@POSIX
def test_undecodable_input_is_rejected_and_play_continues(tmp_path: Path) -> None:
    done = shell(r"printf '\377\376\n\n' | $faceup play niuniu --plain", tmp_path, PYTHONUTF8="1")
    assert "is not one of your choices: throw" in done.stdout
    assert "Replay: faceup replay " in done.stdout


def test_ctrl_c_while_modules_are_imported_prints_nothing() -> None:
    program = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'faceup.cli.arena': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "import faceup.__main__"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_database_that_is_none_is_named_with_the_fault(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    for path, fault in ((tmp_path / "none.sqlite", "does not exist"), (tmp_path, "is not a file"), (empty, "is empty")):
        done = inside("admin", "tables", "list", "--database", str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"faceup: the database {path} {fault}; run `faceup serve` to create it")
    assert not empty.stat().st_size


def test_usage_errors_are_json_with_json() -> None:
    match = ("arena", "match", "--nonsense")
    for words in (
        *(("games", "--json", "--nonsense"), ("sim", "--json", "--deals", "many"), ("plai", "--json")),
        *((*match, "--format", "json"), (*match, "--format=json"), (*match, "--json")),
        ("niuniu", "score", "--ndjson", "--nonsense"),
    ):
        done = inside(*words)
        assert (done.returncode, done.stderr) == (2, "")
        answer = json.loads(done.stdout)["error"]
        assert answer["kind"] == "malformed"
        assert "--help`)" in answer["message"]
    done = inside("games", "--nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: ")


def test_errors_are_json_with_json() -> None:
    for words in (("niuniu", "score", "1", "--json"), ("play", "nimt", "--json"), ("replay", "nowhere", "--json")):
        done = inside(*words)
        assert (done.returncode, done.stderr) == (2, "")
        assert json.loads(done.stdout)["error"]["kind"] == "malformed"


def test_failures_of_the_system_are_json_with_json(tmp_path: Path) -> None:
    database = f"postgresql://faceup@/faceup?host={tmp_path}"  # no server listens there
    match = ("arena", "match", "--game", "war", "-l", str(tmp_path), "random", "random")  # the folder is no log file
    for words in (
        ("admin", "tables", "list", "--json", "--database", database),
        *((*match, "--json"), (*match, "--format", "json"), (*match, "--format=json")),
    ):
        done = inside(*words)
        assert (done.returncode, done.stderr) == (1, ""), words
        assert json.loads(done.stdout)["error"]["kind"] == "unavailable"
    done = inside(*match, "--format", "json", "--format", "words")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("faceup: ")


def test_every_command_can_answer_in_json(tmp_path: Path) -> None:
    record, log = tmp_path / "game.json", tmp_path / "compare.sqlite"
    commands = [
        ["watch", "niuniu", "--record", str(record)], ["replay", str(record)], ["draw", str(record)],
        ["play", "niuniu"], ["resume"], ["saved"], ["games"], ["schema"], ["completion", "bash"],
        ["nimmt", "place", "--rows", "5/6/88/29", "--plays", "7,44"], ["niuniu", "score", "1", "2", "3", "4", "5"],
        ["war", "play"], ["warm"], ["sim", "niuniu", "--deals", "9"], ["odds", "niuniu"],
        ["bots"],
        ["bots", "compare", "greedy", "random", "--blocks", "2", "--jobs", "1", "--log", str(log)],
        ["review", str(record)], ["export", "greedy"], ["rules", "war"], ["llm", "--prompt", "war"],
        ["exploit", "random", "--game", "nimmt:tiny", "--jobs", "1"],
        ["puzzles", "make", "--count", "1", "--seed", "2", "--out", str(tmp_path / "puzzles.json")],
    ]  # fmt: skip
    for words in commands:
        done = inside(*words, "--json", data=tmp_path)
        assert done.returncode == 0, done.stderr
        assert [json.loads(line) for line in done.stdout.splitlines()], words
    top = parser()
    names = {name for action in top._actions if isinstance(action.choices, dict) for name in action.choices}
    # `bot` has its own protocol, and the commands of the arena, of benchmarks and of servers have their own tests.
    others = {"bot", "arena", "benchmark", "serve", "page", "admin", "ladder", "verify"}
    assert names - {words[0] for words in commands} == others


def test_the_help_lists_every_command_once() -> None:
    top = parser()
    commands = [name for action in top._actions if isinstance(action.choices, dict) for name in action.choices]
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(commands)
    text = top.format_help()
    assert all(text.count(f"\n  {name} ") == 1 for name in commands)


def test_games_started_in_the_same_second_have_different_files(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "faceup", "play", *SHORT]
    environment = {**os.environ, "FACEUP_DATA": str(tmp_path)}
    games = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment) for _ in range(6)
    ]
    for game in games:
        game.communicate(b"\n")
    assert [game.returncode for game in games] == [0] * 6
    records = list((tmp_path / "records").glob("*.json"))
    assert len(records) == 6
    assert all(loads(record.read_bytes()).result for record in records)
    assert not list((tmp_path / "saved").iterdir())


@POSIX
def test_a_saved_game_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    inside("play", *SHORT, data=tmp_path)
    (saved,) = (tmp_path / "saved").iterdir()
    assert saved.stat().st_mode & 0o777 == 0o600


def test_an_unwritable_data_folder_is_reported_with_a_solution(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    done = inside("play", *SHORT, data=file)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert f"games cannot be saved in {file / 'saved'}: " in done.stderr
    assert "set FACEUP_DATA to use another folder" in done.stderr


def test_a_record_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    done = inside("play", *SHORT, "--record", str(tmp_path), stdin="\n", data=tmp_path / "data")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert f"{tmp_path} cannot be written: " in done.stderr
    assert "Replay: faceup replay " in done.stdout


@POSIX
def test_a_record_can_be_written_to_a_special_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    done = shell(
        f"mkfifo {pipe}; $faceup watch niuniu --record {pipe} > {tmp_path}/output & cat {pipe}; wait", tmp_path
    )
    assert loads(done.stdout).result
    assert pipe.is_fifo()


def test_a_user_without_a_home_is_asked_to_set_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("FACEUP_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", nowhere)
    with pytest.raises(Malformed, match=r"nowhere to keep games: .* set FACEUP_DATA"):
        list_saved()
