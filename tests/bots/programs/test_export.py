"""One file, in an empty folder, by a Python that finds nothing else: it plays whole matches by the real rules."""

import ast
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
from benchmarks.late import punctual
from benchmarks.refereeing import Answer, Program, bot, play

from faceup.bots.programs.export import exported
from faceup.core import Malformed, find_game
from faceup.games.nimmt import GAME

NAMES = ["lowest", "highest", "greedy", "random", "mc"]
ISOLATED = [sys.executable, "-I"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each player is a file."""
    made = tmp_path_factory.mktemp("exported")
    for name in NAMES:
        (made / f"{name}.py").write_text(exported(GAME, name), "utf-8")
    return made


@pytest.mark.parametrize("name", NAMES)
def test_it_is_plain_python_that_fits_into_the_editor(folder: Path, name: str) -> None:
    source = (folder / f"{name}.py").read_text("utf-8")
    assert len(source) < 100_000
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    foreign = {each.partition(".")[0] for each in imported} - sys.stdlib_module_names
    assert foreign == ({"numpy"} if name == "mc" else set())
    assert "# noqa" not in source
    assert f'"""6 nimmt!, played by {name} in the protocol of CodinGame' in source


@pytest.mark.parametrize("phase_last", [False, True], ids=["phase first", "phase last"])
def test_simple_players_play_a_match_in_an_empty_folder(folder: Path, tmp_path: Path, phase_last: bool) -> None:
    with ExitStack() as stack:
        programs = [
            stack.enter_context(Program([*ISOLATED, folder / f"{name}.py"], seat, tmp_path))
            for seat, name in enumerate(NAMES[:4])
        ]
        assert len(play(programs, seed=2, phase_last=phase_last).earlier) == 5
        for name, program in zip(NAMES, programs, strict=False):
            status, said = program.end()
            assert (status, said.count("\n")) == (0, 1)
            assert said.startswith(f"{name}: line ")


@pytest.mark.slow
@pytest.mark.parametrize("phase_last", [False, True], ids=["phase first", "phase last"])
def test_the_search_plays_a_match_in_an_empty_folder(folder: Path, tmp_path: Path, phase_last: bool) -> None:
    def once() -> list[Answer]:
        with ExitStack() as stack:
            programs = [
                stack.enter_context(Program([*ISOLATED, folder / f"{name}.py"], seat, tmp_path))
                for seat, name in enumerate(["mc", "greedy", "mc", "random"])
            ]
            play(programs, seed=3, phase_last=phase_last)
            assert [program.end()[0] for program in programs] == [0] * 4
            return [answer for program in programs for answer in program.answers]

    assert punctual(once)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lowest", "highest", "greedy"])
def test_it_plays_as_the_player_that_it_was_made_from(folder: Path, name: str) -> None:
    with ExitStack() as stack:
        ours = [bot(name), bot("lowest"), bot("highest"), bot("greedy")]
        theirs = [[*ISOLATED, str(folder / f"{name}.py")], *ours[1:]]
        heads = []
        for commands in (ours, theirs):
            programs = [stack.enter_context(Program(command, seat)) for seat, command in enumerate(commands)]
            heads.append(play(programs, seed=6).heads)
    assert heads[0] == heads[1]


def test_it_says_what_is_wrong_with_its_input(folder: Path) -> None:
    done = subprocess.run([*ISOLATED, folder / "greedy.py"], input="4 9\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "greedy: line 1: expected `4 playerId`, with a player from 0 to 3, not '4 9'\n"


def test_a_player_without_a_plain_form_is_refused() -> None:
    for name in ("deep", "mc@1000", "best"):
        with pytest.raises(Malformed):
            exported(find_game("nimmt"), name)
