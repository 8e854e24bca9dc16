"""Traces: requests and commands have spans, which name no player, table or hand. They are off by default."""

import queue
import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from argon2.profiles import CHEAPEST
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.server.app_server import AppServer
from tests.server.migrated import create_file
from tests.server.server_process import serving

from faceup.core import Malformed
from faceup.server.http.app import ROUTES, make_app
from faceup.server.live import TableHub
from faceup.server.live.timeouts import Timeouts
from faceup.server.process.serve import _tracing
from faceup.server.process.settings import Settings
from faceup.server.process.tracing import ATTRIBUTES, COMMAND, METHOD, OUTCOME, ROUTE, STATUS, Tracing
from faceup.server.store import Store

CONFIG = {"game": "nimmt", "options": {"seats": 2, "hand": 4}, "bots": ["random"]}


class Traced:
    """A server that keeps spans in memory, both exported ones and original ones."""

    def __init__(
        self, app: AppServer, tracing: Tracing, exported: InMemorySpanExporter, raw: InMemorySpanExporter
    ) -> None:
        self.app = app
        self._tracing = tracing
        self._exported = exported
        self._raw = raw

    @property
    def spans(self) -> list[ReadableSpan]:
        """The exported spans."""
        self._tracing.flush()
        return list(self._exported.get_finished_spans())

    @property
    def raw(self) -> str:
        """The spans as they were made."""
        return "\n".join(span.to_json() for span in self._raw.get_finished_spans())


@asynccontextmanager
async def _traced(path: Path) -> AsyncIterator[Traced]:
    exported, raw = InMemorySpanExporter(), InMemorySpanExporter()
    tracing = Tracing(exported)
    tracing._provider.add_span_processor(SimpleSpanProcessor(raw))
    store = await Store.open(create_file(f"sqlite:///{path / 'tables.sqlite'}"))
    hub = TableHub(store, timeouts=Timeouts(think_time=(0, 0)), trace_command=tracing.trace_command)
    await hub.start()
    app = make_app(Settings(), store, hub, password_cost=CHEAPEST, tracing=tracing)
    await app.start()
    try:
        yield Traced(AppServer(app, store, hub), tracing, exported, raw)
    finally:
        await app.stop()
        await hub.stop()
        await store.close()
        await tracing.stop()


async def test_spans_of_requests_and_commands_name_no_player_table_or_hand(tmp_path: Path) -> None:
    secrets: set[str] = set()
    async with _traced(tmp_path) as traced:
        async with traced.app.guest("Ann Verysecret") as ann, traced.app.client() as other:
            me = (await ann.get("/api/me")).json()
            made = (await ann.post("/api/tables", json={"config": CONFIG})).json()
            table = made["id"]
            secrets |= {"Verysecret", me["handle"], table, made["code"], *dict(ann.cookies).values()}
            commands = f"/api/tables/{table}/commands"
            assert (await ann.post(commands, json={"id": "one", "command": "start"})).status_code == 200
            wrong = {"id": "two", "command": "choose", "seat": 0, "action": "105", "decision": 0}
            assert (await ann.post(commands, json=wrong)).status_code >= 400
            await other.get(f"/api/codes/{made['code']}")
            await other.get(f"/api/players/{me['handle']}?name=Verysecret")
            await other.get("/none/Verysecret")
            await other.post("/api/login", json={"login": "Verysecret", "password": "Verysecret"})
        spans = traced.spans
        assert table in traced.raw  # so the check below can fail
    text = "\n".join(span.to_json() for span in spans)
    assert not [secret for secret in secrets if secret in text]
    routes = {re.sub(":\\w+}", "}", path) for route in ROUTES for path in route.paths} | {"other"}
    for span in spans:
        attributes = dict(span.attributes or {})
        assert attributes.keys() <= ATTRIBUTES
        assert attributes.get(METHOD, "GET") in {"GET", "POST"}
        assert attributes.get(ROUTE, "other") in routes
        assert isinstance(attributes.get(STATUS, 200), int)
        assert not span.events
        assert not span.links
        assert span.status.description is None
    names = [span.name for span in spans]
    assert "POST /api/tables/{table}/commands" in names
    assert "GET /api/players/{handle}" in names
    outcomes = {(dict(span.attributes or {}).get(COMMAND), dict(span.attributes or {}).get(OUTCOME)) for span in spans}
    assert ("start", "acknowledged") in outcomes
    by_id = {span.context.span_id: span.name for span in spans if span.context}
    [start] = [span for span in spans if span.name == "command start"]
    assert start.parent is not None
    assert by_id[start.parent.span_id] == "POST /api/tables/{table}/commands"


def test_traces_are_off_unless_the_standard_variables_turn_them_on() -> None:
    on = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    for variables in (
        {},
        {"OTEL_SERVICE_NAME": "cards"},
        {"OTEL_TRACES_EXPORTER": "none", **on},
        {"OTEL_SDK_DISABLED": "true", **on},
    ):
        assert _tracing(variables) is None
    with pytest.raises(Malformed, match="OTEL_TRACES_EXPORTER cannot be 'pigeon'"):
        _tracing({"OTEL_TRACES_EXPORTER": "pigeon"})


@pytest.fixture
def collector() -> Iterator[tuple[str, "queue.Queue[ExportTraceServiceRequest]"]]:
    """A collector that takes traces over HTTP: its address, and what it has received."""
    received: queue.Queue[ExportTraceServiceRequest] = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.put(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", received
        server.shutdown()
        thread.join()


@pytest.mark.long
def test_a_server_sends_traces_to_a_collector_and_stops_in_time_without_it(
    collector: tuple[str, "queue.Queue[ExportTraceServiceRequest]"], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, received = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "200")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    with serving(tmp_path / "with") as server:
        assert server.ask("/api/version").status == 200
        sent = received.get(timeout=30)
        assert server.stop() == 0
    [resource] = sent.resource_spans
    attributes = {attribute.key: attribute.value.string_value for attribute in resource.resource.attributes}
    assert attributes["service.name"] == "faceup"
    assert "GET /api/version" in [span.name for scope in resource.scope_spans for span in scope.spans]
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    with serving(tmp_path / "without") as server:
        assert server.ask("/api/version").status == 200
        assert server.stop() == 0  # within the 30 seconds of `Server.stop`
