"""A review in sentences and figures, for the terminal and the page alike."""

from collections import Counter
from collections.abc import Sequence

from faceup.bots.search import Estimate
from faceup.coach.luck import Luck
from faceup.coach.review import Review, Step
from faceup.coach.verdict import COSTLY, DOUBTFUL, Word
from faceup.core import AnyRules, find_game
from faceup.games.panels import listed

WORDS: tuple[Word, ...] = ("best", "fine", "doubtful", "costly")


def title(rules: AnyRules) -> str:
    """The game and its variant."""
    game = find_game(rules.game)
    return f"{game.title}, {game.variant(rules.variant).title}"


def standing(review: Review) -> str:
    """Who has how many heads: "Ann: 3, Bo: 12"; who won, if the game is over."""
    scores = ", ".join(f"{name}: {score}" for name, score in zip(review.names, review.scores, strict=True))
    if not review.finished:
        return f"{scores}; the game is not over"
    winners = [name for name, rank in zip(review.names, review.ranks, strict=True) if rank == 1]
    return f"{scores}; {listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def basis(review: Review) -> str:
    """What the figures rest on; "" where there are none."""
    if not review.steps:
        return ""
    effort = review.effort
    how = f"{effort.guesses:,} worlds an option" if effort.seconds is None else f"{effort.seconds:g} s in all"
    return (
        f"Judged by {effort.player} with {how}, seed {effort.seed}, from what each seat could know: expected heads "
        f"are exact to about ±{review.error:.2f} (one standard error)."
    )


def unfinished(review: Review) -> str:
    """What the review leaves out, if anything."""
    if not review.asked:
        return "None of these seats has made a decision: there is nothing to review."
    if len(review.steps) < review.asked:
        return f"Stopped: {len(review.steps)} of {review.asked} decisions are judged."
    if not review.finished:
        return "The game is not over: this is the review of what there is. Luck is told for finished deals alone."
    return ""


def thresholds() -> str:
    """What the words mean."""
    return (
        f"A choice is costly if it cost {COSTLY:g} head or more for certain (its cost less two standard errors), "
        f"doubtful from {DOUBTFUL:g} on, best if nothing better was found, else fine."
    )


def legend() -> str:
    """What the parts of luck mean."""
    return (
        "Par is the average of this coach among its equals; hand is what the cards were worth against that; choices "
        "is what was given away; others is the rest: luck, and how well the others play. They add up to the heads."
    )


def counted(steps: Sequence[Step]) -> str:
    """How often each word was said: "6 best, 1 costly"."""
    words = Counter(step.decision.word for step in steps)
    return ", ".join(f"{words[word]} {word}" for word in WORDS if words[word])


def luck_words(luck: Luck, name: str) -> str:
    """The parts of a seat's heads in a sentence."""
    hand = luck.hand.value
    cards = "good" if hand < 0 else "bad"
    others = luck.others
    where = "In all" if luck.deal is None else f"In deal {luck.deal}"
    return (
        f"{where}, {name} took {heads(luck.heads)}: par {luck.par.value:.2f}, {cards} cards {signed(hand)}, choices "
        f"{signed(luck.choices.value)}, the others {signed(others)}."
    )


def moment(review: Review, step: Step) -> str:
    """A moment that decided the game, in a few sentences."""
    decision, rules = step.decision, review.rules
    name = review.names[decision.seat]
    what = f"{name}: {rules.describe(decision.action)}"
    if decision.word in {"doubtful", "costly"}:
        what += f", {decision.word} ({rules.describe(decision.best.action)} is {decision.cost.value:.2f} heads better)"
    others = [(count, seat) for seat, count in enumerate(step.heads) if seat != decision.seat and count]
    takes = f"{name} takes {heads(step.took)}" if step.took else f"{name} takes nothing"
    if others:
        most, seat = max(others)
        takes += f", while {review.names[seat]} takes {most}"
    after = 0.0 if step.win is None else step.win
    return f"{what}. {takes}. Chance of winning {percent(decision.best.win.value)} before, {percent(after)} after."


def when(step: Step, *, deals: bool) -> str:
    """The turn, and the deal where there are several."""
    turn = f"turn {step.decision.turn}"
    return f"deal {step.decision.deal}, {turn}" if deals else turn


def several_deals(review: Review) -> bool:
    """Whether the decisions are of more than one deal."""
    return any(step.decision.deal > 1 for step in review.steps)


def heads(count: int) -> str:
    """So many heads."""
    return "1 head" if count == 1 else f"{count} heads"


def signed(value: float) -> str:
    """With its sign.

    >>> signed(-0.5), signed(0.5), signed(0.001)
    ('-0.50', '+0.50', '0.00')
    """
    return f"{value:+.2f}" if round(value, 2) else "0.00"


def with_error(mean: Estimate) -> str:
    """A mean and its standard error.

    >>> with_error(Estimate(1.234, 0.056))
    '1.23 ±0.06'
    """
    return f"{mean.value:.2f} ±{mean.error:.2f}"


def percent(part: float) -> str:
    """A part of 1.

    >>> percent(0.305), percent(0.001), percent(0.0)
    ('30%', '<1%', '0%')
    """
    if 0 < part < 0.005:
        return "<1%"
    if 0.995 < part < 1:
        return ">99%"
    return f"{part:.0%}"
