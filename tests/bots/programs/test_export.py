"""Exported programs play complete matches in an empty folder, without the package."""

import ast
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from benchmarks.late import punctual
from benchmarks.program_match import Answer, Played, bot, play

from faceup.bots.programs.export import export_player
from faceup.core import Malformed, find_game
from faceup.games.nimmt import GAME

NAMES = ["lowest", "highest", "greedy", "random", "mc"]
ISOLATED = [sys.executable, "-I"]


@pytest.fixture(autouse=True)
def time_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs end and log, although this takes longer on a busy machine."""
    monkeypatch.setattr("faceup.arena.process.runner.EXIT_GRACE", 60_000_000_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with each player exported to a file."""
    made = tmp_path_factory.mktemp("exported")
    for name in NAMES:
        (made / f"{name}.py").write_text(export_player(GAME, name), "utf-8")
    return made


def foreign_imports(source: str) -> set[str]:
    """Return the packages outside the standard library that a program imports."""
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return {module.partition(".")[0] for module in imported} - sys.stdlib_module_names


@pytest.mark.parametrize("name", NAMES)
def test_an_export_is_plain_python_of_limited_size(folder: Path, name: str) -> None:
    source = (folder / f"{name}.py").read_text("utf-8")
    assert len(source) < 100_000
    assert foreign_imports(source) == ({"numpy"} if name == "mc" else set())
    assert "# noqa" not in source
    assert f'"""6 nimmt!, played by {name} in the protocol of CodinGame' in source


@pytest.mark.parametrize("phase_last", [False, True], ids=["phase first", "phase last"])
def test_exported_policies_play_a_match_in_an_empty_folder(folder: Path, tmp_path: Path, phase_last: bool) -> None:
    commands = [[*ISOLATED, str(folder / f"{name}.py")] for name in NAMES[:4]]
    state, _, programs, faults = play(commands, seed=2, phase_last=phase_last, folder=str(tmp_path))
    assert (len(msgspec.structs.asdict(state)["earlier"]), faults) == (5, [])
    for name, program in zip(NAMES, programs, strict=False):
        log = program.log.content().decode()
        assert (program.status, log.count("\n")) == (0, 1)
        assert log.startswith(f"{name}: line ")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("phase_last", [False, True], ids=["phase first", "phase last"])
def test_exported_search_plays_a_match_in_an_empty_folder(folder: Path, tmp_path: Path, phase_last: bool) -> None:
    commands = [[*ISOLATED, str(folder / f"{name}.py")] for name in ("mc", "greedy", "mc", "random")]

    matches: list[Played] = []

    def once() -> list[Answer]:
        matches.append(play(commands, seed=3, phase_last=phase_last, folder=str(tmp_path)))
        return matches[-1].answers

    assert punctual(once)
    assert [program.status for program in matches[-1].programs] == [0] * 4  # a late program is killed


@pytest.mark.long
def test_the_exported_network_plays_a_match_in_an_empty_folder(tmp_path: Path) -> None:
    source = export_player(GAME, "network")
    assert 95_000 < len(source) <= 100_000  # the rest is too little for finer weights
    assert source.isascii()
    assert foreign_imports(source) == {"numpy"}
    (program := tmp_path / "network.py").write_text(source, "utf-8")
    (empty := tmp_path / "empty").mkdir()
    matches: list[Played] = []

    def once() -> list[Answer]:
        matches.append(play([[*ISOLATED, str(program)]] * 4, seed=4, folder=str(empty)))
        return matches[-1].answers

    assert punctual(once)
    state, _, programs, faults = matches[-1]
    assert (len(msgspec.structs.asdict(state)["earlier"]), faults) == (5, [])
    for played in programs:
        log = played.log.content().decode()  # an error in the network is logged, and the first legal action played
        assert (played.status, log.count("\n")) == (0, 1)
        assert log.startswith("network: line ")


@pytest.mark.long
def test_exported_players_play_like_the_originals(folder: Path) -> None:
    names = ["greedy", "lowest", "highest", "greedy"]
    exported = [(*ISOLATED, str(folder / f"{name}.py")) for name in names]
    assert play([bot(name) for name in names], seed=6).state == play(exported, seed=6).state


def test_invalid_input_is_reported(folder: Path) -> None:
    done = subprocess.run([*ISOLATED, folder / "greedy.py"], input="4 9\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "greedy: line 1: expected `4 playerId`, with a player from 0 to 3; got '4 9'\n"


def test_exporting_a_player_without_a_plain_form_raises() -> None:
    for name in ("deep", "mc@1000", "best"):
        with pytest.raises(Malformed):
            export_player(find_game("nimmt"), name)
