"""Notation and words: whatever a game can say can be read back, and its faces hold what is promised of them."""

from faceup.core.errors import RulesError
from faceup.core.generator import Generator
from faceup.core.laws.plays import Play, a_law, hold, onlookers
from faceup.core.notation import read, write
from faceup.core.registry import find_game
from faceup.core.rules import AnyRules
from faceup.core.values import DONE, FORFEIT, Outcome, State, View


@a_law
def notation(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- every law is called alike
    """A state, its position and each of its views are one line that reads back as the same rules and the same value."""
    state = play.state
    views = [rules.view(state, seat) for seat in onlookers(rules)]
    for what in (state, rules.position(state), *views):
        text = write(rules, what)
        hold("notation", text.isprintable(), f"{text!r} is not one plain line", rules, state)
        hold("notation", read(text) == (rules, what), f"{text} reads as {read(text)}", rules, state)


@a_law
def words(rules: AnyRules, play: Play, rng: Generator) -> None:
    """Actions, outcomes and events have words; `parse` reads what `describe` says, in any case and spacing."""
    state = play.state
    for taken in play.steps:
        if isinstance(taken.move, Outcome):
            _chance(rules, taken.before, taken.move, rng)
        for event in taken.step.events:
            text = event.words([f"Seat {seat}" for seat in range(rules.seats)])
            hold("words", text.strip() and text.isprintable(), f"{event} in words is {text!r}", rules, taken.before)
    said = {action for seat in range(rules.seats) for action in rules.legal(state, seat)}
    for what in (*said, FORFEIT) if rules.forfeits else said:
        _parsed(rules, state, what)


def _parsed(rules: AnyRules, state: State, what: "int | Outcome") -> None:
    text = rules.describe(what)
    hold("words", text.isprintable() and text.strip() == text != "", f"{text!r} is not plain words", rules, state)
    for way in (text, text.upper(), f"  {text.replace(' ', '   ')} "):
        hold("words", rules.parse(way) == what, f"{way!r} is not read as {what}", rules, state)


def _chance(rules: AnyRules, state: State, outcome: Outcome, rng: Generator) -> None:
    """An outcome and its sequence of choices are each made from the other; anything off is refused."""
    _parsed(rules, state, outcome)
    choices = rules.choices(state, outcome)
    hold("words", rules.outcome(state, choices) == outcome, f"{choices} make another outcome", rules, state)
    sizes = [rules.chance(state, choices[:place]) for place in range(len(choices))]
    fits = all(0 <= choice < size for choice, size in zip(choices, sizes, strict=True))
    hold("words", fits and rules.chance(state, choices) == DONE, f"{choices} are not choices", rules, state)
    most = rules.bounds.outcomes
    hold("words", max(sizes) <= most, f"choices among more than the {most} of the bounds", rules, state)
    drawn: list[int] = []
    while (size := rules.chance(state, drawn)) != DONE:
        drawn.append(rng.below(size))
    made = rules.choices(state, rules.outcome(state, drawn))
    hold("words", list(made) == drawn, f"{drawn} are taken apart as {made}", rules, state)
    place = rng.below(len(choices))
    off = [*choices[:place], sizes[place], *choices[place + 1 :]]
    for wrong in (choices[:-1], (*choices, 0), off, [*choices[:place], -1, *choices[place + 1 :]]):
        try:
            rules.outcome(state, wrong)
        except RulesError:
            continue
        hold("words", truth=False, message=f"{wrong} are taken for choices", rules=rules, state=state)


@a_law
def faces(rules: AnyRules, play: Play, rng: Generator) -> None:  # noqa: ARG001 -- every law is called alike
    """Views are no states and agree with the rules; drawings are plain and narrow."""
    state, game = play.state, find_game(rules.game)
    names = tuple(f"Player {seat}" for seat in range(rules.seats))
    for seat in onlookers(rules):
        view = rules.view(state, seat)
        kinds = {State: False, View: True}
        apart = all(isinstance(view, kind) is is_one for kind, is_one in kinds.items()) and view.seat == seat
        hold("faces", apart, f"{view} is not a view of seat {seat}", rules, state)
        legal = () if seat is None else rules.legal(state, seat)
        agree = view.legal == legal and view.to_act == rules.to_act(state)
        hold("faces", agree, f"the view of seat {seat} has others to act, or other actions", rules, state)
        text = game.drawings["text"](view, names=names, rules=rules)
        plain = all(line.isprintable() and len(line) <= 80 for line in text.split("\n"))
        hold("faces", plain, f"the drawing is not of plain lines up to 80 columns:\n{text}", rules, state)
        svg = game.drawings["svg"](view, names=names, rules=rules) if "svg" in game.drawings else "<svg/>"
        hold("faces", svg.lstrip().startswith("<svg"), f"the drawing is no SVG: {svg:.40}", rules, state)
