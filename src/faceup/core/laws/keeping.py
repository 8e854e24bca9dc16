"""Laws 1: what was played can be played again, and nothing that was given is changed."""

import copy

from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, a_law, hold, onlookers, random_move
from faceup.core.notation import write
from faceup.core.record import Applied, applied, dumps, loads, record_of, replay
from faceup.core.rules import AnyRules
from faceup.core.values import Outcome


@a_law
def replaying(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- every law is called alike
    """A record survives its JSON, and replaying it gives the same states and the same events."""
    entries: list[Applied] = [applied(rules, at, taken.move) for at, taken in enumerate(play.steps)]
    record = record_of(rules, tuple(entries), play.state)
    again = loads(dumps(record))
    hold("replaying", again == record, "a record read back from its JSON is another one", rules, play.state)
    frames = list(replay(again))
    hold("replaying", len(frames) == len(play.steps) + 1, "a replay has lost steps", rules, play.state)
    hold("replaying", frames[0].state == rules.start(), "the start is not always the same", rules, play.state)
    for frame, taken in zip(frames[1:], play.steps, strict=True):
        same = (frame.state, frame.events) == taken.step
        hold("replaying", same, "a replay comes to another state, or other events", rules, taken.before)


@a_law
def purity(rules: AnyRules, play: Play, rng: Generator) -> None:
    """`apply` and `view` change nothing they are given and answer alike each time; equal states hash equal."""
    state = play.state
    twin = copy.deepcopy(state)
    text = write(rules, state)
    hold("purity", twin == state and hash(twin) == hash(state), "equal states do not hash equal", rules, state)
    views = [rules.view(state, seat) for seat in onlookers(rules)]
    if rules.to_act(state):
        move = random_move(rules, state, rng)
        given = move if isinstance(move, Outcome) else dict(move)
        step = rules.apply(state, move)
        hold("purity", move == given, "apply changed the move it was given", rules, twin)
        hold("purity", state == twin and text == write(rules, state), "apply changed its state", rules, twin)
        again = rules.apply(twin, given)
        hold("purity", again == step, "apply answers differently the second time", rules, state)
        hold("purity", hash(again.state) == hash(step.state), "equal states do not hash equal", rules, state)
    again_seen = [rules.view(twin, seat) for seat in onlookers(rules)]
    hold("purity", views == again_seen and text == write(rules, state), "a view differs or changes", rules, state)


@a_law
def position(rules: AnyRules, play: Play, rng: Generator) -> None:
    """The state without its log acts, scores and goes on as the whole state does."""
    state = play.state
    bare = rules.position(state)
    hold("position", rules.position(bare) == bare, "a position has a position of its own", rules, state)
    hold("position", rules.to_act(bare) == rules.to_act(state), "others are to act without the log", rules, state)
    legal = all(rules.legal(bare, seat) == rules.legal(state, seat) for seat in range(rules.seats))
    hold("position", legal, "other actions are legal without the log", rules, state)
    worth = [(rules.scores(at), rules.ranks(at), rules.utilities(at)) for at in (bare, state)]
    hold("position", worth[0] == worth[1], "scores, ranks or utilities are others without the log", rules, state)
    if rules.to_act(state):
        move = random_move(rules, state, rng)
        then, bare_then = rules.apply(state, move).state, rules.apply(bare, move).state
        same = rules.position(then) == rules.position(bare_then)
        hold("position", same, "the same move leads elsewhere without the log", rules, state)
