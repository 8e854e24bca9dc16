"""The counts of a server as Prometheus reads them."""

from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from faceup.server.desk import Figures
from faceup.server.tally import Kept, Spread, Tally


def exposition(tally: Tally, figures: Figures, kept: Kept) -> bytes:
    """The text that a monitor reads.

    >>> figures = Figures()
    >>> figures.commands["choose"] += 3
    >>> text = exposition(Tally(), figures, Kept({"active": 2})).decode()
    >>> [line for line in text.splitlines() if line.startswith(("faceup_tables", "faceup_commands"))]
    ['faceup_tables{status="active"} 2.0', 'faceup_commands_total{do="choose"} 3.0']
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Counts(tally, figures, kept))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _Counts(Collector):
    def __init__(self, tally: Tally, figures: Figures, kept: Kept) -> None:
        self.tally = tally
        self.figures = figures
        self.kept = kept

    def collect(self) -> Iterable[Metric]:
        tally, figures = self.tally, self.figures
        yield _gauge("faceup_tables", "Tables by status, in the whole database", "status", self.kept.tables)
        yield _gauge("faceup_connections", "Open connections by channel", "channel", tally.connections)
        yield _counter("faceup_commands", "Commands acknowledged, by what they do", "do", figures.commands)
        yield _counter("faceup_refusals", "Commands refused, by kind of error", "kind", figures.refusals)
        requests = CounterMetricFamily("faceup_requests", "Requests answered", labels=("method", "route", "status"))
        for (method, route, status), count in tally.requests.items():
            requests.add_metric((method, route, str(status)), count)
        yield requests
        for name, meaning in _DESK.items():
            yield CounterMetricFamily(f"faceup_{name}", meaning, value=getattr(figures, name))
        yield CounterMetricFamily("faceup_outages", "Times in which no process was awake", value=self.kept.outages)
        yield _histogram("faceup_request_seconds", "Time to answer a request", tally.request_seconds)
        yield _histogram("faceup_commit_seconds", "Time of a commit", tally.commit_seconds)
        yield _histogram("faceup_commit_appends", "Appends in a commit", tally.commit_sizes)
        yield _histogram("faceup_lag_seconds", "Round trips to players, measured by the server", tally.lag_seconds)
        yield _histogram("faceup_lateness_seconds", "How late deadlines were acted on", figures.lateness)


_DESK: Final = {
    "appends": "What this process appended to logs",
    "collisions": "How often another process was first to append",
    "lines": "Lines told, each once for each of its readers",
    "slow": "Readers that were given up because they did not keep up",
    "loads": "Tables read from the database into memory",
    "timeouts": "How often this process found that a player's time was up",
    "taken_over": "Tables that were due and that no process had in memory",
}
"""The counters of the desk, by its own names."""


def _gauge(name: str, meaning: str, label: str, values: Mapping[str, int]) -> Metric:
    family = GaugeMetricFamily(name, meaning, labels=(label,))
    for value, count in values.items():
        family.add_metric((value,), count)
    return family


def _counter(name: str, meaning: str, label: str, values: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=(label,))
    for value, count in values.items():
        family.add_metric((value,), count)
    return family


def _histogram(name: str, meaning: str, spread: Spread) -> Metric:
    bounds = [*(repr(float(bound)) for bound in spread.bounds), "+Inf"]
    buckets = list(zip(bounds, accumulate(spread.counts), strict=True))
    return HistogramMetricFamily(name, meaning, buckets=buckets, sum_value=spread.total)
