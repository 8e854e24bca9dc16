"""The laws of replayability, purity and position: functions are pure, and a position determines what can follow."""

import copy

from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, as_law, random_move, require, viewers
from faceup.core.notation import write
from faceup.core.record import Applied, applied, dumps, loads, record_of, replay
from faceup.core.rules import AnyRules
from faceup.core.values import Outcome


@as_law
def replayability(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- the signature of every law
    """Check that a record survives JSON, and that replaying it gives the same states and events."""
    entries: list[Applied] = [applied(rules, at, taken.move) for at, taken in enumerate(play.steps)]
    record = record_of(rules, tuple(entries), play.state)
    again = loads(dumps(record))
    require("replayability", again == record, "a record read back from JSON differs", rules, play.state)
    frames = list(replay(again))
    require("replayability", len(frames) == len(play.steps) + 1, "the replay has lost steps", rules, play.state)
    require("replayability", frames[0].state == rules.start(), "`start` returns different states", rules, play.state)
    for frame, taken in zip(frames[1:], play.steps, strict=True):
        same = (frame.state, frame.events) == taken.step
        require("replayability", same, "the replay has another state or other events", rules, taken.before)


@as_law
def purity(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Check that `apply` and `view` are pure and deterministic, and that equal states have equal hashes."""
    state = play.state
    twin = copy.deepcopy(state)
    text = write(rules, state)
    require("purity", twin == state and hash(twin) == hash(state), "equal states have different hashes", rules, state)
    views = [rules.view(state, seat) for seat in viewers(rules)]
    if rules.to_act(state):
        move = random_move(rules, state, rng)
        original = move if isinstance(move, Outcome) else dict(move)
        step = rules.apply(state, move)
        require("purity", move == original, "apply changed its move", rules, twin)
        require("purity", state == twin and text == write(rules, state), "apply changed its state", rules, twin)
        again = rules.apply(twin, original)
        require("purity", again == step, "apply returns something else the second time", rules, state)
        require("purity", hash(again.state) == hash(step.state), "equal states have different hashes", rules, state)
    again_seen = [rules.view(twin, seat) for seat in viewers(rules)]
    same = views == again_seen and text == write(rules, state)
    require("purity", same, "`view` is not deterministic or changed its state", rules, state)


@as_law
def position(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Check that a state without its log has the same actors, actions, scores and successors as the full state."""
    state = play.state
    bare = rules.position(state)
    require("position", rules.position(bare) == bare, "`position` is not idempotent", rules, state)
    require("position", rules.to_act(bare) == rules.to_act(state), "other seats act without the log", rules, state)
    legal = all(rules.legal(bare, seat) == rules.legal(state, seat) for seat in range(rules.seats))
    require("position", legal, "other actions are legal without the log", rules, state)
    worth = [(rules.scores(at), rules.ranks(at), rules.utilities(at)) for at in (bare, state)]
    require("position", worth[0] == worth[1], "scores, ranks or utilities differ without the log", rules, state)
    if rules.to_act(state):
        move = random_move(rules, state, rng)
        then, bare_then = rules.apply(state, move).state, rules.apply(bare, move).state
        same = rules.position(then) == rules.position(bare_then)
        require("position", same, "the same move leads to another position without the log", rules, state)
