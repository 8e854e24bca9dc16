"""A push service for tests: a real HTTP server that keeps what it receives, and the browser that decrypts it.

The decryption follows RFC 8291 and RFC 8188 with the primitives of `cryptography`, so it is independent of the library
that encrypts.
"""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Received(NamedTuple):
    path: str
    headers: dict[str, str]
    body: bytes


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


class Browser:
    """A browser with a subscription."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = bytes(range(16))

    @property
    def subscription(self) -> dict[str, Any]:
        keys = {"p256dh": encode(point(self._key.public_key())), "auth": encode(self._auth)}
        return {"endpoint": self.endpoint, "keys": keys}

    def decrypt(self, body: bytes) -> Any:
        """Return the JSON of a message with one record (RFC 8188, sections 2 and 3; RFC 8291, section 3.4)."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point(self._key.public_key()) + sender
        secret = HKDF(hashes.SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert plain.endswith(b"\x02")  # the delimiter of the last record
        return json.loads(plain[:-1])


def verify(authorization: str) -> dict[str, Any]:
    """Return the claims of a VAPID header (RFC 8292) after checking its signature."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    raw = decode(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"]))
    r, s = (int.from_bytes(half) for half in (raw[:32], raw[32:]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims: dict[str, Any] = json.loads(decode(signed.partition(".")[2]))
    return claims | {"key": parts["k"]}


class PushService:
    """Keeps the messages that it receives, and answers with `status`."""

    def __init__(self) -> None:
        self.address = ""
        self.status = 201
        self.received: list[Received] = []

    def browser(self, name: str) -> Browser:
        return Browser(f"{self.address}/{name}")

    async def until(self, count: int, path: str = "/") -> list[Received]:
        """Wait until this number of messages has been received for browsers whose paths start with this one."""
        async with asyncio.timeout(20):
            while len(self._at(path)) < count:  # noqa: ASYNC110 -- messages of another server
                await asyncio.sleep(0.02)
        return self._at(path)

    def _at(self, path: str) -> list[Received]:
        return [message for message in self.received if message.path.startswith(path)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.received.append(Received(head[0].split()[1], headers, body))
        writer.write(f"HTTP/1.1 {self.status} Answer\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@asynccontextmanager
async def push_service() -> AsyncIterator[PushService]:
    """Run a push service on this machine."""
    service = PushService()
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield service
    finally:
        server.close()
