"""A real OpenID provider, made of Authlib, that listens on a port of this machine; it can also sign wrong tokens."""

import json
import os
import threading
from base64 import urlsafe_b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import httpx
import oidc_provider_mock
from joserfc import jwt
from joserfc.jwk import RSAKey
from werkzeug.serving import make_server
from werkzeug.test import run_wsgi_app

Claims = dict[str, Any]
Sign = Callable[[RSAKey, Claims], str]


def signed(key: RSAKey, claims: Claims) -> str:
    """Return the claims as a token with a right signature."""
    return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)


def _client() -> httpx.AsyncClient:
    """Return a client without HTTPS, because loading the system's certificates takes as long as ten requests."""
    return httpx.AsyncClient(transport=httpx.AsyncHTTPTransport(verify=False))


class Provider:
    """A provider at which everyone logs in without a password.

    Attributes:
        issuer: its issuer URL.
        sign: signs the tokens instead of the provider, with a key that the provider publishes; None for its own ones.
        documents: members of its discovery document that differ.
        answers: answers instead of its own ones, by path.
        requests: the paths of the requests that it got.
        forms: the forms that its token endpoint got.
        authorization: the header of the last one.
    """

    def __init__(self) -> None:
        self._app = oidc_provider_mock.app()
        self._server = make_server("localhost", 0, self._serve, threaded=True)
        self.issuer = f"http://localhost:{self._server.server_port}"
        self.key = RSAKey.generate_key(2048, {"kid": "test", "use": "sig"})
        self.sign: Sign | None = None
        self.documents: dict[str, object] = {}
        self.answers: dict[str, tuple[int, bytes]] = {}
        self.requests: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.authorization = ""

    def _serve(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        path = environ["PATH_INFO"]
        self.requests.append(path)
        if path in self.answers:
            status, body = self.answers[path]
            start_response(f"{status} Answer", [("content-type", "application/json")])
            return [body]
        if path == "/oauth2/token":
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            self.forms.append(query_of(f"?{body.decode()}"))
            self.authorization = environ.get("HTTP_AUTHORIZATION", "")
            environ["wsgi.input"] = BytesIO(body)
        parts, status_line, headers = run_wsgi_app(self._app, environ)
        body = self._changed(path, b"".join(parts))
        headers["content-length"] = str(len(body))
        start_response(status_line, list(headers))
        return [body]

    def _changed(self, path: str, body: bytes) -> bytes:
        if path == "/.well-known/openid-configuration":
            return json.dumps(json.loads(body) | self.documents).encode()
        if self.sign is not None and path == "/jwks":
            return json.dumps({"keys": [self.key.as_dict(private=False)]}).encode()
        if self.sign is not None and path == "/oauth2/token" and b"id_token" in body:
            answer = json.loads(body)
            payload = answer["id_token"].split(".")[1]
            claims = json.loads(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
            return json.dumps(answer | {"id_token": self.sign(self.key, claims)}).encode()
        return body

    def serve(self) -> None:
        """Serve until `stop`."""
        self._server.serve_forever(0.05)

    def stop(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()

    async def add(self, subject: str, **claims: object) -> None:
        """Set the claims about a person."""
        async with _client() as client:
            (await client.put(f"{self.issuer}/users/{subject}", json=claims)).raise_for_status()

    async def log_in(self, url: str, subject: str) -> str:
        """Log in as a person at an address of this provider. Return the address to which it sends the browser."""
        assert url.startswith(self.issuer)
        async with _client() as client:
            answer = await client.post(url, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Run a provider in a thread."""
    with mock.patch.dict(os.environ, {"AUTHLIB_INSECURE_TRANSPORT": "1"}):
        provider = Provider()
        thread = threading.Thread(target=provider.serve)
        thread.start()
        try:
            yield provider
        finally:
            provider.stop()
            thread.join()


def query_of(url: str) -> dict[str, str]:
    """Return the parameters of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
