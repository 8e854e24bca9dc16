"""A complete game as text, with the result of every call of the rules at every state."""

from collections.abc import Iterator

from faceup.core import CHANCE, AnyRules, Outcome, Seat, SeededGenerator, State, find_game, laws, spec
from faceup.core.record import applied, dumps, record_of

SMALL_GAMES = (
    "nimmt:cowheadking seats=3 hand=2 cards=30",
    "nimmt:arena hand=2 deals=2 cards=24",
    "nimmt:onehundredandfour seats=2 hand=3",
    "nimmt:classic seats=2 hand=3 rows=2 capacity=2 target=12",
    "nimmt:tactical seats=2 hand=3 rows=2 capacity=2 target=12",
    "niuniu:battle seats=3 throws=2",
    "war:standard per_suit=4 suits=2 cap=12 reshuffle=3",
)
SEED = 5


def playthrough(rules: AnyRules) -> str:
    """The game of the seed, random play, a seat or more going out where the rules know forfeits."""
    play = laws.random_play(rules, SeededGenerator(SEED), steps=1000, outs=rules.forfeits)
    low, high = rules.bounds.utility
    lines = [
        "Every call at every state of one game. Rewrite it: python -m tests.golden",
        f"rules: {spec(rules)}, seed {SEED}",
        f"bounds: utility {low} to {high}, {rules.bounds.actions} actions, {rules.bounds.decisions} decisions",
    ]
    for number, taken in enumerate(play.steps):
        lines += ["", f"== state {number}", *_state(rules, taken.before), *_move(rules, taken)]
    lines += ["", f"== state {len(play.steps)}", *_state(rules, play.state), "", "== record"]
    entries = tuple(applied(rules, 0, taken.move) for taken in play.steps)
    return "\n".join(lines) + "\n" + dumps(record_of(rules, entries, play.state))


def _state(rules: AnyRules, state: State) -> Iterator[str]:
    draw_text = find_game(rules.game).drawings["text"]
    to_act = rules.to_act(state)
    yield f"state: {rules.to_text(state)}"
    yield f"position: {rules.to_text(rules.position(state))}"
    yield f"to act: {'chance' if to_act == (CHANCE,) else ', '.join(map(str, to_act)) or 'nobody'}"
    utilities = ", ".join(f"{utility:.6g}" for utility in rules.utilities(state))
    yield f"scores: {rules.scores(state)}, ranks: {rules.ranks(state)}, utilities: ({utilities})"
    for seat in range(rules.seats):
        if legal := rules.legal(state, seat):
            yield f"legal for {seat}: " + ", ".join(f"{rules.describe(action)} ({action})" for action in legal)
    for seat in (*range(rules.seats), None):
        view = rules.view(state, seat)
        yield f"view of {_who(seat)}: {rules.to_text(view)}"
        yield f"guess of {_who(seat)}: {rules.to_text(rules.guess(view, SeededGenerator(SEED)))}"
    yield from ("| " + line for line in draw_text(rules.view(state, 0), names=("Ann", "Bob"), rules=rules).split("\n"))


def _move(rules: AnyRules, taken: laws.PlayStep) -> Iterator[str]:
    if isinstance(taken.move, Outcome):
        choices = rules.choices(taken.before, taken.move)
        sizes = [rules.chance(taken.before, choices[:place]) for place in range(len(choices))]
        yield f"chance: {' '.join(f'{choice}/{size}' for choice, size in zip(choices, sizes, strict=True))}"
        yield f"-> {rules.describe(taken.move)}"
    else:
        yield "-> " + ", ".join(f"{seat}: {rules.describe(action)}" for seat, action in taken.move.items())
    for event in taken.step.events:
        to = "all" if event.audience is None else ", ".join(map(str, event.audience))
        yield f"event for {to}: {event.words([f'Seat {seat + 1}' for seat in range(rules.seats)])}"


def _who(seat: Seat | None) -> str:
    return "spectator" if seat is None else str(seat)
