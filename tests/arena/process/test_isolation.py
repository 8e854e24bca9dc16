"""Isolation: programs start with their limits and sandbox."""

import os
import sys
from pathlib import Path

from faceup.arena import Bot, MatchTerms
from faceup.arena.process.isolation import Isolation, describe_isolation

PROGRAM = """
import os, resource, sys
sys.stdin.readline()
print(resource.getrlimit(resource.RLIMIT_DATA)[1], resource.getrlimit(resource.RLIMIT_CORE)[1], flush=True)
try:
    open(sys.argv[1] + "/new", "w")
    print("written")
except OSError:
    print("refused")
"""


def started(terms: MatchTerms, folder: str) -> list[str]:
    bot = Bot("mine", (sys.executable, "-I", "-S", "-c", PROGRAM, folder), folder=folder)
    inner, asking = os.pipe()
    answering, outer = os.pipe()
    with Isolation(terms) as held:
        environment = {**os.environ, **held.environment(bot)}
        actions = [(os.POSIX_SPAWN_DUP2, inner, 0), (os.POSIX_SPAWN_DUP2, outer, 1)]
        process = held.start(
            bot, lambda: os.posix_spawn(bot.command[0], bot.command, environment, file_actions=actions)
        )
        os.close(inner)
        os.close(outer)
        os.write(asking, b"\n")
        os.close(asking)
        with open(answering) as answers:  # noqa: PTH123 -- a descriptor has no path
            lines = answers.read().splitlines()
        assert os.waitpid(process, 0)[1] == 0
    return lines


def test_isolation_sets_limits_and_optional_sandbox(tmp_path: Path) -> None:
    assert started(MatchTerms(memory=1 << 30), str(tmp_path)) == ["1073741824 0", "written"]
    assert started(MatchTerms(memory=1 << 30, sandbox=True), str(tmp_path)) == ["1073741824 0", "refused"]


def test_describe_isolation() -> None:
    for terms in (MatchTerms(), MatchTerms(sandbox=True)):
        line = describe_isolation(terms)
        assert "\n" not in line
        assert line.startswith("sandbox: ")
        assert "; limits: 2 GB of memory a program" in line
