"""A policy that exploits a bot of 6 nimmt! it knows: it plays the best card against the bot's own choices.

The policy samples worlds that its view allows, and prefers those in which the others would have played as they did. In
each world, it asks the bot which card it would play from the hands of the other seats, places each own card against
them, and lets the critic value the rest of the deal. Except for the bot and its own view, it knows nothing.

This is a local best response in the sense of Lisy and Bowling, "Equilibrium approximation quality of current no-limit
poker bots" (2017): it looks one turn ahead, so its gain is a lower bound of what the best exploiter gains.
"""

import numpy as np

from faceup.core.generator import Generator
from faceup.core.rules import Policy
from faceup.core.values import Action
from faceup.games.nimmt.actions import play
from faceup.games.nimmt.batch import fitted_policy
from faceup.games.nimmt.batch.beliefs import Beliefs
from faceup.games.nimmt.batch.kernels import card_words
from faceup.games.nimmt.batch.lookahead import Lookahead
from faceup.games.nimmt.batch.opponent import Opponent, deal_hands
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, View, shared_fields
from faceup.games.nimmt.validation import unseen_cards

TRUST = 0.5
"""Weight of the evidence from cards played; see `Beliefs`."""


class BestReply:
    """A policy that knows the bot in all other seats.

    Args:
        bot: the bot.
        fallback: the policy that chooses rows.
        worlds: the number of worlds for each decision.
        objective: "relative" for points relative to the other seats, or "win".

    >>> from faceup.bots import policy
    >>> from faceup.core import SeededGenerator, read
    >>> greedy = policy("nimmt", "greedy")
    >>> rules, view = read("nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> rules.describe(BestReply(greedy, greedy, worlds=16)(rules, view, SeededGenerator(1)))
    'play 6'
    """

    def __init__(self, bot: Policy, fallback: Policy, *, worlds: int, objective: str = "relative") -> None:
        self._bot, self._fallback, self._worlds = bot, fallback, worlds
        self._column = int(objective == "win")

    def __call__(self, rules: Rules, view: View, rng: Generator) -> Action:
        """Return the best action against the bot."""
        if len(view.legal) == 1:
            return view.legal[0]
        if view.waiting:
            return self._fallback(rules, view, rng)
        seed = rng.below(2**63)
        others = [seat for seat in rules.seats_in(view.out) if seat != view.seat]
        numbers = self._draw(rules, view, seed, len(others))
        size = len(view.hand)
        hands = np.empty((len(numbers), len(others), size), np.uint8)
        deal_hands(np.uint64(seed), numbers, card_words(unseen_cards(rules, view)), hands)
        cards = np.array([self._reply(rules, view, others, world, rng) for world in hands.tolist()], np.uint8)
        values = Lookahead(rules, view, seed=seed).values(numbers, cards, np.arange(size))
        means = values[..., self._column].mean(axis=0)
        return play(view.hand[int(means.argmax() if self._column else means.argmin())])

    def _draw(self, rules: Rules, view: View, seed: int, others: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
        """Return the numbers of worlds, which are drawn more often if they explain the cards played so far."""
        opponent = Opponent(rules, view, seed=seed) if others == 1 else None
        beliefs = Beliefs(
            rules, view, seed=seed, network=fitted_policy.WEIGHTS, base=fitted_policy.FITTED, use_beliefs=True,
            trust=TRUST, opponent=opponent,
        )  # fmt: skip
        beliefs.weigh(16 * self._worlds)
        return beliefs.draw(np.arange(self._worlds, dtype=np.uint64))[0]

    def _reply(self, rules: Rules, view: View, others: list[int], hands: list[list[int]], rng: Generator) -> list[int]:
        """Return the card that the bot plays in each other seat, in a world with these hands."""
        held = dict(zip(others, map(tuple, hands), strict=True))
        state = State(
            hands=tuple(view.hand if seat == view.seat else held.get(seat, ()) for seat in range(rules.seats)),
            **shared_fields(view),
        )
        return [self._bot(rules, rules.view(state, seat), rng) + 1 for seat in others]
