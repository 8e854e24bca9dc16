import msgspec
import pytest
from tests.cli.subprocess_run import faceup

from faceup.arena.doctor import CheckStatus


@pytest.mark.slow
def test_the_doctor_reports_json() -> None:
    done = faceup("arena", "doctor", "--json")
    answer = msgspec.json.decode(done.stdout)
    assert done.returncode == (0 if answer["fair"] else 1)
    assert bool(answer["against"]) != answer["fair"]
    assert {check["verdict"] for check in answer["checks"]} <= {str(status) for status in CheckStatus}


@pytest.mark.slow
def test_the_doctor_prints_how_many_matches_to_run_in_parallel() -> None:
    done = faceup("arena", "doctor")
    last = done.stdout.splitlines()[-1]
    assert ("--jobs" in done.stdout) == (not done.returncode), last
    assert "\x1b" not in done.stdout
