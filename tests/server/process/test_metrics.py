"""Every counter and histogram is exposed to Prometheus."""

from pathlib import Path
from shutil import disk_usage

from prometheus_client.parser import text_string_to_metric_families as families

from faceup.server.process.metrics import DatabaseCounts, Metrics


def test_every_metric_is_exposed() -> None:
    metrics = Metrics()
    metrics.slow_readers.inc(4)
    metrics.command("choose").inc(7)
    metrics.rejections.labels("stale").inc(2)
    metrics.connections.labels("websocket").inc(5)
    metrics.requests.labels("GET", '/api/tables/{id}"\n', 200).inc()
    for seconds in (0.0001, 0.003, 99.0):
        metrics.commit_seconds.observe(seconds)
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in families(metrics.exposition(DatabaseCounts({"active": 3, "finished": 10}, 1)).decode())
        for sample in family.samples
    }
    assert samples["faceup_tables", "finished"] == 10
    assert samples["faceup_commands_total", "choose"] == 7
    assert samples["faceup_rejections_total", "stale"] == 2
    assert samples["faceup_connections", "websocket"] == 5
    assert samples["faceup_requests_total", "GET", '/api/tables/{id}"\n', "200"] == 1
    assert samples["faceup_outages_total",] == 1
    assert samples["faceup_slow_readers_total",] == 4
    assert [samples["faceup_commit_seconds_bucket", bound] for bound in ("0.0005", "0.005", "10.0", "+Inf")] == [
        *(1, 2, 2, 3)
    ]
    assert samples["faceup_commit_seconds_count",] == 3
    assert samples["faceup_commit_seconds_sum",] == 99.0031
    assert not [name for name, *_ in samples if name.endswith("_created")]


def test_the_free_space_of_a_folder_is_shown_also_when_the_folder_is_missing(tmp_path: Path) -> None:
    metrics = Metrics()
    metrics.watch_disk("database", tmp_path)
    metrics.watch_disk("backups", tmp_path / "none")
    lines = metrics.exposition(DatabaseCounts(up=False)).decode().splitlines()
    assert 'faceup_disk_free_bytes{of="backups"} NaN' in lines
    [free] = [line.split()[1] for line in lines if line.startswith('faceup_disk_free_bytes{of="database"}')]
    assert abs(float(free) - disk_usage(tmp_path).free) < 1e9
    assert "faceup_database_up 0.0" in lines
