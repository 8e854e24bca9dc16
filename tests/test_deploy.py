"""The settings of containers, systemd and the proxy match those of the server."""

import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # it carries no types

from faceup.server.settings import PREFIX, Settings
from faceup.server.uvicorn_server import _CLOSE_TIMEOUT

DEPLOY = Path(__file__).parents[1] / "deploy"
KNOWN = {f"{PREFIX}{name.upper()}" for name in Settings.__struct_fields__} | {"FACEUP_DATA", "FACEUP_CONFIG"}
OF_COMPOSE = {"FACEUP_DB_PASSWORD"}


def _compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def test_every_variable_is_a_setting() -> None:
    for path in DEPLOY.iterdir():
        named = set(re.findall(r"\bFACEUP_[A-Z_]+", path.read_text("utf-8")))
        assert named <= KNOWN | OF_COMPOSE, path


def test_two_servers_share_a_database_behind_a_proxy_that_names_both() -> None:
    services = _compose()["services"]
    assert services["one"] == services["two"]
    proxy = (DEPLOY / "nginx.conf").read_text("utf-8")
    assert set(re.findall(r"server (\w+):8000", proxy)) == {"one", "two"} <= services.keys()
    assert services["one"]["environment"]["FACEUP_DATABASE"].endswith("@db/faceup")
    assert proxy.count("{") == proxy.count("}")


def test_a_stop_has_the_time_that_the_server_takes() -> None:
    within = Settings().shutdown_timeout + _CLOSE_TIMEOUT
    assert int(_compose()["services"]["one"]["stop_grace_period"].removesuffix("s")) > within
    found = re.search(r"TimeoutStopSec=(\d+)", (DEPLOY / "faceup.service").read_text("utf-8"))
    assert found is not None
    assert int(found[1]) > within


def test_the_image_is_made_of_what_the_project_has() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    copied = re.findall(r"^COPY (?!--from)(.+) \./?\w*$", text, re.MULTILINE)
    for name in " ".join(copied).split():
        assert (DEPLOY.parent / name).exists(), name
