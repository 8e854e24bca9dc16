"""Sandbox: system calls that programs need to leave a sandbox are denied, as by container runtimes."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from faceup.arena import Bot
from faceup.arena.process.sandbox import Sandbox

CALLS = """
import ctypes, errno, json, os, platform, sys

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
NEWUSER, NEWNS, SIGCHLD = 0x10000000, 0x00020000, 17

def call(x86, arm, *arguments):
    ctypes.set_errno(0)
    wide = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result = libc.syscall(ctypes.c_long(x86 if X86 else arm), *wide)
    if result == 0 and x86 in (56, 435):
        os._exit(0)  # this is the new process
    if result > 0 and x86 in (56, 435):
        os.waitpid(result, 0)
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]

def in_child(attempt):
    # A call that succeeds may change the process, so each one gets its own.
    read, write = os.pipe()
    if not (child := os.fork()):
        os.write(write, attempt().encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    return os.read(read, 100).decode()

perf = ctypes.create_string_buffer(bytes([1, 0, 0, 0, 128, 0, 0, 0]) + bytes(120), 128)
perf[40] = 0x61  # disabled, without the kernel and the hypervisor
bpf = ctypes.create_string_buffer((2).to_bytes(4, "little") + (4).to_bytes(4, "little") * 2 + b"\\1\\0\\0\\0", 128)
clone3 = ctypes.create_string_buffer(bytes(32) + SIGCHLD.to_bytes(8, "little") + bytes(24), 64)
user3 = ctypes.create_string_buffer(NEWUSER.to_bytes(8, "little") + clone3.raw[8:], 64)
tries = {
    "unshare": lambda: call(272, 97, NEWUSER),
    "setns": lambda: call(308, 268, os.pidfd_open(os.getpid()), NEWNS),
    # No folder exists at these paths, because nothing must be mounted even if a call is not denied.
    "mount": lambda: call(165, 40, b"none", b"/missing", b"tmpfs", 0, None),
    "umount2": lambda: call(166, 39, b"/missing", 0),
    "fsopen": lambda: call(430, 430, b"tmpfs", 0),
    "open_tree": lambda: call(428, 428, -100, b"/missing", 1),
    "chroot": lambda: call(161, 51, b"/missing"),
    "bpf": lambda: call(321, 280, 0, bpf, 128),
    "keyctl": lambda: call(250, 219, 0, -3, 1),
    "add_key": lambda: call(248, 217, b"user", b"faceup", b"x", 1, -2),
    "userfaultfd": lambda: call(323, 282, 1),
    "perf_event_open": lambda: call(298, 241, perf, 0, -1, -1, 0),
    "clone, new user namespace": lambda: call(56, 220, NEWUSER | SIGCHLD, 0, 0, 0, 0),
    "clone, new mount namespace": lambda: call(56, 220, NEWNS | SIGCHLD, 0, 0, 0, 0),
    "clone3, new user namespace": lambda: call(435, 435, user3, 64),
    "clone3": lambda: call(435, 435, clone3, 64),
    "clone": lambda: call(56, 220, SIGCHLD, 0, 0, 0, 0),
}
print(json.dumps({name: in_child(attempt) for name, attempt in tries.items() if name in sys.argv[1:]}))
"""


DENIED = (
    *("unshare", "setns", "mount", "umount2", "fsopen", "open_tree", "chroot"),
    *("bpf", "keyctl", "add_key", "userfaultfd", "perf_event_open"),
    *("clone, new user namespace", "clone, new mount namespace"),
)
CLONES = ("clone3", "clone3, new user namespace", "clone")


def tried(tmp_path: Path, *calls: str, sandboxed: bool = True) -> dict[str, str]:
    """Return the result of each call: "done", or the name of its error."""
    bot = Bot("mine", (sys.executable, "-I", "-S", "-c", CALLS, *calls), folder=str(tmp_path))

    def start() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            bot.command, cwd=bot.folder, env=os.environ, capture_output=True, text=True, timeout=60, check=False
        )

    if sandboxed:
        with Sandbox(bot) as sandbox:
            done = sandbox.start(start)
    else:
        done = start()
    assert not done.returncode, done.stderr
    return msgspec.json.decode(done.stdout, type=dict[str, str])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The results of all calls in the sandbox."""
    return tried(tmp_path_factory.mktemp("bot"), *DENIED, *CLONES)


@pytest.mark.parametrize("call", DENIED)
def test_the_sandbox_denies_a_call(results: dict[str, str], call: str) -> None:
    assert results[call] == "EPERM"


def test_clone3_does_not_exist_in_the_sandbox_so_that_programs_use_clone(results: dict[str, str]) -> None:
    assert [results[call] for call in CLONES] == ["ENOSYS", "ENOSYS", "done"]


def test_these_calls_are_possible_without_the_sandbox(tmp_path: Path) -> None:
    results = tried(tmp_path, "unshare", "keyctl", "userfaultfd", "clone, new user namespace", *CLONES, sandboxed=False)
    assert set(results.values()) == {"done"}
