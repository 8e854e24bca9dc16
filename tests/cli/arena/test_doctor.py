import msgspec
import pytest
from tests.cli.running import faceup

from faceup.arena.doctor import Verdict


@pytest.mark.slow
def test_the_doctor_tells_scripts_what_it_found() -> None:
    done = faceup("arena", "doctor", "--json")
    told = msgspec.json.decode(done.stdout)
    assert done.returncode == (0 if told["fair"] else 1)
    assert bool(told["against"]) != told["fair"]
    assert {check["verdict"] for check in told["checks"]} <= {str(each) for each in Verdict}


@pytest.mark.slow
def test_the_doctor_tells_people_how_many_matches_to_run_at_once() -> None:
    done = faceup("arena", "doctor")
    last = done.stdout.splitlines()[-1]
    assert ("--jobs" in done.stdout) == (not done.returncode), last
    assert "\x1b" not in done.stdout
