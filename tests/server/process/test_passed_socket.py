"""A listening socket that a service manager passes to one server after the other."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.server.server_process import serving

from faceup.core import Malformed
from faceup.server.process import bind
from faceup.server.process.settings import Settings


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def pass_socket(patch: pytest.MonkeyPatch, passed: socket.socket, count: str = "1", process: int | None = None) -> None:
    """Pass a copy of the socket to this process, which closes the copy."""
    patch.setattr(bind, "_FIRST_PASSED", passed.dup().detach())
    patch.setenv("LISTEN_FDS", count)
    patch.setenv("LISTEN_PID", str(process or os.getpid()))


def test_the_passed_socket_replaces_host_and_port(monkeypatch: pytest.MonkeyPatch, listener: socket.socket) -> None:
    pass_socket(monkeypatch, listener)
    with bind.listen(Settings(host="127.0.0.2", port=1)) as taken:
        assert taken.getsockname() == listener.getsockname()
        assert not taken.getblocking()
        assert not taken.get_inheritable()
    assert "LISTEN_FDS" not in os.environ, "child processes must not take the socket over"
    with socket.create_connection(listener.getsockname()[:2]), closing(listener.accept()[0]):
        pass  # the socket still listens when the server has closed its copy


def test_a_socket_for_another_process_is_ignored(monkeypatch: pytest.MonkeyPatch, listener: socket.socket) -> None:
    pass_socket(monkeypatch, listener, process=os.getppid())
    with bind.listen(Settings(port=0)) as taken:
        assert taken.getsockname() != listener.getsockname()
    os.close(bind._FIRST_PASSED)


@pytest.mark.parametrize("kind", ["datagram", "not listening", "two", "none"])
def test_anything_but_one_listening_tcp_socket_is_an_error(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    with socket.socket(type=socket.SOCK_DGRAM if kind == "datagram" else socket.SOCK_STREAM) as passed:
        pass_socket(monkeypatch, passed, {"two": "2", "none": "many"}.get(kind, "1"))
        with pytest.raises(Malformed, match="exactly one `ListenStream=ADDRESS:PORT`"):
            bind.listen(Settings(port=0))
    if kind in {"two", "none"}:
        os.close(bind._FIRST_PASSED)


@pytest.mark.slow
def test_a_connection_made_between_two_servers_waits_for_the_second(tmp_path: Path, listener: socket.socket) -> None:
    address = listener.getsockname()[:2]
    with serving(tmp_path, listener=listener) as server:
        assert server.ask("/api/health").status == 200
        assert server.address.endswith(f":{address[1]}")
        assert server.stop() == 0
    with socket.create_connection(address, timeout=60) as waiting:
        waiting.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        with serving(tmp_path, listener=listener):
            assert waiting.recv(15) == b"HTTP/1.1 200 OK"
