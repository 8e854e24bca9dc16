"""`faceup verify`: whether a game's deals are as claimed, in words, in JSON and as a status; and the script alone."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.cli.inside import Inside
from tests.table.fair_play import finished
from tests.table.play import played_out, seated

from faceup.core.record import dumps

TRUE = dumps(finished().record)
COMMITMENT = next(entry["commitment"] for entry in json.loads(TRUE)["entries"] if entry["entry"] == "sealed")
FALSE = TRUE.replace(COMMITMENT, "ab" * 32)
SCRIPT = Path(__file__).parents[2] / "examples" / "verify_fair.py"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(monkeypatch, capsys)


def written(folder: Path, text: str) -> Path:
    path = folder / "game.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_true_deal_is_said_to_be_so_in_words(run: Inside, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, TRUE), "--commitment", COMMITMENT[:10])
    assert done.status == 0
    assert done.out.startswith("As claimed: 1 outcome of chance follows from what the server and Ada, Bo sealed before")
    assert COMMITMENT in done.out
    assert "That is the one which you saw" in done.out
    assert "If that is the one" in run("verify", written(tmp_path, TRUE)).out


def test_a_false_deal_is_said_to_be_so_and_the_status_is_1(run: Inside, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, FALSE))
    assert done.status == 1
    assert done.out == "Not as claimed:\n  entry 3: the commitment is not the hash of the secret\n"


def test_another_commitment_than_the_one_that_was_seen_is_no_fair_deal(run: Inside, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, TRUE), "--commitment", "0123456789", "--json")
    assert done.status == 1
    answer = json.loads(done.out)
    assert answer["fair"] is False
    assert "you saw the commitment 0123456789" in answer["faults"][0]


def test_programs_are_answered_in_json(run: Inside, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, TRUE), "--json")
    answer = json.loads(done.out)
    assert (done.status, answer["fair"], answer["contributors"]) == (0, True, ["Ada", "Bo"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (dumps(played_out(seated()).record), "claims no fair deal"),
        ("{}", "this is not a whole record"),
        (TRUE[:200], "this is not a whole record"),
    ],
)
def test_what_is_no_record_of_a_fair_deal_is_refused(run: Inside, tmp_path: Path, text: str, says: str) -> None:
    done = run("verify", written(tmp_path, text))
    assert done.status == 2
    assert says in done.err
    assert len(done.err.splitlines()) == 1


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a folder with a record."""
    written(tmp_path, TRUE)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- as the library names it
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_a_record_is_fetched_from_its_address(run: Inside, site: str) -> None:
    done = run("verify", f"{site}/game.json")
    assert (done.status, done.out.split(":")[0]) == (0, "As claimed")
    gone = run("verify", f"{site}/gone.json")
    assert gone.status == 2
    assert "answers 404" in gone.err


def test_the_link_of_a_table_leads_to_its_record(run: Inside, site: str, tmp_path: Path) -> None:
    table = "NpWVb1mcTdCz1ZuHOMhsyg"
    folder = tmp_path / "cards" / "api" / "tables" / table
    folder.mkdir(parents=True)
    (folder / "record").write_text(TRUE, encoding="utf-8")
    assert run("verify", f"{site}/cards/t/{table}").status == 0
    assert run("verify", f"{site}/cards/api/tables/{table}/").status == 0


def test_an_address_that_cannot_be_reached_is_named(run: Inside) -> None:
    assert "cannot be reached" in run("verify", "http://127.0.0.1:1/record").err
    assert "by http or https" in run("verify", "file:///etc/passwd").err


@pytest.mark.parametrize(("text", "status"), [(TRUE, 0), (FALSE, 1), ("{}", 2)])
def test_the_script_alone_needs_nothing_but_python(tmp_path: Path, text: str, status: int) -> None:
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(written(tmp_path, text))]  # -S: without what is installed
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == status, done.stderr
