"""Chances as whole numbers of equally likely cases."""

import msgspec


class Chance(msgspec.Struct, frozen=True):
    """So many cases of so many: exact, and never cancelled down, so that both numbers mean something.

    >>> Chance(123, 7776).fraction
    '123/7776'
    """

    count: int
    total: int

    @property
    def fraction(self) -> str:
        """As it is written."""
        return f"{self.count}/{self.total}"

    @property
    def value(self) -> float:
        """As the nearest floating-point number."""
        return self.count / self.total

    def json(self) -> dict[str, object]:
        """`{"fraction": "123/7776", "probability": 0.0158...}`."""
        return {"fraction": self.fraction, "probability": self.value}
