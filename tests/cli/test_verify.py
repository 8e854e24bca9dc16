"""`faceup verify` and the standalone script: text, JSON and exit status."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.cli.in_process import InProcessCli
from tests.table.fair_helpers import finished
from tests.table.helpers import played_out, seated

from faceup.core.record import dumps

TRUE = dumps(finished().record)
COMMITMENT = next(entry["commitment"] for entry in json.loads(TRUE)["entries"] if entry["entry"] == "secret_committed")
FALSE = TRUE.replace(COMMITMENT, "ab" * 32)
SCRIPT = Path(__file__).parents[2] / "examples" / "verify_fair.py"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> InProcessCli:
    return InProcessCli(monkeypatch, capsys)


def written(folder: Path, text: str) -> Path:
    path = folder / "game.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_valid_deal_is_verified(run: InProcessCli, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, TRUE), "--commitment", COMMITMENT[:10])
    assert done.status == 0
    assert done.out.startswith(
        "Verified: 1 random outcome computed from secrets that the server, Ada and Bo committed to"
    )
    assert COMMITMENT in done.out
    assert "This is the commitment you saw" in done.out
    assert "If your page showed this commitment" in run("verify", written(tmp_path, TRUE)).out


def test_an_invalid_deal_fails_with_status_1(run: InProcessCli, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, FALSE))
    assert done.status == 1
    assert done.out == "Verification failed:\n  entry 3: the commitment must be the hash of the secret\n"


def test_a_different_commitment_fails_verification(run: InProcessCli, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, TRUE), "--commitment", "0123456789", "--json")
    assert done.status == 1
    answer = json.loads(done.out)
    assert answer["fair"] is False
    assert "the record has no commitment that starts with 0123456789" in answer["faults"][0]


def test_json_output(run: InProcessCli, tmp_path: Path) -> None:
    done = run("verify", written(tmp_path, TRUE), "--json")
    answer = json.loads(done.out)
    assert (done.status, answer["fair"], answer["contributors"]) == (0, True, ["Ada", "Bo"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (dumps(played_out(seated()).record), "has no fair deals"),
        ("{}", "the record is incomplete or not JSON"),
        (TRUE[:200], "the record is incomplete or not JSON"),
    ],
)
def test_a_record_without_fair_deals_is_rejected(run: InProcessCli, tmp_path: Path, text: str, message: str) -> None:
    done = run("verify", written(tmp_path, text))
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """Serve a folder with a record, and return its address."""
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


def test_a_record_is_fetched_from_its_address(run: InProcessCli, site: str) -> None:
    done = run("verify", f"{site}/game.json")
    assert (done.status, done.out.split(":")[0]) == (0, "Verified")
    missing = run("verify", f"{site}/gone.json")
    assert missing.status == 2
    assert "answered 404" in missing.err


def test_the_link_of_a_table_leads_to_its_record(run: InProcessCli, site: str, tmp_path: Path) -> None:
    table = "NpWVb1mcTdCz1ZuHOMhsyg"
    folder = tmp_path / "cards" / "api" / "tables" / table
    folder.mkdir(parents=True)
    (folder / "record").write_text(TRUE, encoding="utf-8")
    assert run("verify", f"{site}/cards/t/{table}").status == 0
    assert run("verify", f"{site}/cards/api/tables/{table}/").status == 0


def test_an_address_that_cannot_be_reached_is_named(run: InProcessCli) -> None:
    assert "cannot be reached" in run("verify", "http://127.0.0.1:1/record").err
    assert "URL must start with http:// or https://" in run("verify", "file:///etc/passwd").err


@pytest.mark.parametrize(("text", "status"), [(TRUE, 0), (FALSE, 1), ("{}", 2)])
def test_the_standalone_script_needs_only_python(tmp_path: Path, text: str, status: int) -> None:
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(written(tmp_path, text))]  # -S: without installed packages
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == status, done.stderr
