"""Find puzzles: decisions in which one option is clearly better than all others, and not the obvious one.

A decision of a seat with at least `OPTIONS` options is a puzzle if

- the best option is at least `LEAD` expected heads better than every other one, and at least `ERRORS` standard errors,
  as the coach judges with `deep`, in `WORLDS` worlds for each option;
- it also wins the match more often, by at least `WIN`, so that heads and winning do not contradict each other;
- both are true again in `CHECK_WORLDS` other worlds for each option, for each of the seeds `CHECK_SEEDS`;
- `mc`, which assumes random opponents, finds the same best option, at least `LEAD` / 2 better than every other one;
- `greedy`, which looks only at what a card costs if no one else plays, chooses another option.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from faceup.bots import policy
from faceup.bots.search import Estimate, Option
from faceup.coach.decisions import DecisionPoint, decision_points
from faceup.coach.judgement import JudgedOption, judge
from faceup.coach.puzzles import Puzzle, PuzzleOption, Source, id_of
from faceup.coach.themes import theme_of
from faceup.core import AnyRules, SeededGenerator, View, make, write
from faceup.core.record import Record, record_game, replay

LEAD: Final = 1.0
"""The least difference between the best option and every other one, in expected heads."""

ERRORS: Final = 5.0
"""The same in standard errors of the difference."""

WIN: Final = 0.02
"""The least difference in the probability of winning the match, as for a mistake in a review."""

OPTIONS: Final = 3
"""The least number of options."""

WORLDS: Final = 5_000
"""Sampled worlds for each option in the search with `deep`."""

CHECK_WORLDS: Final = 100_000
"""Sampled worlds for each option in each of the last searches."""

CHECK_SEEDS: Final = (1, 2)
"""The seeds of the last searches. The values of a puzzle are those of the first."""

MC_WORLDS: Final = 20_000
"""Sampled worlds for each option in the search with `mc`."""

_FIRST_LOOK: Final = 200
"""Sampled worlds for each option in a first search, which most decisions do not pass."""

_FIRST_LEAD: Final = 0.7 * LEAD

SOLVERS: Final = ("mc@2", "mc@10", "mc@50")
"""The bots that play the games and try each puzzle. How often they find the best option estimates how hard it is."""

_TRIES: Final = 20

BASE_SPECS: Final = ("nimmt:cowheadking seats=3", "nimmt:cowheadking seats=4")
"""The games of puzzles for beginners."""

SPECS: Final = tuple(
    spec
    for number, other in enumerate(
        (
            *(
                f"nimmt:{variant} seats={seats}"
                for seats in range(2, 9)
                for variant in ("onehundredandfour", "cowheadking", "classic", "tactical")
            ),
            "nimmt:arena",
        )
    )
    for spec in (BASE_SPECS[number % 2], other)
)
"""The games that bots play for puzzles, one after the other: every second one is for beginners."""


def play_game(seed: int, rules: AnyRules | None = None) -> tuple[Record, tuple[str, ...]]:
    """Play a game of bots that depends only on the seed and the rules. Return its record, and the bots by seat.

    Args:
        seed: the seed.
        rules: the rules; by default those that `SPECS` has for the seed.
    """
    rules = rules or make(SPECS[seed % len(SPECS)])
    bots = tuple(SOLVERS[(seed + seat) % len(SOLVERS)] for seat in range(rules.seats))
    policies = [policy(rules.game, name) for name in bots]
    return record_game(rules, policies, SeededGenerator(seed)), bots


def puzzle_in_game(seed: int) -> Puzzle | None:
    """Play the game with this seed, and return a puzzle from it; None if it has none.

    Choices of rows are tried first, because few of them are puzzles. In games with an even seed, the rest is tried in
    the order of the turns, because fewer decisions are clear in early turns; in other games, in random order.
    """
    record, bots = play_game(seed)
    rules, rng = record.rules(), SeededGenerator(seed, 1)

    def order(point: DecisionPoint) -> tuple[bool, int, int]:
        return not _is_row_choice(point), point.turn if seed % 2 == 0 else 0, rng.below(1 << 32)

    puzzles = (_puzzle(rules, point, bots=bots, seed=seed) for point in sorted(_points(rules, record), key=order))
    return next((puzzle for puzzle in puzzles if puzzle is not None), None)


def puzzles_in_record(record: Record) -> Iterator[Puzzle | None]:
    """Yield, for each decision of any seat with enough options, the puzzle that it makes, or None.

    Raises:
        Malformed: the record is invalid, or its game has no coach.
    """
    rules = record.rules()
    for point in _points(rules, record):
        yield _puzzle(rules, point)


def _points(rules: AnyRules, record: Record) -> list[DecisionPoint]:
    points = decision_points(record, list(replay(record)), range(rules.seats))
    return [point for point in points if len(point.view.legal) >= OPTIONS]


def _is_row_choice(point: DecisionPoint) -> bool:
    return bool(getattr(point.view, "waiting", ()))


def _puzzle(
    rules: AnyRules, point: DecisionPoint, *, bots: tuple[str, ...] = (), seed: int | None = None
) -> Puzzle | None:
    """Return the puzzle that a decision makes; None if its best option is obvious or not clear."""
    view = point.view
    obvious = policy(rules.game, "greedy")(rules, view, SeededGenerator(0))
    first = judge(rules, view, player="deep", worlds=_FIRST_LOOK, seed=0)
    if first[0].action == obvious or first[1].behind.value < _FIRST_LEAD:
        return None
    options = judge(rules, view, player="deep", worlds=WORLDS, seed=0)
    if options[0].action == obvious or not is_clear(options, LEAD, win=WIN):
        return None
    second = judge(rules, view, player="mc", worlds=MC_WORLDS, seed=0)
    if second[0].action != options[0].action or not is_clear(second, LEAD / 2):
        return None
    checks = [judge(rules, view, player="deep", worlds=CHECK_WORLDS, seed=seed, explain=True) for seed in CHECK_SEEDS]
    if any(check[0].action != options[0].action or not is_clear(check, LEAD, win=WIN) for check in checks):
        return None
    position, shown = write(rules, view), tuple(_rounded(rules, option) for option in checks[0])
    return Puzzle(
        id=id_of(position),
        position=position,
        options=shown,
        theme=theme_of(rules, view, [option.explanation for option in shown]),
        found=_share_found(rules, view, options[0].action),
        source=Source(point.deal, point.turn, bots, seed),
    )


def is_clear(options: Iterable[Option | PuzzleOption], lead: float, *, win: float | None = None) -> bool:
    """Return whether the first option is clearly better than every other one.

    Args:
        options: the options, the best one first.
        lead: the least difference in expected heads.
        win: the least difference in the probability of winning; None if it does not matter.
    """
    best, *others = options
    return all(
        option.behind.value >= max(lead, ERRORS * option.behind.error)
        and (win is None or best.win.value >= option.win.value + win)
        for option in others
    )


def _share_found(rules: AnyRules, view: View, best: int) -> float:
    rng = SeededGenerator(0)
    choices = [policy(rules.game, name)(rules, view, rng) for name in SOLVERS for _ in range(_TRIES)]
    return round(choices.count(best) / len(choices), 2)


def _rounded(rules: AnyRules, option: JudgedOption) -> PuzzleOption:
    assert option.explanation is not None  # noqa: S101 -- requested above

    def rounded(estimate: Estimate) -> Estimate:
        return Estimate(round(estimate.value, 3), round(estimate.error, 3))

    return PuzzleOption(
        action=rules.describe(option.action),
        heads=rounded(option.heads),
        win=rounded(option.win),
        behind=rounded(option.behind),
        risk=round(option.risk, 4),
        explanation=option.explanation,
    )
