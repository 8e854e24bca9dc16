"""`faceup arena view` serves a run to a browser."""

import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest
from tests.arena.logs import write_log


@pytest.mark.slow
def test_view_prints_its_address_serves_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    log = write_log(tmp_path / "arena.sqlite", blocks=1)
    command = [sys.executable, "-m", "faceup", "arena", "view", str(log), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        match = re.match(r"http://127\.0\.0\.1:(\d+)/", serving.stdout.readline())
        assert match is not None
        connection = HTTPConnection("127.0.0.1", int(match[1]), timeout=20)
        connection.request("GET", "/matches")
        assert connection.getresponse().read().count(b"/match/") >= 4
        connection.close()
        serving.send_signal(signal.SIGINT)
        assert serving.wait(20) == 0
        assert serving.stderr.read() == ""
