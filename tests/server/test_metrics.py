"""What a monitor reads is what was counted."""

from prometheus_client.parser import text_string_to_metric_families as families

from faceup.server.desk import Figures
from faceup.server.metrics import exposition
from faceup.server.tally import Kept, Tally


def test_every_count_is_read_back_by_prometheus() -> None:
    tally = Tally()
    figures = Figures(slow=4)
    figures.commands["choose"] += 7
    figures.refusals["stale"] += 2
    tally.connections["websocket"] += 5
    tally.requests["GET", '/api/tables/{id}"\n', 200] += 1
    for seconds in (0.0001, 0.003, 99.0):
        tally.commit_seconds.add(seconds)
    samples = {
        (sample.name, *sample.labels.values()): sample.value
        for family in families(exposition(tally, figures, Kept({"active": 3, "finished": 10}, 1)).decode())
        for sample in family.samples
    }
    assert samples["faceup_tables", "finished"] == 10
    assert samples["faceup_commands_total", "choose"] == 7
    assert samples["faceup_refusals_total", "stale"] == 2
    assert samples["faceup_connections", "websocket"] == 5
    assert samples["faceup_requests_total", "GET", '/api/tables/{id}"\n', "200"] == 1
    assert samples["faceup_outages_total",] == 1
    assert samples["faceup_slow_total",] == 4
    assert [samples["faceup_commit_seconds_bucket", bound] for bound in ("0.0005", "0.005", "10.0", "+Inf")] == [
        *(1, 2, 2, 3)
    ]
    assert samples["faceup_commit_seconds_count",] == 3
    assert samples["faceup_commit_seconds_sum",] == 99.0031
