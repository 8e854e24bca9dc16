"""A benchmark is played, resumed, signed, verified and listed by commands, whatever kind of agent plays."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.cli.in_process import InProcessCli

from faceup.arena.run.identity import built_in
from faceup.benchmark import definition, play
from faceup.benchmark.definition import NIMMT_V1
from faceup.core import Malformed
from faceup.games.nimmt.batch.network import WEIGHTS_FILE

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="programs need POSIX")]

POLICY = """
from lowest_legal import choose

def make(rules):
    return choose
"""
MODULE = """
def choose(observations, masks):
    return masks.argmax(axis=1)
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if "answers" in request:
        print(request["answers"][0], flush=True)
"""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> definition.Benchmark:
    """Replace the benchmark by one with two small cells and fast opponents."""
    cells = tuple(msgspec.structs.replace(NIMMT_V1.cell(name), blocks=3) for name in ("cowheadking/2", "tactical/4"))
    budgets = tuple(msgspec.structs.replace(budget, seconds=60.0) for budget in NIMMT_V1.budgets)  # of busy machines
    made = msgspec.structs.replace(NIMMT_V1, cells=cells, opponents=("random", "greedy"), budgets=budgets)
    made = msgspec.structs.replace(made, reference=play.reference_digest(made))
    monkeypatch.setattr(definition, "NIMMT_V1", made)
    return made


@pytest.fixture
def cli(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, small: definition.Benchmark
) -> InProcessCli:
    del small
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first.py").write_text(PROGRAM)
    (tmp_path / "policy.py").write_text(POLICY)
    (tmp_path / "lowest_legal.py").write_text(MODULE)
    return InProcessCli(monkeypatch, capsys)


def test_a_bot_that_is_an_opponent_is_even_with_itself_and_replays_exactly(cli: InProcessCli) -> None:
    done = cli("benchmark", "run", "greedy", "--jobs", 1, "--json")
    assert done.status == 0
    answer = json.loads(done.out)
    assert answer["edges"]["cowheadking/2/greedy"]["mean"] == 0
    assert answer["edges"]["tactical/4/random"]["mean"] > 0.3
    done = cli("benchmark", "verify", answer["file"], "--all", "--json")
    assert done.status == 0
    verified = json.loads(done.out)
    assert [cell["matches"] for cell in verified["replayed"]] == [12, 24]
    assert [cell["different"] for cell in verified["replayed"]] == [0, 0]
    assert (verified["digest"], verified["signed_by"]) == (answer["digest"], None)
    assert "| `greedy` | 1 | " in cli("benchmark", "leaderboard", ".").out


def test_a_program_and_a_policy_that_choose_alike_have_the_same_results(cli: InProcessCli) -> None:
    program = ("--name", "program", "--alive", "--out", "program.json")
    assert cli("benchmark", "run", f"{sys.executable} first.py", *program, "--jobs", 1).status == 0
    done = cli("benchmark", "run", "--policy", "policy.py:make", "--out", "policy.json", "--jobs", 1)
    assert done.status == 0
    made = [json.loads(Path(f"{name}.json").read_text()) for name in ("program", "policy")]
    assert made[0]["results"] == made[1]["results"]
    commands = [submission["agent"]["command"] for submission in made]
    assert commands[0] == [Path(sys.executable).name, "first.py"]
    assert commands[1][-3:] == ["policy.py", "make", "scalars"]
    assert not any(Path(word).is_absolute() for command in commands for word in command)
    done = cli("benchmark", "verify", "program.json", f"{sys.executable} first.py", "--alive", "--blocks", 1)
    assert (done.status, done.out.count(" 0 with other scores")) == (0, 2)
    assert "not played again: name the program" in cli("benchmark", "verify", "policy.json").out
    done = cli("benchmark", "verify", "program.json", f"{sys.executable} -S first.py", "--alive", "--all", "--seed", 1)
    assert "its digest is another" in done.err


def test_a_network_with_weights_of_a_file_plays_and_is_verified(cli: InProcessCli) -> None:
    shutil.copy(WEIGHTS_FILE, "own.npz")
    cell = ("--cell", "tactical/4", "--jobs", 1, "--out")
    assert cli("benchmark", "run", "network", *cell, "built_in.json").status == 0
    assert cli("benchmark", "run", "network@own.npz", "--training-seed", 1, *cell, "file.json").status == 0
    made = [json.loads(Path(f"{name}.json").read_text()) for name in ("built_in", "file")]
    assert made[0]["results"] == made[1]["results"]
    assert made[1]["agent"]["name"] == "network@own.npz"
    done = cli("benchmark", "verify", "file.json", "network@own.npz", "--all")
    assert (done.status, done.out.count(" 0 with other scores"), done.err) == (0, 1, "")


def test_a_false_result_is_found_by_playing_again(cli: InProcessCli, small: definition.Benchmark) -> None:
    from faceup.benchmark.submission import read_submission, seal, write_submission

    assert cli("benchmark", "run", "lowest", "--out", "lowest.json", "--jobs", 1).status == 0
    honest = read_submission(Path("lowest.json"), small)
    task, matches = next(iter(honest.results.items()))
    false = {**honest.results, task: ((0, 66), *matches[1:])}
    Path("false.json").write_text(write_submission(seal(msgspec.structs.replace(honest, results=false))))
    done = cli("benchmark", "verify", "false.json", "--all")
    assert (done.status, "1 with other scores" in done.out) == (1, True)


def test_a_wrong_key_is_refused_before_the_first_match(cli: InProcessCli) -> None:
    done = cli("benchmark", "run", "lowest", "--out", "lowest.json", "--key", "missing.pem", "--jobs", 1)
    assert (done.status, done.err) == (2, "faceup: missing.pem cannot be read: No such file or directory\n")
    assert not Path("lowest.logs").exists()


def test_a_stopped_run_resumes(cli: InProcessCli, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: object, **options: object) -> Iterator[object]:
        for number, result in enumerate(played(*arguments, **options)):  # type: ignore[arg-type]
            if number == 5:
                raise KeyboardInterrupt
            yield result

    played = play.play_cell
    monkeypatch.setattr(play, "play_cell", stop)
    done = cli("benchmark", "run", "random", "--out", "random.json", "--jobs", 1)
    assert (done.status, "Resume with:\nfaceup benchmark run random" in done.err) == (130, True)
    assert not Path("random.json").exists()
    monkeypatch.setattr(play, "play_cell", played)
    assert cli("benchmark", "run", "random", "--out", "random.json", "--jobs", 1).status == 0
    assert cli("benchmark", "run", "random", "--out", "whole.json", "--jobs", 1).status == 0
    resumed, whole = (json.loads(Path(f"{name}.json").read_text())["results"] for name in ("random", "whole"))
    assert resumed == whole


def test_a_program_that_fails_loses_and_the_reason_is_shown(cli: InProcessCli) -> None:
    Path("broken.py").write_text("print('nonsense')")
    done = cli("benchmark", "run", f"{sys.executable} broken.py", "--cell", "cowheadking/2", "--jobs", 1, "--json")
    assert (done.status, "forfeited 12 of 12 matches, the first because: " in done.err) == (0, True)
    answer = json.loads(done.out)
    assert [edge["mean"] for edge in answer["edges"].values()] == [-1.0, -1.0]
    assert "| `broken` | 1 | " in cli("benchmark", "leaderboard", ".").out  # without payoffs, because no match counts


def test_a_bot_that_exceeds_its_budget_is_rejected() -> None:
    for name, budget in (("mc@100", "policy"), ("champion", "policy"), ("mc@500ms", "100ms"), ("deep@100", "100ms")):
        with pytest.raises(Malformed, match="cannot play in the budget class"):
            play.check_budget(NIMMT_V1.budget(budget), built_in(name).bot)
    for name, budget in (("network", "policy"), ("mc", "100ms"), ("mc@50ms", "100ms"), ("champion", "unlimited")):
        play.check_budget(NIMMT_V1.budget(budget), built_in(name).bot)


def test_a_version_whose_opponents_play_differently_is_rejected(small: definition.Benchmark) -> None:
    with pytest.raises(Malformed, match="do not play on this machine as nimmt-v1 defines"):
        play.check_reference(msgspec.structs.replace(small, reference="0"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run",), "name a bot"),
        (("run", "greedy", "--cell", "classic/3"), "no cell"),
        (("run", "greedy", "--budget", "none"), "no budget class"),
        (("run", "greedy", "--name", "a b"), "a name must be"),
        (("run", "greedy", "--training-seed", str(2**63)), "held out"),
        (("run", "--policy", "policy.py"), "write --policy FILE:FUNCTION"),
        (("run", "--policy", "missing.py:make"), "there is no file"),
        (("run", "network@missing.npz"), "missing.npz cannot be read: No such file or directory"),
        (("run", "greedy@own.npz"), "has no policy 'greedy@own.npz'"),
        (("run", "greedy", "--out", "missing/out.json"), "is not a folder"),
        (("verify", "missing.json"), "cannot be read"),
        (("leaderboard", "."), "there are no submissions"),
    ],
)
def test_invalid_input_gets_one_sentence(words: tuple[str, ...], message: str, cli: InProcessCli) -> None:
    done = cli("benchmark", *words)
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
