"""Odds of the games: exact where cases can be counted, else sampled with confidence intervals."""

import msgspec


class Chance(msgspec.Struct, frozen=True):
    """An exact probability: `count` of `total` equally likely cases, not reduced to lowest terms.

    >>> Chance(123, 7776).fraction
    '123/7776'
    """

    count: int
    total: int

    @property
    def fraction(self) -> str:
        """The probability as text, "123/7776"."""
        return f"{self.count}/{self.total}"

    @property
    def value(self) -> float:
        """The probability as the nearest float."""
        return self.count / self.total

    def json(self) -> dict[str, object]:
        """Return the probability for JSON: `{"fraction": "123/7776", "probability": 0.0158...}`."""
        return {"fraction": self.fraction, "probability": self.value}
