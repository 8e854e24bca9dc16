"""How long something takes or lasts, as people write it."""

import re

from faceup.core import Malformed

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def milliseconds(text: str) -> int:
    """The time that words such as `90s`, `10m`, `2h` or `365d` stand for.

    >>> milliseconds("10m")
    600000

    Raises:
        Malformed: it is none.
    """
    found = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if not found:
        raise Malformed(f"{text!r} is no time: it is a number with s, m, h or d behind it, such as 10m", what=text)
    return int(found[1]) * _UNITS[found[2]] * 1000
