"""Traces of requests and commands with OpenTelemetry, if the standard variables `OTEL_...` ask for them.

Litestar's plugin makes the spans of HTTP requests. It records addresses and client data, too, so the exporter copies
only the attributes in a list, which identify no player and no table.
"""

import threading
from asyncio import Future, to_thread
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, Final

from faceup.core import Malformed
from faceup.extras import needs

# Before Litestar's plugin, which raises an error of its own if the extra is not installed.
with needs("otel", "a trace"):
    from opentelemetry.metrics import NoOpMeterProvider
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
    from opentelemetry.trace import SpanKind, Status, StatusCode, get_current_span

with needs("server", __name__):
    from litestar.plugins.opentelemetry import OpenTelemetryConfig, OpenTelemetryPlugin
    from litestar.types import Message, Scope

METHOD: Final = "http.request.method"
ROUTE: Final = "http.route"
STATUS: Final = "http.response.status_code"
COMMAND: Final = "faceup.command"
OUTCOME: Final = "faceup.outcome"

ATTRIBUTES: Final = frozenset({METHOD, ROUTE, STATUS, COMMAND, OUTCOME})
"""The attributes of spans that are exported. All others are not, because they can name players and tables."""

_STOP: Final = 2.0
"""Seconds in which the last spans are sent when the server stops."""


class Tracing:
    """The traces of a server process.

    Args:
        exporter: sends the spans.

    Attributes:
        plugin: makes a span of each HTTP request.
    """

    def __init__(self, exporter: SpanExporter) -> None:
        resource = Resource.create()
        if str(resource.attributes.get(SERVICE_NAME, "")).startswith("unknown_service"):  # OTEL_SERVICE_NAME is not set
            resource = resource.merge(Resource({SERVICE_NAME: "faceup"}))
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(_AllowlistExporter(exporter)))
        self._tracer = self._provider.get_tracer("faceup.server")
        self.plugin = OpenTelemetryPlugin(
            OpenTelemetryConfig(
                tracer_provider=self._provider,
                meter_provider=NoOpMeterProvider(),  # `/metrics` has the metrics
                scope_span_details_extractor=_details,
                exclude_spans=["receive", "send"],
            )
        )

    async def name_request(self, message: Message, scope: Scope) -> None:
        """Name the span of a request by its route, when the response starts. A hook of Litestar (`before_send`)."""
        if message["type"] != "http.response.start":
            return
        route = scope.get("path_template") or "other"
        span = get_current_span()
        span.update_name(f"{scope.get('method', '')} {route}")
        span.set_attributes({METHOD: str(scope.get("method", "")), ROUTE: route, STATUS: message["status"]})

    def trace_command(self, name: str) -> Callable[[Future[Any]], None]:
        """Start the span of a player's command, given its name. Call the result with the future of the answer."""
        span = self._tracer.start_span(f"command {name}", kind=SpanKind.INTERNAL, attributes={COMMAND: name})

        def end(answer: Future[Any]) -> None:
            error = None if answer.cancelled() else answer.exception()
            kind = getattr(error, "kind", None if error is None else "internal")
            span.set_attribute(OUTCOME, "cancelled" if answer.cancelled() else kind or "acknowledged")
            if error is not None:
                span.set_status(Status(StatusCode.ERROR))
            span.end()

        return end

    def flush(self) -> None:
        """Send all spans that have ended."""
        self._provider.force_flush()

    async def stop(self) -> None:
        """Send the last spans, within two seconds."""
        stopping = threading.Thread(target=self._provider.shutdown, name="faceup-tracing", daemon=True)
        stopping.start()
        await to_thread(stopping.join, _STOP)


def load_tracing(environ: Mapping[str, str]) -> Tracing:
    """Return traces with the exporter of the variable `OTEL_TRACES_EXPORTER`, by default `otlp` over HTTP.

    The SDK reads the other variables itself.

    Raises:
        Malformed: the exporter is unknown.
    """
    names = {"otlp": "otlp_proto_http"}
    name = environ.get("OTEL_TRACES_EXPORTER") or "otlp"
    exporters = entry_points(group="opentelemetry_traces_exporter", name=names.get(name, name))
    if not exporters:
        raise Malformed(
            f"OTEL_TRACES_EXPORTER cannot be {name!r}: use otlp, console, none, or another exporter that is installed",
            what=name,
            where="OTEL_TRACES_EXPORTER",
        )
    exporter: Callable[[], SpanExporter] = next(iter(exporters)).load()
    return Tracing(exporter())


def _details(scope: Scope) -> tuple[str, dict[str, str]]:
    """Return the name and attributes with which a span starts. The path is left out, because it can name a table."""
    return str(scope.get("method", "")), {}


class _AllowlistExporter(SpanExporter):
    """Exports spans that have only the allowed attributes, and no events, links or messages."""

    def __init__(self, inner: SpanExporter) -> None:
        self._inner = inner

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export spans."""
        return self._inner.export([_allowed(span) for span in spans])

    def shutdown(self) -> None:
        """Shut the exporter down."""
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send all spans."""
        return self._inner.force_flush(timeout_millis)


def _allowed(span: ReadableSpan) -> ReadableSpan:
    return ReadableSpan(
        span.name,
        context=span.context,
        parent=span.parent,
        resource=span.resource,
        attributes={name: value for name, value in (span.attributes or {}).items() if name in ATTRIBUTES},
        kind=span.kind,
        status=Status(span.status.status_code),
        start_time=span.start_time,
        end_time=span.end_time,
        instrumentation_scope=span.instrumentation_scope,
    )
