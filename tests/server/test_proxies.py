"""Real proxies with the files in `deploy/`: TLS, limits, client addresses and links.

Caddy's own certificate authority, or one made here, stands in for a public one. Everything listens on 127.0.0.1. The
tests need caddy, nginx and openssl (Debian: `apt-get install caddy nginx-light openssl`).
"""

import getpass
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from tests.server.server_process import Answer, environment, free_port
from websockets.sync.client import connect

from faceup.server.http.rate_limits import ServerLimits

pytestmark = pytest.mark.long

DEPLOY: Final = Path(__file__).parents[2] / "deploy"
HOST: Final = "cards.example.org"
"""The name in `deploy/nginx.conf`. It resolves to this machine for the clients of these tests only."""

TABLE: Final = {"config": {"game": "nimmt", "options": {"seats": 2, "hand": 4}, "bots": ["random"]}}


class Site(NamedTuple):
    """A site behind a proxy.

    Attributes:
        port: the proxy's port for HTTPS.
        http_port: the proxy's port for HTTP; None if a load balancer is in front.
        ca: certificate of the authority.
        environment: the environment of the server, for `faceup admin`.
    """

    port: int
    http_port: int | None
    ca: Path
    environment: dict[str, str]

    @property
    def origin(self) -> str:
        """The origin of the site's pages."""
        return f"https://{HOST}:{self.port}"

    def context(self) -> ssl.SSLContext:
        """Return a TLS context that trusts this site's authority only."""
        return ssl.create_default_context(cafile=self.ca)

    @contextmanager
    def connect(self, source: str = "127.0.0.1") -> Iterator[HTTPSConnection]:
        """Open a connection to the site from a loopback address."""
        connection = HTTPSConnection(HOST, self.port, context=self.context(), timeout=30, source_address=(source, 0))
        connection._create_connection = to_this_machine  # type: ignore[attr-defined]  # like `curl --resolve`
        with closing(connection):
            yield connection

    def ask(self, path: str, body: bytes | None = None, *, source: str = "127.0.0.1", **headers: str) -> Answer:
        """Send a request on a connection of its own, as a page of the site."""
        with self.connect(source) as connection:
            return ask(connection, path, body, Origin=self.origin, **headers)

    def faceup(self, *words: str) -> str:
        """Run a command with the settings of the server."""
        return subprocess.check_output([sys.executable, "-m", "faceup", *words], env=self.environment, text=True)


def to_this_machine(address: tuple[str, int], *rest: Any) -> socket.socket:
    return socket.create_connection(("127.0.0.1", address[1]), *rest)


def ask(connection: HTTPConnection, path: str, body: bytes | None = None, **headers: str) -> Answer:
    """Send a request: GET, or POST if there is a body."""
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request("GET" if body is None else "POST", path, body, sent)
    response = connection.getresponse()
    return Answer(response.status, {name.lower(): value for name, value in response.headers.items()}, response.read())


# Programs.


@contextmanager
def running(command: list[str], folder: Path, environ: dict[str, str], port: int) -> Iterator[None]:
    """Run a program until the context ends; wait until it listens on the port."""
    log = folder / f"{Path(command[0]).name}.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environ)
    try:
        assert wait(lambda: listens(port) or process.poll() is not None), command
        assert process.poll() is None, log.read_text("utf-8")
        yield
    finally:
        process.terminate()
        process.wait(30)


def wait(until: Callable[[], bool], seconds: float = 60) -> bool:
    """Return whether a condition becomes true in time."""
    end = time.monotonic() + seconds
    while not (reached := until()) and time.monotonic() < end:
        time.sleep(0.1)
    return reached


def listens(port: int) -> bool:
    """Return whether a program listens on a port of this machine."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def program(name: str) -> str:
    """Return the path of an installed program."""
    path = shutil.which(name, path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    assert path, f"{name} is not installed. Debian: apt-get install caddy nginx-light openssl"
    return path


@contextmanager
def serving(folder: Path, public_port: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Run a server behind a proxy. Return its port and its environment."""
    port = free_port()
    environ = environment(
        folder / "data", port=str(port), public_url=f"https://{HOST}:{public_port}", trusted_proxies="127.0.0.1"
    )
    with running([sys.executable, "-m", "faceup", "serve"], folder, environ, port):
        yield port, environ


