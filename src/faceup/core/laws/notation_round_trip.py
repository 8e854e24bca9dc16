"""Laws that notation and words can be parsed back to the same values, and that drawings are valid."""

from faceup.core.errors import RulesError
from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, as_law, require, viewers
from faceup.core.notation import read, write
from faceup.core.registry import find_game
from faceup.core.rules import AnyRules
from faceup.core.values import DONE, FORFEIT, Outcome, State, View


@as_law
def notation(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- the signature of every law
    """Check that states, positions and views are written as one line, and that `read` returns equal values."""
    state = play.state
    views = [rules.view(state, seat) for seat in viewers(rules)]
    for what in (state, rules.position(state), *views):
        text = write(rules, what)
        require("notation", text.isprintable(), f"{text!r} is not one plain line", rules, state)
        require("notation", read(text) == (rules, what), f"{text} reads as {read(text)}", rules, state)


@as_law
def words(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Check that actions, outcomes and events have words, and that `parse` inverts `describe` in any case."""
    state = play.state
    for taken in play.steps:
        if isinstance(taken.move, Outcome):
            _chance(rules, taken.before, taken.move, rng)
        for event in taken.step.events:
            text = event.words([f"Seat {seat}" for seat in range(rules.seats)])
            message = f"the words of {event} must be plain text; got {text!r}"
            require("words", text.strip() and text.isprintable(), message, rules, taken.before)
    actions = {action for seat in range(rules.seats) for action in rules.legal(state, seat)}
    for what in (*actions, FORFEIT) if rules.forfeits else actions:
        _parsed(rules, state, what)


def _parsed(rules: AnyRules, state: State, what: "int | Outcome") -> None:
    text = rules.describe(what)
    require("words", text.isprintable() and text.strip() == text != "", f"{text!r} is not plain words", rules, state)
    for way in (text, text.upper(), f"  {text.replace(' ', '   ')} "):
        require("words", rules.parse(way) == what, f"{way!r} does not parse as {what}", rules, state)


def _chance(rules: AnyRules, state: State, outcome: Outcome, rng: Generator) -> None:
    """Check that `outcome` and `choices` are inverses, and that `outcome` raises for invalid choices."""
    _parsed(rules, state, outcome)
    choices = rules.choices(state, outcome)
    require("words", rules.outcome(state, choices) == outcome, f"{choices} make another outcome", rules, state)
    sizes = [rules.chance(state, choices[:place]) for place in range(len(choices))]
    fits = all(0 <= choice < size for choice, size in zip(choices, sizes, strict=True))
    require("words", fits and rules.chance(state, choices) == DONE, f"{choices} are not choices", rules, state)
    most = rules.bounds.outcomes
    require("words", max(sizes) <= most, f"choices among more than the {most} of the bounds", rules, state)
    drawn: list[int] = []
    while (size := rules.chance(state, drawn)) != DONE:
        drawn.append(rng.below(size))
    made = rules.choices(state, rules.outcome(state, drawn))
    require("words", list(made) == drawn, f"the outcome of {drawn} has the choices {made}", rules, state)
    place = rng.below(len(choices))
    off = [*choices[:place], sizes[place], *choices[place + 1 :]]
    for wrong in (choices[:-1], (*choices, 0), off, [*choices[:place], -1, *choices[place + 1 :]]):
        try:
            rules.outcome(state, wrong)
        except RulesError:
            continue
        require("words", truth=False, message=f"{wrong} are accepted as choices", rules=rules, state=state)


@as_law
def drawings(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- the signature of every law
    """Check that views agree with the rules, and that text drawings are plain and at most 80 columns wide."""
    state, game = play.state, find_game(rules.game)
    names = tuple(f"Player {seat}" for seat in range(rules.seats))
    for seat in viewers(rules):
        view = rules.view(state, seat)
        kinds = {State: False, View: True}
        apart = all(isinstance(view, kind) is is_one for kind, is_one in kinds.items()) and view.seat == seat
        require("drawings", apart, f"{view} is not a view of seat {seat}", rules, state)
        legal = () if seat is None else rules.legal(state, seat)
        agree = view.legal == legal and view.to_act == rules.to_act(state)
        require("drawings", agree, f"the view of seat {seat} has another `to_act` or `legal`", rules, state)
        text = game.drawings["text"](view, names=names, rules=rules)
        plain = all(line.isprintable() and len(line) <= 80 for line in text.split("\n"))
        require("drawings", plain, f"the drawing is not plain text of at most 80 columns:\n{text}", rules, state)
        svg = game.drawings["svg"](view, names=names, rules=rules) if "svg" in game.drawings else "<svg/>"
        require("drawings", svg.lstrip().startswith("<svg"), f"the drawing is not SVG: {svg:.40}", rules, state)
