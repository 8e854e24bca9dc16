"""Every counter and histogram is exposed to Prometheus."""

from prometheus_client.parser import text_string_to_metric_families as families

from faceup.server.metrics import DatabaseCounts, Metrics


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
