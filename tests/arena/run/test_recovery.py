"""A damaged log is reported in one message by every command, and its intact matches can be saved."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.arena.logs import write_log
from tests.arena.run.test_log import bots_of
from tests.arena.synthetic_log import comparison, matches, played, result
from tests.cli.in_process import inside as faceup

from faceup.arena import MatchResult
from faceup.arena.run.log import open_log, programs_folder, read_log, rename_changed_bots
from faceup.arena.run.log_damage import DamagedLogError
from faceup.arena.run.recovery import recover
from faceup.core import Malformed

CONTEST = comparison()
ORIGINAL = {match.number: result(match) for match in matches(CONTEST, 12)}


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("logs") / "log.sqlite"
    with open_log(path, CONTEST, bots_of(CONTEST), blocks=12) as log:
        log.add(played(match) for match in matches(CONTEST, 12))
    return path.read_bytes()


def changed_bytes(rng: Random, content: bytes) -> bytes:
    damaged = bytearray(content)
    for _ in range(rng.choice((1, 3, 30))):
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged)


def lost_page(rng: Random, content: bytes) -> bytes:
    start = 4096 * rng.randrange(len(content) // 4096)
    return content[:start] + rng.choice((bytes(4096), rng.randbytes(4096))) + content[start + 4096 :]


def cut_off(rng: Random, content: bytes) -> bytes:
    return content[: rng.randrange(4096, len(content))]


def lost_start(rng: Random, content: bytes) -> bytes:
    length = rng.choice((20, 100, 4096))
    return rng.randbytes(length) + content[length:]


DAMAGES = [changed_bytes, lost_page, cut_off, lost_start]


def read_everything(path: Path) -> dict[int, MatchResult]:
    """Read a log in all ways."""
    with read_log(path) as log:
        results = {match.match.number: match for match in log.all_results()}
        assert [*results] == log.numbers()
        for number, result_ in results.items():
            assert log.result(number) == result_
            log.transcript(number)
        assert list(log.results())
        assert (log.blocks, log.test, [*log.bots], log.contests) == (12, None, ["new", "old"], (CONTEST,))
    assert results == ORIGINAL
    rename_changed_bots(path, [bot for _, bot in bots_of(CONTEST)])
    return results


def message_of(read: Callable[[], object]) -> str:
    """Return the message of an error; empty without an error."""
    try:
        read()
    except Malformed as error:
        return error.message
    return ""


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_reported_and_what_is_intact_is_saved(
    intact: bytes, damage: Callable[[Random, bytes], bytes], tmp_path: Path
) -> None:
    rng = Random(7)  # noqa: S311 -- reproducible
    for number in range(60):
        path, new = tmp_path / f"{number}.sqlite", tmp_path / f"{number}-recovered.sqlite"
        path.write_bytes(damage(rng, intact))
        message = message_of(partial(read_everything, path))
        assert not message or message.startswith(f"{path} is "), message
        assert "is damaged" not in message or f"faceup arena recover {path} {number}-recovered.sqlite" in message
        message = message_of(partial(recover, path, new))
        if message:
            assert "has no intact contest" in message
            assert not new.exists()
            continue
        with read_log(new) as log:
            saved = {match.match.number: match for match in log.all_results()}
        assert saved.items() <= ORIGINAL.items()


def test_a_log_without_its_first_page_is_saved_complete(intact: bytes, tmp_path: Path) -> None:
    path, new = tmp_path / "log.sqlite", tmp_path / "new.sqlite"
    path.write_bytes(bytes(4096) + intact[4096:])
    assert recover(path, new).matches == len(ORIGINAL)
    assert read_everything(new) == ORIGINAL


def test_a_changed_result_is_found(intact: bytes, tmp_path: Path) -> None:
    """SQLite itself does not notice this."""
    path, new = tmp_path / "log.sqlite", tmp_path / "new.sqlite"
    at = intact.index(b'"scores":[') + 10
    path.write_bytes(intact[:at] + b"9" + intact[at + 1 :])
    with pytest.raises(DamagedLogError, match="a row differs from its checksum"):
        read_everything(path)
    recovered = recover(path, new)
    assert (recovered.matches, recovered.lost) in {(len(ORIGINAL) - 1, 1), (len(ORIGINAL) - 1, 0)}
    with open_log(new, CONTEST, bots_of(CONTEST), blocks=12) as log:
        missing = set(ORIGINAL) - set(log.numbers())
        log.add(played(match) for match in matches(CONTEST, 12) if match.number in missing)
    assert read_everything(new) == ORIGINAL


def test_every_command_reports_damage_in_one_message(tmp_path: Path) -> None:
    path, new = write_log(tmp_path / "log.sqlite"), tmp_path / "new.sqlite"
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 2 * 4096) + content[-4096:])
    (programs_folder(path) / "bot").write_text("a program")
    for words in (
        ("table", str(path)),
        ("table", str(path), "--csv"),
        ("report", str(path), "-o", str(tmp_path / "report.html")),
        ("bots", str(path)),
        ("replay", str(path), "0"),
        ("view", str(path)),
        ("round-robin", "greedy", "lowest", "highest", "random", "--log", str(path)),
        ("recover", str(path), str(new)),
    ):
        done = faceup("arena", *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"faceup: {path} ")
        assert done.stderr.count("\n") == 1
    for words in (("table", str(path)), ("bots", str(path)), ("replay", str(path), "0")):
        done = faceup("arena", *words, "--json")
        assert (done.returncode, done.stderr, json.loads(done.stdout)["error"]["kind"]) == (2, "", "damaged")


def test_the_command_saves_matches_and_programs(tmp_path: Path) -> None:
    path, new = write_log(tmp_path / "log.sqlite"), tmp_path / "new.sqlite"
    (programs_folder(path) / "bot").write_text("a program")
    done = faceup("arena", "recover", str(path), str(new), "--json")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"log": str(new), "matches": 8, "lost": 0})
    assert (programs_folder(new) / "bot").read_text() == "a program"
    assert faceup("arena", "table", str(new)).stdout == faceup("arena", "table", str(path)).stdout
    done = faceup("arena", "recover", str(path), str(new))
    assert (done.returncode, "new.sqlite exists already; choose another name" in done.stderr) == (2, True)
    done = faceup("arena", "recover", str(tmp_path / "none"), str(tmp_path / "other.sqlite"))
    assert (done.returncode, "there is no log" in done.stderr) == (2, True)
