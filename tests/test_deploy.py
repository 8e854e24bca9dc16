"""The files in `deploy/` fit the server: settings, limits, timeouts, commands and names."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml  # type: ignore[import-untyped]  # it carries no types
from prometheus_client.parser import text_string_to_metric_families

from faceup.cli.main import parser
from faceup.server.http.pings import IDLE_PING_INTERVAL
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.process.metrics import DatabaseCounts, Metrics
from faceup.server.process.settings import PREFIX, Settings, load_settings
from faceup.server.process.uvicorn_server import _CLOSE_TIMEOUT, KEEP_ALIVE_TIMEOUT

DEPLOY = Path(__file__).parents[1] / "deploy"
KNOWN = {f"{PREFIX}{name.upper()}" for name in Settings.__struct_fields__} | {"FACEUP_DATA", "FACEUP_CONFIG"}


def _text(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def _services(name: str) -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(_text(name))["services"]
    return services


def _found(pattern: str, name: str) -> str:
    """Return the group of the only match of a pattern in a file."""
    [value] = re.findall(pattern, _text(name), re.MULTILINE)
    assert isinstance(value, str)
    return value


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
    variables = re.findall(r"\$\{([A-Z_]+):\?", _text("compose.yaml") + _text("compose.postgres.yaml"))
    assert set(variables) <= lines.keys()


# Limits and timeouts of the proxies.


def test_proxies_pass_every_record_that_the_server_takes() -> None:
    assert int(_found(r"client_max_body_size (\d+)m;", "nginx.conf")) << 20 == ServerLimits().record
    assert "request_body" not in _text("Caddyfile")  # Caddy has no limit of its own, so the server's applies


def test_proxies_close_idle_connections_before_the_server_does() -> None:
    assert int(_found(r"keepalive_timeout (\d+)s;", "nginx.conf")) < KEEP_ALIVE_TIMEOUT
    assert int(_found(r"keepalive (\d+)s$", "Caddyfile")) < KEEP_ALIVE_TIMEOUT


def test_proxies_keep_connections_that_carry_only_pings_and_heartbeats() -> None:
    interval = max(IDLE_PING_INTERVAL, ServerLimits().keep_alive)
    assert int(_found(r"proxy_read_timeout (\d+)s;", "nginx.conf")) > 2 * interval
    assert "proxy_buffering off;" in _text("nginx.conf")


def test_a_stop_has_the_time_that_the_server_takes() -> None:
    within = Settings().shutdown_timeout + _CLOSE_TIMEOUT
    assert int(_services("compose.yaml")["server"]["stop_grace_period"].removesuffix("s")) > within
    assert int(_found(r"^TimeoutStopSec=(\d+)$", "faceup.service")) > within


def test_the_socket_of_systemd_has_the_address_that_the_server_would_bind() -> None:
    settings = load_settings({}, {}, DEPLOY / "faceup.toml").settings
    assert _found(r"^ListenStream=(.+)$", "faceup.socket") == f"{settings.bind_address}:{settings.port}"


# Compose.


def test_caddy_knows_every_server() -> None:
    first, two = _services("compose.yaml"), _services("compose.postgres.yaml")
    assert first["caddy"]["environment"]["SERVERS"] == "server:8000"
    assert {"server"} == first.keys() - {"caddy"}
    assert "build" not in first["server"]
    assert {"server": {"build"}} == {name: {*service} for name, service in _services("compose.build.yaml").items()}
    assert set(two["caddy"]["environment"]["SERVERS"].split()) == {f"{name}:8000" for name in ("server", "server2")}
    assert two["server2"].pop("extends") == {"file": "compose.yaml", "service": "server"}
    assert two["server"] == two["server2"]
    assert {"server", "server2", "caddy", "db"} == two.keys()
    assert two["server"]["environment"]["FACEUP_DATABASE"].endswith("@db/faceup")


def test_the_server_trusts_the_network_of_compose() -> None:
    [network] = yaml.safe_load(_text("compose.yaml"))["networks"]["default"]["ipam"]["config"]
    assert _services("compose.yaml")["server"]["environment"]["FACEUP_TRUSTED_PROXIES"] == network["subnet"]


def test_compose_pulls_the_image_that_the_release_publishes() -> None:
    workflow = (DEPLOY.parent / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "IMAGE: ghcr.io/${{ github.repository }}" in workflow
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))["project"]
    repository = project["urls"]["Source"].removeprefix("https://github.com/")
    assert _services("compose.yaml")["server"]["image"] == f"ghcr.io/{repository}"


# The image.


def test_the_image_is_made_of_what_the_project_has() -> None:
    for names in re.findall(r"^COPY (?!--from)(.+) \./?\w*$", _text("Dockerfile"), re.MULTILINE):
        assert all((DEPLOY.parent / name).exists() for name in names.split()), names
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text("utf-8"))["project"]
    extras = re.findall(r"--extra (\w+)|^ARG EXTRA=(\w+)", _text("Dockerfile"), re.MULTILINE)
    extras = ["".join(names) for names in extras]
    assert extras
    assert set(extras) <= project["optional-dependencies"].keys()


def test_the_image_has_compiled_modules() -> None:
    """Otherwise every start compiles them, also that of each health check, because they cannot be stored."""
    installs = re.findall(r"uv pip install .*", _text("Dockerfile"))
    assert installs
    assert all("--compile-bytecode" in install for install in installs)


def test_the_health_check_is_a_command() -> None:
    program, *words = json.loads(_found(r"^HEALTHCHECK .*CMD (\[.*\])$", "Dockerfile"))
    assert program == "faceup"
    assert parser().parse_args(words).run.__name__ == "ready"


# Alerts and dashboard.


def _rules() -> list[dict[str, Any]]:
    [group] = yaml.safe_load(_text("prometheus-rules.yaml"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def _panels() -> list[dict[str, Any]]:
    panels: list[dict[str, Any]] = json.loads(_text("grafana-dashboard.json"))["panels"]
    return panels


def _expressions() -> list[str]:
    """Return all expressions of alerts and of the dashboard, with values for the dashboard's variables."""
    shown = [target["expr"] for panel in _panels() for target in panel["targets"]]
    return [rule["expr"] for rule in _rules()] + [expression.replace("$__rate_interval", "5m") for expression in shown]


