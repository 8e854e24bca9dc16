"""JSON objects of which a large part is the same for all clients. This part is encoded and compressed once."""

import zlib
from struct import pack
from typing import Final

import msgspec

_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""The header of a gzip file (RFC 1952) without a name and a time."""


class SharedJson:
    """A member of JSON objects, encoded and compressed.

    Args:
        name: the name of the member.
        value: its value.

    >>> class Own(msgspec.Struct):
    ...     number: int
    >>> SharedJson("all", [1, 2]).plain(Own(7))
    b'{"number":7,"all":[1,2]}'
    """

    __slots__ = ("_compressed", "_member")

    def __init__(self, name: str, value: object) -> None:
        self._member = f',"{name}":'.encode() + msgspec.json.encode(value) + b"}"
        compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        self._compressed = compressor.compress(self._member) + compressor.flush()

    def plain(self, others: msgspec.Struct) -> bytes:
        """Return an object that has the members of a struct, which must have at least one, and this member."""
        return msgspec.json.encode(others)[:-1] + self._member

    def compressed(self, others: msgspec.Struct) -> bytes:
        """Return the same object as `plain` in gzip format.

        The other members are stored without compression, so that the length reveals nothing about them.
        """
        others_json = msgspec.json.encode(others)[:-1]
        stored = [others_json[start : start + 0xFFFF] for start in range(0, len(others_json), 0xFFFF)]
        check = zlib.crc32(self._member, zlib.crc32(others_json))
        return b"".join(
            (
                _HEADER,
                *(pack("<BHH", 0, len(part), len(part) ^ 0xFFFF) + part for part in stored),  # as in RFC 1951
                self._compressed,
                pack("<II", check, len(others_json) + len(self._member)),
            )
        )
