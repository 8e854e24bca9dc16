"""Operational metrics of one process, exposed in Prometheus's text format."""

from collections.abc import Iterable, Mapping
from functools import cache, partial
from math import nan
from pathlib import Path
from shutil import disk_usage
from typing import Final, NamedTuple

from faceup.extras import needs

with needs("server", __name__):
    from prometheus_client import (
        CollectorRegistry,
        Counter,
        Gauge,
        Histogram,
        ProcessCollector,
        disable_created_metrics,
        generate_latest,
    )
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
    from prometheus_client.registry import Collector

disable_created_metrics()  # type: ignore[no-untyped-call]

_SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_SIZES: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)


class DatabaseCounts(NamedTuple):
    """Figures from the database, over all processes.

    Attributes:
        tables: the number of tables by status.
        outages: the number of periods in which no process was alive.
        last_backup: when the last automatic backup was made, in milliseconds since 1970; 0 if there was none.
        up: whether the database answered when the figures were last read.
    """

    tables: Mapping[str, int] = {}
    outages: int = 0
    last_backup: int = 0
    up: bool = True


class Metrics:
    """Counters and histograms of one process since its start.

    Attributes:
        command: returns the counter of acknowledged commands of a type. The counters are cached, because one is needed
            for every command.

    >>> metrics = Metrics()
    >>> metrics.command("choose").inc(3)
    >>> text = metrics.exposition(DatabaseCounts({"active": 2})).decode()
    >>> [line for line in text.splitlines() if line.startswith(("faceup_tables{", "faceup_commands"))]
    ['faceup_tables{status="active"} 2.0', 'faceup_commands_total{command="choose"} 3.0']
    """

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry(auto_describe=False)
        self._database = _DatabaseCollector()
        registry.register(self._database)
        ProcessCollector(registry=registry)
        counter = partial(Counter, registry=registry)
        histogram = partial(Histogram, registry=registry, buckets=_SECONDS)

        self.connections = Gauge("faceup_connections", "Open connections by channel", ["channel"], registry=registry)
        self.requests = counter("faceup_requests", "Requests answered", ["method", "route", "status"])
        self.request_seconds = histogram("faceup_request_seconds", "Response time of requests")
        self.round_trip_seconds = histogram(
            "faceup_round_trip_seconds", "Round-trip times to players, measured by the server"
        )
        self.command = cache(counter("faceup_commands", "Commands acknowledged, by type", ["command"]).labels)
        self.command_seconds = histogram(
            "faceup_command_seconds", "Time from a player's command until it was stored and acknowledged"
        )
        self.rejections = counter("faceup_rejections", "Commands rejected, by kind of error", ["kind"])
        self.lines_sent = counter("faceup_lines_sent", "Lines sent, counted once per subscriber")
        self.slow_readers = counter(
            "faceup_slow_readers", "Streams that were ended because their subscriber read too slowly"
        )
        self.table_loads = counter("faceup_table_loads", "Tables loaded from the database into memory")
        self.tables_taken_over = counter(
            "faceup_tables_taken_over", "Tables that this process loaded because they were due"
        )
        self.deadlines_expired = counter("faceup_deadlines_expired", "Deadlines expired by this process")
        self.deadline_delay = histogram("faceup_deadline_delay_seconds", "Time from a deadline until it expired")
        self.queue_length = Gauge(
            "faceup_queue_length", "Requests waiting for their turn, by queue", ["queue"], registry=registry
        )
        self.queue_seconds = histogram("faceup_queue_seconds", "Time that requests waited for their turn", ["queue"])
        self._disk_free = Gauge(
            "faceup_disk_free_bytes", "Free space on the disk of the database or the backups", ["of"], registry=registry
        )
        self.backup_interval = Gauge(
            "faceup_backup_interval_seconds", "Time between two automatic backups, 0 without", registry=registry
        )
        self.backup_failures = counter("faceup_backup_failures", "Automatic backups of this process that failed")
        self.background_failures = counter(
            "faceup_background_failures", "Failures of background tasks, or of single items", ["task"]
        )
        self.appends = counter("faceup_appends", "Log rows appended by this process")
        self.append_conflicts = counter(
            "faceup_append_conflicts", "Appends that failed because another process appended first"
        )
        self.commit_seconds = histogram("faceup_commit_seconds", "Duration of commits")
        self.commit_sizes = histogram("faceup_commit_appends", "Appends per commit", buckets=_SIZES)

    def watch_disk(self, name: str, folder: Path) -> None:
        """Show the free space on the disk of a folder. Where the folder is missing, it is not a number."""

        def free() -> float:
            try:
                return disk_usage(folder).free
            except OSError:
                return nan

        self._disk_free.labels(name).set_function(free)

    def exposition(self, counts: DatabaseCounts) -> bytes:
        """Return the metrics in Prometheus's text format."""
        self._database.counts = counts
        return generate_latest(self._registry)

    def value(self, sample: str, **labels: str) -> float:
        """Return the value of a sample, such as `faceup_appends_total`; 0 if it does not exist yet."""
        return self._registry.get_sample_value(sample, labels) or 0.0


class _DatabaseCollector(Collector):
    def __init__(self) -> None:
        self.counts = DatabaseCounts()

    def collect(self) -> Iterable[Metric]:
        tables = GaugeMetricFamily("faceup_tables", "Tables by status, in the whole database", labels=["status"])
        for status, count in self.counts.tables.items():
            tables.add_metric([status], count)
        yield tables
        yield GaugeMetricFamily(
            "faceup_database_up", "Whether the database answers, asked at most every 30 seconds", value=self.counts.up
        )
        yield CounterMetricFamily("faceup_outages", "Periods in which no process was alive", value=self.counts.outages)
        yield GaugeMetricFamily(
            "faceup_backup_timestamp_seconds",
            "Time of the last automatic backup of the database, in seconds since 1970; 0 if there was none",
            value=self.counts.last_backup / 1000,
        )