def _exposed() -> set[str]:
    """Return the names of all samples that `/metrics` can have."""
    endings = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
    exposition = Metrics().exposition(DatabaseCounts()).decode()
    return {
        f"{family.name}{ending}"
        for family in text_string_to_metric_families(exposition)
        for ending in endings.get(family.type, ("",))
    }


def test_every_metric_of_the_alerts_and_the_dashboard_exists() -> None:
    metrics = {
        name for expression in _expressions() for name in re.findall(r"\b(?:faceup|process)_[a-z_]+", expression)
    }
    assert metrics - _exposed() == set()
    watched = ("database_up", "command_seconds_bucket", "queue_length", "queue_seconds_bucket", "disk_free_bytes")
    alerts = str(_rules())
    for metric in (*watched, "backup_timestamp_seconds"):
        assert f"faceup_{metric}" in alerts


def test_every_expression_is_valid() -> None:
    for expression in _expressions():
        promql_parser.parse(expression)  # raises if it is not valid
    with pytest.raises(ValueError, match=r"unclosed|parse|expected|unexpected"):
        promql_parser.parse("rate(faceup_appends_total[5m]")


def test_alerts_have_names_severities_and_summaries_and_panels_do_not_overlap() -> None:
    rules = _rules()
    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert {rule["labels"]["severity"] for rule in rules} == {"critical", "warning"}
    assert all(rule["annotations"]["summary"] for rule in rules)
    cells = [
        (place["x"] + column, place["y"] + row)
        for place in (panel["gridPos"] for panel in _panels())
        for column in range(place["w"])
        for row in range(place["h"])
    ]
    assert len(set(cells)) == len(cells)
    assert max(column for column, _ in cells) < 24


@pytest.mark.long
def test_alerts_fire_when_they_should(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    assert promtool, "promtool is not installed (Debian: apt-get install prometheus)"
    labels = 'instance="a:8000", job="faceup"'
    buckets = {
        f'faceup_command_seconds_bucket{{{labels}, le="{le}"}}': f"0+{count}x60"
        for le, count in (("0.5", 90), ("1.0", 100), ("+Inf", 100))
    }
    healthy = {
        f"up{{{labels}}}": "1x60",
        f"faceup_database_up{{{labels}}}": "1x60",
        f"faceup_backup_interval_seconds{{{labels}}}": "600x60",
        f"faceup_backup_timestamp_seconds{{{labels}}}": "0+60x60",
        f'faceup_queue_length{{{labels}, queue="bots"}}': "3x60",
        f'faceup_disk_free_bytes{{{labels}, of="database"}}': "9e10x60",
    }
    sick = {
        "FaceupDown": {f"up{{{labels}}}": "0x60"},
        "FaceupDatabaseDown": {f"faceup_database_up{{{labels}}}": "0x60"},
        "FaceupBackupOld": {f"faceup_backup_timestamp_seconds{{{labels}}}": "0x60"},
        "FaceupQueueLong": {f'faceup_queue_length{{{labels}, queue="bots"}}': "101x60"},
        "FaceupDiskSmall": {f'faceup_disk_free_bytes{{{labels}, of="database"}}': "9e8x60"},
        "FaceupChoicesSlow": buckets,
        "": {
            f"faceup_backup_interval_seconds{{{labels}}}": "0x60",
            f"faceup_backup_timestamp_seconds{{{labels}}}": "0x60",
        },
    }
    tests = []
    for fires, changes in sick.items():
        series = [{"series": name, "values": values} for name, values in (healthy | changes).items()]
        for alert in filter(None, sick):
            shown = [{"exp_labels": _labels(alert)}] if alert == fires else []
            tests.append(
                {
                    "interval": "1m",
                    "input_series": series,
                    "alert_rule_test": [{"eval_time": "55m", "alertname": alert, "exp_alerts": shown}],
                }
            )
    rules = tmp_path / "rules.yaml"
    groups = yaml.safe_load(_text("prometheus-rules.yaml"))
    for rule in groups["groups"][0]["rules"]:
        del rule["annotations"]  # promtool would compare their texts
    rules.write_text(yaml.safe_dump(groups), "utf-8")
    (tmp_path / "tests.yaml").write_text(yaml.safe_dump({"rule_files": [str(rules)], "tests": tests}), "utf-8")
    for words in (("check", "rules", DEPLOY / "prometheus-rules.yaml"), ("test", "rules", tmp_path / "tests.yaml")):
        ran = subprocess.run([promtool, *words], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def _labels(alert: str) -> dict[str, str]:
    """Return the labels with which an alert fires in the test."""
    [severity] = [rule["labels"]["severity"] for rule in _rules() if rule["alert"] == alert]
    more = {"FaceupQueueLong": {"queue": "bots"}, "FaceupDiskSmall": {"of": "database"}}.get(alert, {})
    job = {} if alert == "FaceupChoicesSlow" else {"job": "faceup"}
    return {"instance": "a:8000", "severity": severity, **job, **more}
