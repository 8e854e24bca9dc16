"""Text of reviews, shared by the terminal and the HTML page."""

from collections import Counter
from collections.abc import Sequence

from faceup.bots.search import Estimate
from faceup.coach.decisions import THRESHOLDS, Grade
from faceup.coach.luck import Luck
from faceup.coach.review import Review, ReviewStep
from faceup.core import AnyRules, action_text, find_game
from faceup.formatting import format_percent, format_signed, join_words, plural

GRADES: tuple[Grade, ...] = ("best", "close", "good", "inaccurate", "mistake", "blunder")

BAD: frozenset[Grade] = frozenset(THRESHOLDS)
"""The grades of choices that cost something."""


def title(rules: AnyRules) -> str:
    """Return the titles of the game and its variant."""
    game = find_game(rules.game)
    return f"{game.title}, {game.variant(rules.variant).title}"


def standing(review: Review) -> str:
    """Return the heads by name, such as "Ann: 3, Bo: 12", and the winners if the game is over."""
    scores = ", ".join(f"{name}: {score}" for name, score in zip(review.names, review.scores, strict=True))
    if not review.finished:
        return f"{scores}; the game is not over"
    winners = [name for name, rank in zip(review.names, review.ranks, strict=True) if rank == 1]
    return f"{scores}; {join_words(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def basis(review: Review) -> str:
    """Describe the search and the precision of the review; "" if there are no decisions."""
    if not review.steps:
        return ""
    effort = review.effort
    how = (
        f"{plural(effort.worlds_per_option, 'world')} per option"
        if effort.seconds is None
        else f"{effort.seconds:g} s in all"
    )
    return (
        f"Rated by {effort.player} with {how}, seed {effort.seed}, using only what each seat could know. The standard "
        f"error of expected heads is about {review.error:.2f}."
    )


def unfinished(review: Review) -> str:
    """Describe what the review does not cover; "" if it is complete."""
    if not review.requested:
        return "None of these seats has made a decision, so there is nothing to review."
    if len(review.steps) < review.requested:
        are = "is" if len(review.steps) == 1 else "are"
        return f"Stopped: {len(review.steps)} of {plural(review.requested, 'decision')} {are} rated."
    if not review.finished:
        return "The game is not over: the review covers the decisions so far, and luck only finished deals."
    return ""


def thresholds() -> str:
    """Return an explanation of the grades."""
    blunder, mistake, inaccurate = (THRESHOLDS[grade] for grade in ("blunder", "mistake", "inaccurate"))
    return (
        f"A choice is inaccurate if it costs {inaccurate.heads:g} heads or more; a mistake if it costs "
        f"{mistake.heads:g} heads and {100 * (mistake.win or 0):g} points of the chance of winning; a blunder if it "
        f"costs {blunder.heads:g} heads and {100 * (blunder.win or 0):g} points; best if no better option was found; "
        "close if that depends on how the others play; and good otherwise. Two standard errors are subtracted from the "
        "heads first."
    )


def legend() -> str:
    """Return an explanation of the parts of luck."""
    return (
        "Par is the average if every seat plays like the coach, hand is the effect of the cards, choices is the cost "
        "of the seat's choices, and others is the rest: the cards and the skill of the other seats. The four add up "
        "to the heads."
    )


def counted(steps: Sequence[ReviewStep]) -> str:
    """Return how many decisions have each grade, such as "6 best, 1 mistake"."""
    grades = Counter(step.decision.grade for step in steps)
    return ", ".join(f"{grades[grade]} {grade}" for grade in GRADES if grades[grade])


def format_luck(luck: Luck, name: str) -> str:
    """Return the parts of a seat's heads in a sentence."""
    hand = luck.hand.value
    cards = "good" if hand < 0 else "bad"
    others = luck.others
    where = "In all" if luck.deal is None else f"In deal {luck.deal}"
    return (
        f"{where}, {name} took {plural(luck.heads, 'head')}: par {luck.par.value:.2f}, {cards} cards "
        f"{format_signed(hand)}, choices {format_signed(luck.choices.value)}, the others {format_signed(others)}."
    )


def moment(review: Review, step: ReviewStep) -> str:
    """Describe a turning point in a few sentences."""
    decision, rules = step.decision, review.rules
    name = review.names[decision.seat]
    what = f"{name}: {action_text(rules, decision.action)}"
    if decision.grade in BAD:
        what += (
            f", {decision.grade} ({action_text(rules, decision.best.action)} is {decision.cost.value:.2f} heads better)"
        )
    others = [(count, seat) for seat, count in enumerate(step.heads) if seat != decision.seat and count]
    takes = f"{name} takes {plural(step.took, 'head')}" if step.took else f"{name} takes nothing"
    if others:
        most, seat = max(others)
        takes += f", while {review.names[seat]} takes {most}"
    after = 0.0 if step.win is None else step.win
    before = format_percent(step.chance)
    return f"{what}. {takes}. Chance of winning {before} before, {format_percent(after)} after."


def when(step: ReviewStep, *, deals: bool) -> str:
    """Return the turn and, if `deals` is set, the deal."""
    turn = f"turn {step.decision.turn}"
    return f"deal {step.decision.deal}, {turn}" if deals else turn


def several_deals(review: Review) -> bool:
    """Return whether any of the decisions is in a deal after the first."""
    return any(step.decision.deal > 1 for step in review.steps)


def with_error(mean: Estimate) -> str:
    """Format a mean and its standard error.

    >>> with_error(Estimate(1.234, 0.056))
    '1.23 ±0.06'
    """
    return f"{mean.value:.2f} ±{mean.error:.2f}"
