"""What every answer says about itself, so that browsers keep to it."""

from collections.abc import Iterable
from typing import Final

from faceup.server.api.callers import Caller

_POLICY: Final = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    b"media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'"
)
"""Nothing but our own files, and no script or style that stands in a page."""

PICTURE_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For a drawing: it has its own styles, and nothing else."""

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)

_UNLESS_SAID: Final = (
    (b"content-security-policy", _POLICY),
    (b"cache-control", b"no-store"),
)

_OF_PARTS: Final = frozenset({b"x-content-type-options", b"cross-origin-resource-policy"})
"""All that matters for scripts and styles: what a page may do is said of the page, and a page has dozens of parts."""

_WHERE_SECURE: Final = (
    (b"strict-transport-security", b"max-age=15552000"),  # half a year
    (b"cross-origin-opener-policy", b"same-origin"),
)
"""Over plain http browsers ignore these, the second with a complaint."""


def response_headers(said: Iterable[tuple[bytes, bytes]], caller: Caller) -> list[tuple[bytes, bytes]]:
    """An answer's headers with those that all answers have."""
    headers = list(said)
    known = {name.lower(): value for name, value in headers}
    part = known.get(b"content-type", b"").startswith((b"text/javascript", b"text/css"))
    headers += [each for each in _ALWAYS if each[0] in _OF_PARTS or not part]
    headers += [each for each in _UNLESS_SAID if each[0] not in known and not part]
    if caller.secure:
        headers += _WHERE_SECURE
    return headers
