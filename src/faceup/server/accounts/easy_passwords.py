"""The refusal of passwords that are easy to guess.

`common_passwords.txt` has the commonest passwords, with their source and licence.
"""

import unicodedata
from functools import cache
from pathlib import Path

from faceup.server.accounts.errors import WeakPasswordError


def require_not_easy(password: str, login: str | None) -> None:
    """Raise `WeakPasswordError` if a new password is one of the commonest, or equals the login.

    >>> require_not_easy("correct horse", "ann")
    >>> require_not_easy("Password1", "ann")
    Traceback (most recent call last):
    faceup.server.accounts.errors.WeakPasswordError: this password is one of the most common ones: choose another one
    """
    folded = _folded(password)
    if login is not None and folded == _folded(login):
        raise WeakPasswordError("a password must not be the same as the login: choose another one")
    if folded in _common():
        raise WeakPasswordError("this password is one of the most common ones: choose another one")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


@cache
def _common() -> frozenset[str]:
    text = Path(__file__).with_name("common_passwords.txt").read_text("utf-8")
    return frozenset(line for line in text.split("\n") if not line.startswith("# "))
