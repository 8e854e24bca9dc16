"""The par of a daily deal: the strongest bot plays it in the player's seat, in a worker process."""

from typing import Final

from faceup.bots import is_playable
from faceup.server.daily.queries import PLAYER_SEAT, Day, Par
from faceup.server.rooms.daily import choice_seed, daily_deal, first_deal, heads_by_turn
from faceup.server.workers.bots import Bots

STRONGEST: Final = ("champion", "mc@100")
"""The bots that may play for the par, the strongest first. Without the extra `fast`, only the last is playable."""


async def compute_par(day: Day, bots: Bots) -> Par:
    """Let the strongest bot play a daily deal against the bots of the day. Raises `BotFailedError`, `BusyError`."""
    rules = day.config.rules()
    strongest = next(name for name in STRONGEST if is_playable(rules.game, name))
    deal = daily_deal(day.date, day.secret)
    kinds = (strongest, *day.config.bots)
    _, state = first_deal(rules, day.date, day.secret)
    states = [state]
    while seats := rules.to_act(state):
        actions = {}
        for seat in seats:
            view = rules.view(state, seat)
            actions[seat] = await bots.choose(rules, view, kinds[seat], choice_seed(deal, rules, view))
        state = rules.apply(state, actions).state
        states.append(state)
    return Par(
        bot=strongest,
        heads=rules.scores(state)[PLAYER_SEAT],
        place=rules.ranks(state)[PLAYER_SEAT],
        turns=heads_by_turn(rules, states, PLAYER_SEAT),
    )
