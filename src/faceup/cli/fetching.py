"""Reading something from a server's address."""

from typing import Final

LONGEST: Final = 64 << 20
"""Bytes: more than any record has, and no server shall fill the memory."""


def fetched(url: str, what: str) -> bytes:
    """What is at the address.

    Args:
        url: of http or https.
        what: is expected there, for the message if it is not.

    Raises:
        Malformed: the address is none, cannot be reached, or says no.
    """
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen

    from faceup.core import Malformed

    if not url.startswith(("http://", "https://")):
        raise Malformed(f"{what} is fetched by http or https, not from {url}", what=url, where="URL")
    try:
        with urlopen(Request(url, headers={"Accept": "application/json"}), timeout=30) as answer:  # noqa: S310 -- as checked
            text: bytes = answer.read(LONGEST)
            return text
    except HTTPError as error:
        error.close()
        why = f"answers {error.code} {error.reason}: {what} is expected there"
    except (HTTPException, OSError, ValueError) as error:
        why = f"cannot be reached: {getattr(error, 'reason', error)}"
    raise Malformed(f"{url} {why}", what=url, where="URL")