@contextmanager
def caddy(folder: Path, config: str, server: int, ports: tuple[int, int], listening: int) -> Iterator[Path]:
    """Run Caddy with its own authority, whose certificate is returned."""
    folder.mkdir(exist_ok=True)
    file = folder / "Caddyfile"
    options = ("http_port", ports[0]), ("https_port", ports[1]), ("default_bind", "127.0.0.1"), ("admin", "off")
    lines = "".join(f"{name} {value}\n" for name, value in options)
    file.write_text(f"{{\n{lines}local_certs\nskip_install_trust\n}}\n{config}", "utf-8")
    environ = {"XDG_DATA_HOME": str(folder), "DOMAIN": HOST, "SERVERS": f"127.0.0.1:{server}"}
    command = [program("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]
    with running(command, folder, os.environ | environ, listening):
        ca = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
        assert listening != ports[1] or wait(lambda: ca.exists() and shakes_hands(listening, ca))
        yield ca


def shakes_hands(port: int, ca: Path) -> bool:
    """Return whether a program on a port of this machine has a certificate for `HOST`."""
    try:
        with (
            socket.create_connection(("127.0.0.1", port)) as raw,
            ssl.create_default_context(cafile=ca).wrap_socket(raw, server_hostname=HOST),
        ):
            return True
    except ssl.SSLError:
        return False


@contextmanager
def nginx(folder: Path, site: str, listening: int) -> Iterator[None]:
    """Run nginx with a site."""
    (folder / "site.conf").write_text(site, "utf-8")
    temporary = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    start = f"daemon off;\nuser {getpass.getuser()};\npid {folder}/nginx.pid;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{start}http {{\n{temporary}include {folder}/site.conf;\n}}\n", "utf-8")
    command = [program("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with running(command, folder, dict(os.environ), listening):
        yield


def nginx_site(folder: Path, server: int, ports: tuple[int, int]) -> str:
    """Return `deploy/nginx.conf` with the ports and the certificate of these tests."""
    text = re.sub(r"^ *listen \[::\].*\n", "", (DEPLOY / "nginx.conf").read_text("utf-8"), flags=re.MULTILINE)
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{ports[0]};"),
        ("listen 443 ", f"listen 127.0.0.1:{ports[1]} "),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
        (f"/etc/letsencrypt/live/{HOST}", str(folder)),
    ):
        text = replaced(text, old, new)
    return text


def replaced(text: str, old: str, new: str) -> str:
    """Replace the only lines with `old`, which must exist."""
    assert old in text, old
    return text.replace(old, new)


def make_certificate(folder: Path) -> Path:
    """Make a certificate for `HOST`, and return the certificate of the authority that signed it."""
    ca, key = str(folder / "ca.pem"), str(folder / "ca.key")
    new = [program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    names = ["-addext", f"subjectAltName=DNS:{HOST}", "-addext", "basicConstraints=critical,CA:FALSE"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run([*new, "-subj", "/CN=authority", "-keyout", key, "-out", ca], check=True, capture_output=True)
    signed = [*new, "-subj", f"/CN={HOST}", "-CA", ca, "-CAkey", key, *names, *files]
    subprocess.run(signed, check=True, capture_output=True)
    return Path(ca)


# Set-ups.


def behind_caddy(folder: Path, stack: ExitStack) -> Site:
    """Run Caddy with `deploy/Caddyfile`."""
    ports = free_port(), free_port()
    server, environ = stack.enter_context(serving(folder, ports[1]))
    config = (DEPLOY / "Caddyfile").read_text("utf-8")
    ca = stack.enter_context(caddy(folder / "caddy", config, server, ports, ports[1]))
    return Site(ports[1], ports[0], ca, environ)


def behind_nginx(folder: Path, stack: ExitStack) -> Site:
    """Run nginx with `deploy/nginx.conf`."""
    ports = free_port(), free_port()
    server, environ = stack.enter_context(serving(folder, ports[1]))
    ca = make_certificate(folder)
    stack.enter_context(nginx(folder, nginx_site(folder, server, ports), ports[1]))
    return Site(ports[1], ports[0], ca, environ)


def behind_a_load_balancer_and_caddy(folder: Path, stack: ExitStack) -> Site:
    """Run Caddy behind a load balancer that ends TLS, with the changes that `deploy/Caddyfile` describes."""
    port, inner = free_port(), (free_port(), free_port())
    server, environ = stack.enter_context(serving(folder, port))
    text = replaced((DEPLOY / "Caddyfile").read_text("utf-8"), "\n{$DOMAIN} {", "\nhttp://{$DOMAIN} {")
    text = replaced(text, "# trusted_proxies 192.0.2.10", "trusted_proxies 127.0.0.1")
    stack.enter_context(caddy(folder / "inner", text, server, inner, inner[0]))
    return load_balancer(folder, stack, port, inner[0], environ)


def behind_a_load_balancer_and_nginx(folder: Path, stack: ExitStack) -> Site:
    """Run nginx behind a load balancer that ends TLS, with the change that `deploy/nginx.conf` describes."""
    port, inner = free_port(), (free_port(), free_port())
    server, environ = stack.enter_context(serving(folder, port))
    make_certificate(folder)
    text = replaced(nginx_site(folder, server, inner), "# 192.0.2.10  1;", "127.0.0.1  1;")
    stack.enter_context(nginx(folder, text, inner[0]))
    return load_balancer(folder, stack, port, inner[0], environ)


def load_balancer(folder: Path, stack: ExitStack, port: int, inner: int, environ: dict[str, str]) -> Site:
    """Run a load balancer that ends TLS and forwards to the port `inner`."""
    config = f"{HOST} {{\nreverse_proxy {{$SERVERS}}\n}}\n"
    ca = stack.enter_context(caddy(folder / "outer", config, inner, (free_port(), port), port))
    return Site(port, None, ca, environ)


@pytest.fixture(
    scope="module",
    params=[behind_caddy, behind_nginx, behind_a_load_balancer_and_caddy, behind_a_load_balancer_and_nginx],
)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Run a server behind proxies."""
    with ExitStack() as stack:
        yield request.param(tmp_path_factory.mktemp("site"), stack)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the record of a game of War."""
    file = tmp_path_factory.mktemp("record") / "war.json"
    words = ["watch", "war", "--plain", "--seed", "7", "--record", str(file)]
    subprocess.run([sys.executable, "-m", "faceup", *words], check=True, capture_output=True)
    return file.read_bytes()


# The tests.


def test_http_redirects_to_https(site: Site) -> None:
    if site.http_port is None:  # the load balancer redirects
        return
    with closing(HTTPConnection("127.0.0.1", site.http_port, timeout=10)) as connection:
        answer = ask(connection, "/KTRWX?a=b", Host=HOST)
    location = re.sub(r":\d+/", "/", answer.headers["location"])
    assert (answer.status, location) == (308, f"https://{HOST}/KTRWX?a=b")


def test_cookies_are_secure_and_a_game_starts_over_both_transports(site: Site) -> None:
    assert site.ask("/").status == 200
    made = site.ask("/api/tables", json.dumps(TABLE).encode())
    assert made.status == 201, made
    assert "; secure" in made.headers["set-cookie"].lower()
    session, table = made.headers["set-cookie"].partition(";")[0], made.json["id"]
    with (
        socket.create_connection(("127.0.0.1", site.port)) as raw,
        connect(
            f"wss://{HOST}:{site.port}/api/tables/{table}/live",
            sock=raw,
            ssl=site.context(),
            additional_headers={"Cookie": session, "Origin": site.origin},
        ) as live,
    ):
        live.send('{"command":"start","id":"1"}')
        lines = ""
        while '"ack":"1"' not in lines:
            received = live.recv(timeout=60)
            lines += received if isinstance(received, str) else received.decode()
        assert '"room"' in lines
    with site.connect() as stream:
        stream.request("GET", f"/api/tables/{table}/stream", headers={"Cookie": session})
        with stream.getresponse() as response:
            assert b'"room"' in response.readline()  # a proxy that buffers waits for more lines


def test_records_up_to_the_limit_of_the_server_pass(site: Site, record: bytes) -> None:
    for size in (101_000, ServerLimits().record):
        assert site.ask("/api/replay", record.ljust(size)).status == 200, size
    try:
        status = site.ask("/api/replay", record.ljust(ServerLimits().record + 1)).status
    except OSError:  # a proxy may close the connection before it has read the body
        status = 413
    assert status == 413


def test_metrics_are_not_public(site: Site) -> None:
    assert site.ask("/metrics").status == 404


def test_printed_links_are_https(site: Site) -> None:
    made = site.ask("/api/tables", json.dumps(TABLE).encode())
    session = made.headers["set-cookie"].partition(";")[0]
    assert site.ask("/api/account", b'{"login":"ann","password":"four sealed cards"}', Cookie=session).status == 200
    assert site.faceup("admin", "people", "reset-password", "ann").startswith(f"{site.origin}/password#")


def test_rate_limits_count_the_address_of_the_client_which_it_cannot_forge(site: Site) -> None:
    statuses = set()
    with site.connect() as connection:
        for number in range(3 * int(ServerLimits().codes.burst)):
            forged = f"198.51.{number // 250}.{number % 250 + 1}"
            statuses.add(ask(connection, "/api/codes/KTRWX", X_Forwarded_For=forged, X_Forwarded_Proto="http").status)
            if 429 in statuses:
                break
    assert statuses == {404, 429}
    assert site.ask("/api/codes/KTRWX", source="127.0.0.2").status == 404
