"""`script/test`: failed tests are repeated alone. Here, pytest is a shell function whose answers each test states."""

import re
import subprocess
from pathlib import Path

import pytest

SCRIPT = (Path(__file__).parents[2] / "script" / "test").read_text("utf-8")
FUNCTION = re.search(r"^run_tests\(\) \{.*?^\}", SCRIPT, re.DOTALL | re.MULTILINE)
PYTEST = """
pytest() {
  case "$*" in
    *--collect-only*) printf '%s\\n' "$failed_before" '' '1 test collected' ;;
    "-n 0"*) printf 'alone: %s\\n' "${*:4}"; runs=$((runs + 1)); [ "$runs" -ne "$fails_in_run" ] ;;
    *) return "$first_status" ;;
  esac
}
"""
SLOW, FAST = "tests/test_a.py::test_slow[a b]", "tests/test_b.py::test_fast"


def run(*failed: str, first_status: int = 1, fails_in_run: int = 0) -> list[str]:
    """Return what `run_tests` printed: the repetitions, its status, and the unstable tests."""
    assert FUNCTION is not None
    source = f"""set -euo pipefail
limit=--timeout=9 unstable=() runs=0 first_status={first_status} fails_in_run={fails_in_run}
{PYTEST}
{FUNCTION[0]}
status=0
run_tests -n 4 || status=$?
echo "status $status"
[ "${{#unstable[@]}}" -eq 0 ] || printf 'unstable: %s\\n' "${{unstable[@]}}"
"""
    environment = {"PATH": "/usr/bin:/bin", "failed_before": "\n".join(failed)}
    printed = subprocess.run(
        ["/usr/bin/env", "bash", "-c", source], env=environment, capture_output=True, text=True, check=True
    )
    return [line for line in printed.stdout.splitlines() if line and not line.startswith("==")]


def test_tests_that_pass_alone_are_named() -> None:
    repeats = [f"alone: {SLOW} {FAST}"] * 3
    assert run(SLOW, FAST) == [*repeats, "status 0", f"unstable: {SLOW}", f"unstable: {FAST}"]


@pytest.mark.parametrize("fails_in_run", [1, 2, 3])
def test_a_test_that_fails_once_more_fails(fails_in_run: int) -> None:
    assert run(SLOW, fails_in_run=fails_in_run) == [f"alone: {SLOW}"] * fails_in_run + ["status 1"]


@pytest.mark.parametrize("first_status", [0, 2, 3, 4, 5])
def test_only_failed_tests_are_repeated(first_status: int) -> None:
    """Other errors are those of the collection, of the command line, of pytest itself, or Ctrl-C."""
    assert run(SLOW, first_status=first_status) == [f"status {first_status}"]


@pytest.mark.parametrize("count", [0, 4])
def test_more_than_three_tests_are_not_repeated(count: int) -> None:
    assert run(*[f"tests/test_a.py::test_{number}" for number in range(count)]) == ["status 1"]
