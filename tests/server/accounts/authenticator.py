"""A software authenticator for passkeys (WebAuthn, level 2)."""

import json
import secrets
import struct
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256


class Device:
    """A device with one passkey."""

    def __init__(self, origin: str, host: str) -> None:
        self.origin = origin
        self.host = host
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(16)
        self.uses = 0

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the result of `navigator.credentials.create`."""
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(public)
        statement = {"fmt": "none", "attStmt": {}, "authData": self._data(0x45, attested)}
        return self._answer(
            {
                "clientDataJSON": self._client_data("webauthn.create", options["challenge"]),
                "attestationObject": cbor2.dumps(statement),
            }
        )

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the result of `navigator.credentials.get`."""
        self.uses += 1
        client_data = self._client_data("webauthn.get", options["challenge"])
        data = self._data(0x05, b"")
        signature = self.key.sign(data + sha256(client_data).digest(), ec.ECDSA(SHA256()))
        return self._answer({"clientDataJSON": client_data, "authenticatorData": data, "signature": signature})

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _data(self, flags: int, attested: bytes) -> bytes:
        return sha256(self.host.encode()).digest() + struct.pack(">BI", flags, self.uses) + attested

    def _answer(self, response: dict[str, bytes]) -> dict[str, Any]:
        identifier = _text(self.id)
        encoded = {name: _text(value) for name, value in response.items()}
        return {"id": identifier, "rawId": identifier, "type": "public-key", "response": encoded}


def _text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()
