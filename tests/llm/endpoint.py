"""A local endpoint that speaks OpenAI's protocol of chat completions, with a model that is a function."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Endpoint:
    """What was sent to the endpoint.

    Attributes:
        url: the base address.
        requests: the bodies of all requests.
        keys: the header `Authorization` of all requests.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[dict[str, Any]] = []  # Any: JSON
        self.keys: list[str] = []


def completion(text: str) -> dict[str, Any]:  # Any: JSON
    """Return a chat completion with this text."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "stub",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 20, "total_tokens": 920},
    }


@contextmanager
def endpoint(model: Callable[[dict[str, Any]], tuple[int, Any]]) -> Iterator[Endpoint]:
    """Serve a model, which returns the status and the body of the response to a request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            served.requests.append(body)
            served.keys.append(self.headers.get("Authorization", ""))
            status, answer = model(body) if self.path == "/v1/chat/completions" else (404, {})
            content = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = Endpoint(f"http://127.0.0.1:{server.server_port}/v1")
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def last_answer(body: dict[str, Any]) -> tuple[int, Any]:
    """Choose the last possible answer, after some reasoning."""
    return 200, completion(f"The last one is as good as any.\n\n**ANSWER:** `{possible_answers(body)[-1]}`")


def possible_answers(body: dict[str, Any]) -> list[str]:
    """Return the possible answers in the first question of a request."""
    text: str = body["messages"][1]["content"]
    return text.partition("Possible answers:\n\n")[2].partition("\n\n")[0].splitlines()
