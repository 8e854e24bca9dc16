"""Playing games one by one on the readable rules, for games and policies that no batch engine plays."""

from collections.abc import Sequence

from faceup.bots import policy
from faceup.core import CHANCE, AnyRules, Event, Policy, Seeded, draw, find_game
from faceup.games.measures import Numbers, measures_of
from faceup.sim.counts import Counts, count


def play_scalar(rules: AnyRules, policies: Sequence[str], *, lanes: int, seed: int, first: int) -> Counts:
    """Play games `first` to `first + lanes` of a seed to their ends, and count them.

    Each game has random numbers of its own, for chance and for its players together.
    """
    players = [policy(rules.game, name) for name in policies]
    return count(_play(rules, players, Seeded(seed, lane)) for lane in range(first, first + lanes))


def _play(rules: AnyRules, players: Sequence[Policy], rng: Seeded) -> dict[str, tuple[Numbers, ...]]:
    state = rules.start()
    events: list[Event] = []
    while seats := rules.to_act(state):
        step = rules.apply(
            state,
            draw(rules, state, rng)
            if seats == (CHANCE,)
            else {seat: players[seat](rules, rules.view(state, seat), rng) for seat in seats},
        )
        state = step.state
        events += step.events
    measures = measures_of(find_game(rules.game))
    ranks = rules.ranks(state)
    first = ranks.count(1)
    extra = zip(measures.extra, measures.count(state, events), strict=True)
    return {
        "score": rules.scores(state),
        "place": ranks,
        **{measure.name: numbers for measure, numbers in extra},
        "share": tuple(first if rank == 1 else 0 for rank in ranks),
    }
