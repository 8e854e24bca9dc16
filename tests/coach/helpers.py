"""Seeded records for the tests of the coach."""

from collections.abc import Sequence

from faceup.bots import evaluate, policy
from faceup.coach import DealPar, Review, SearchBudget, build_review, decision_points, evaluate_decisions, par_for
from faceup.core import Action, AnyRules, Generator, Outcome, SeededGenerator, View, make, play_game
from faceup.core.record import Applied, Chosen, Joined, Record, applied, record_of, replay

EFFORT = SearchBudget(worlds=200, seed=7)


def record_from(rules: AnyRules, moves: Sequence[dict[int, int] | Outcome], names: Sequence[str] = ()) -> Record:
    """The record of these moves."""
    state = rules.start()
    entries: list[Applied | Chosen] = []
    for at, move in enumerate(moves):
        if not isinstance(move, Outcome):
            entries += [Chosen(1000 * at, seat, rules.describe(action)) for seat, action in sorted(move.items())]
        entries.append(applied(rules, 1000 * at, move))
        state = rules.apply(state, move).state
    joined = [
        Joined(0, seat, names[seat] if names else f"Player {seat}", "random" if seat else "person")
        for seat in range(rules.seats)
    ]
    return record_of(rules, (*joined, *entries), state)


def moves_of(
    rules: AnyRules, players: str | Sequence[str] = "random", *, lane: int = 0
) -> list[dict[int, int] | Outcome]:
    """The moves of a complete game of these players: policies, or "mc" for the coach's own choices."""
    names = [players] * rules.seats if isinstance(players, str) else players
    rng, policies = SeededGenerator(5, lane), [_best if name == "mc" else policy(rules.game, name) for name in names]
    return [move for move, _ in play_game(rules, policies, rng)]


def _best(rules: AnyRules, view: View, rng: Generator) -> Action:
    seed = rng.below(1 << 60)
    return evaluate(rules, view, worlds=1000, seed=seed, objective="heads").options[0].action


def recorded(spec: str, player: str = "random", *, stop: int | None = None, lane: int = 0) -> Record:
    """Return the record of a game, optionally stopped after some moves."""
    rules = make(spec)
    return record_from(rules, moves_of(rules, player, lane=lane)[:stop])


def looked_at(
    record: Record, seats: Sequence[int] | None = None, effort: SearchBudget = EFFORT, *, par: DealPar | None = None
) -> Review:
    """The complete review of a record."""
    rules, frames = record.rules(), list(replay(record))
    seats = range(rules.seats) if seats is None else seats
    points = decision_points(record, frames, seats)
    return build_review(
        record,
        frames=frames,
        names=[f"Player {seat}" for seat in range(rules.seats)],
        seats=seats,
        effort=effort,
        points=points,
        decisions=list(evaluate_decisions(rules, points, effort)),
        par=par or par_for(rules, effort.player),
    )
