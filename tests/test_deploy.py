"""The files in `deploy/` fit the server: settings, limits, timeouts, commands and names."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # it carries no types

from faceup.cli.main import parser
from faceup.server.api import Limits
from faceup.server.api.websocket import PING_INTERVAL
from faceup.server.settings import PREFIX, Settings, load_settings
from faceup.server.uvicorn_server import _CLOSE_TIMEOUT, KEEP_ALIVE_TIMEOUT

DEPLOY = Path(__file__).parents[1] / "deploy"
KNOWN = {f"{PREFIX}{name.upper()}" for name in Settings.__struct_fields__} | {"FACEUP_DATA", "FACEUP_CONFIG"}


def _text(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def _services(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(_text(name))["services"]
    return found


def _found(pattern: str, name: str) -> str:
    """Return the group of the only match of a pattern in a file."""
    [found] = re.findall(pattern, _text(name), re.MULTILINE)
    assert isinstance(found, str)
    return found


# Settings.


def test_every_variable_is_a_setting() -> None:
    for path in DEPLOY.iterdir():
        assert set(re.findall(r"\bFACEUP_[A-Z_]+", path.read_text("utf-8"))) <= KNOWN, path


def test_the_settings_file_of_the_systemd_unit_is_valid() -> None:
    settings = load_settings({}, {}, DEPLOY / "faceup.toml").settings
    assert settings.public_url.startswith("https://")
    assert settings.database.startswith(f"/var/lib/{_found(r'^StateDirectory=(.+)$', 'faceup.service')}/")


def test_the_lines_of_the_environment_file_are_valid_also_those_that_are_commented_out() -> None:
    lines = dict(re.findall(r"^#?([A-Z_]+)=(.*)$", _text(".env.example"), re.MULTILINE))
    settings = load_settings({}, lines, None).settings
    assert settings.registration == "code"
    assert all((DEPLOY / name).is_file() for name in lines["COMPOSE_FILE"].split(":"))
    wanted = re.findall(r"\$\{([A-Z_]+):\?", _text("compose.yaml") + _text("compose.postgres.yaml"))
    assert set(wanted) <= lines.keys()


# Limits and timeouts of the proxies.


def test_proxies_pass_every_record_that_the_server_takes() -> None:
    assert int(_found(r"client_max_body_size (\d+)m;", "nginx.conf")) << 20 == Limits().record
    assert "request_body" not in _text("Caddyfile")  # Caddy has no limit of its own, so the server's applies


def test_proxies_close_idle_connections_before_the_server_does() -> None:
    assert int(_found(r"keepalive_timeout (\d+)s;", "nginx.conf")) < KEEP_ALIVE_TIMEOUT
    assert int(_found(r"keepalive (\d+)s$", "Caddyfile")) < KEEP_ALIVE_TIMEOUT


def test_proxies_keep_connections_that_carry_only_pings_and_heartbeats() -> None:
    assert int(_found(r"proxy_read_timeout (\d+)s;", "nginx.conf")) > 2 * max(PING_INTERVAL, Limits().keep_alive)
    assert "proxy_buffering off;" in _text("nginx.conf")


def test_a_stop_has_the_time_that_the_server_takes() -> None:
    within = Settings().shutdown_timeout + _CLOSE_TIMEOUT
    assert int(_services("compose.yaml")["server"]["stop_grace_period"].removesuffix("s")) > within
    assert int(_found(r"^TimeoutStopSec=(\d+)$", "faceup.service")) > within


# Compose.


def test_caddy_knows_every_server() -> None:
    one, two = _services("compose.yaml"), _services("compose.postgres.yaml")
    assert one["caddy"]["environment"]["SERVERS"] == "server:8000"
    assert {"server"} == one.keys() - {"caddy"}
    assert set(two["caddy"]["environment"]["SERVERS"].split()) == {f"{name}:8000" for name in ("server", "server2")}
    assert two["server2"].pop("extends") == {"file": "compose.yaml", "service": "server"}
    assert two["server"] == two["server2"]
    assert {"server", "server2", "caddy", "db"} == two.keys()
    assert two["server"]["environment"]["FACEUP_DATABASE"].endswith("@db/faceup")


def test_the_server_trusts_the_network_of_compose() -> None:
    [network] = yaml.safe_load(_text("compose.yaml"))["networks"]["default"]["ipam"]["config"]
    assert _services("compose.yaml")["server"]["environment"]["FACEUP_TRUSTED_PROXIES"] == network["subnet"]


# The image.


def test_the_image_is_made_of_what_the_project_has() -> None:
    for names in re.findall(r"^COPY (?!--from)(.+) \./?\w*$", _text("Dockerfile"), re.MULTILINE):
        assert all((DEPLOY.parent / name).exists() for name in names.split()), names
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = re.findall(r"--extra (\w+)", _text("Dockerfile"))
    assert extras
    assert set(extras) <= project["optional-dependencies"].keys()


def test_the_health_check_is_a_command() -> None:
    program, *words = json.loads(_found(r"^HEALTHCHECK .*CMD (\[.*\])$", "Dockerfile"))
    assert program == "faceup"
    assert parser().parse_args(words).run.__name__ == "ready"
