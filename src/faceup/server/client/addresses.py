"""Addresses as people pass them on: of a server, of a table, of a table by its five letters."""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from faceup.core import Malformed

_TABLE: Final = re.compile(r"(?P<base>.*)/(?:t|api/tables)/(?P<table>[A-Za-z0-9_-]{6,40})")
_CODE: Final = re.compile(r"(?P<base>.*)/(?P<code>[A-Za-z0-9]{5})")


class Address(NamedTuple):
    """Where something is.

    Attributes:
        server: the server's own address, without a slash at its end.
        table: the table's id; "" if the address names none.
        code: the table's five letters; "" likewise.
    """

    server: str
    table: str = ""
    code: str = ""


def read_address(text: str) -> Address:
    """An address, with or without `http://`.

    Raises:
        Malformed: it is none of http or https.

    >>> read_address("https://cards.example/games/t/0rWq1TI0EHCpz1rKzVyXfw")
    Address(server='https://cards.example/games', table='0rWq1TI0EHCpz1rKzVyXfw', code='')
    >>> read_address("192.168.1.7:8000/KMRTW")
    Address(server='http://192.168.1.7:8000', table='', code='KMRTW')
    >>> read_address("http://localhost:8000/").server
    'http://localhost:8000'
    """
    whole = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(whole)
        right = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise Malformed(
            f"an address is http://HOST:PORT, with /t/TABLE or /CODE behind it for a table, not {text!r}",
            what=text,
            where="address",
        )
    path = parts.path.rstrip("/")
    root = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if found := _TABLE.fullmatch(path):
        return Address(root + found["base"], table=found["table"])
    if found := _CODE.fullmatch(path):
        return Address(root + found["base"], code=found["code"].upper())
    return Address(root + path)
