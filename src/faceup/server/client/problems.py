"""Refusals as the API writes them."""

import msgspec

from faceup.server.client.refusals import Refused


class Problem(msgspec.Struct, frozen=True):
    """What the API says of a refusal."""

    kind: str
    message: str
    legal: tuple[str, ...] = ()
    retry_after: int | None = None

    def refusal(self) -> Refused:
        """As an error."""
        return Refused(self.kind, self.message, legal=self.legal, retry_after=self.retry_after)


class _Failure(msgspec.Struct, frozen=True):
    error: Problem


def refusal_of(status: int, text: bytes) -> Refused:
    """What an answer that is no success says; a proxy's may say anything.

    >>> refusal_of(502, b"<html>").why
    'http_502'
    """
    try:
        return msgspec.json.decode(text, type=_Failure).error.refusal()
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Refused(f"http_{status}", f"the server answered with status {status}")
