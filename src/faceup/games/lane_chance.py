"""The chance of one lane of the batch engines for the readable rules, without numba.

The batch engines and the JAX engine may draw several choices from one random word, and may number the words by the
outcome. A game registers this as `ChanceWords` in its `Game.formats["chance_words"]`. All environments draw chance
here, so that a seed has the same outcomes in all of them, whatever is played, and whatever other random numbers are
drawn.
"""

from typing import Final

import msgspec

from faceup.core.generator import FRACTION_BITS, WEYL, lane_key, mix
from faceup.core.registry import find_game
from faceup.core.rules import AnyRules, draw
from faceup.core.values import Outcome, State
from faceup.core.whole_numbers import LARGEST_WORD

_FRACTION: Final = (1 << FRACTION_BITS) - 1
_UNUSED_BITS: Final = 64 - FRACTION_BITS


class ChanceWords(msgspec.Struct, frozen=True):
    """How a game's engines use the random words of a lane, of which the first has the number 1.

    Attributes:
        choices: the number of choices that are drawn from one word; `faceup.games.lanes` explains how.
        outcome: outcome k, counted from 0, uses the words after word k * `outcome`; None if it continues with the next
            word.
    """

    choices: int = 1
    outcome: int | None = None


class LaneChance:
    """The outcomes of chance of one lane, in order. It draws for any number of games one after another.

    Args:
        rules: the rules.
        seed: 0 to 2**64 - 1.
        lane: the number of the lane in a batch with this seed.

    Raises:
        Malformed: the seed or the lane is not a whole number, or is out of range.

    >>> from faceup.core import make
    >>> rules = make("nimmt seats=2 hand=3")
    >>> LaneChance(rules, 7).draw(rules.start()).cards
    (99, 86, 16, 92, 89, 5, 95, 37, 98, 15)
    """

    def __init__(self, rules: AnyRules, seed: int, lane: int = 0) -> None:
        words = find_game(rules.game).formats.get("chance_words")
        self._words = words if isinstance(words, ChanceWords) else ChanceWords()
        self._rules = rules
        self._key = lane_key(seed, lane)
        self._outcomes = self._word = self._left = self._rest = 0

    def draw(self, state: State) -> Outcome:
        """Return the next outcome, in a state in which chance is due."""
        if self._words.outcome is not None:
            self._word = self._outcomes * self._words.outcome
        self._outcomes += 1
        self._left = 0
        return draw(self._rules, state, self)

    def below(self, n: int) -> int:
        """Return one of `range(n)`, as the generator of the outcome that is drawn."""
        if not self._left:
            self._word += 1
            self._left = self._words.choices
            self._rest = mix(self._key + self._word * WEYL & LARGEST_WORD) >> _UNUSED_BITS
        self._left -= 1
        product = self._rest * n
        self._rest = product & _FRACTION
        return product >> FRACTION_BITS
