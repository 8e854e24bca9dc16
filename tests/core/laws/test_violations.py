"""Each law fails for games that violate it: variants of a correct game, each with one defect."""

from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any, ClassVar

import highcard
import msgspec
import pytest
from highcard import Deal, HighCard, Played, Prize, Seen, Table
from tests.core.laws.test_sample_game import relabel

from faceup.core import (
    CHANCE,
    Bounds,
    Event,
    Generator,
    Malformed,
    Move,
    Outcome,
    Seat,
    SeededGenerator,
    Step,
    laws,
    registry,
)

replace = msgspec.structs.replace


class TakesAnyCard(HighCard, frozen=True):
    def apply(self, state: Table, move: Move | Outcome) -> Step[Table]:
        if isinstance(move, Outcome) or self.to_act(state) != tuple(sorted(move)):
            return super().apply(state, move)  # type: ignore[arg-type]  # an outcome of this game
        held = {seat: action if action in self.legal(state, seat) else -1 for seat, action in move.items()}
        return HighCard.apply(HighCard(seats=self.seats, forfeits=True), state, held)


class ActsOutOfTurn(HighCard, frozen=True):
    def legal(self, state: Table, seat: Seat) -> tuple[int, ...]:
        return tuple(card - 1 for card in state.hands[seat]) if state.hands else ()


class HighestFirst(HighCard, frozen=True):
    def legal(self, state: Table, seat: Seat) -> tuple[int, ...]:
        return super().legal(state, seat)[::-1]


class RefusesTheLowest(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        if isinstance(move, dict) and 0 in move.values():
            raise Malformed("playing a 1 is not allowed")
        return super().apply(state, move)


class KeepsTheReason(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        try:
            return super().apply(state, move)
        except ValueError:
            raise KeyError(move) from None


class ChangesTheState(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        msgspec.structs.force_setattr(state, "turn", state.turn + 1)
        return step


class ChangesTheMove(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        if isinstance(move, dict):
            move.clear()
        return step


class Counts(HighCard, frozen=True):
    calls: ClassVar[Any] = count()

    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        return Step(replace(step.state, points=(next(self.calls),) * self.seats), step.events)


class HashesByPlace(Table, frozen=True):
    __hash__ = object.__hash__


class HashesApart(HighCard, frozen=True):
    def start(self) -> Table:
        return HashesByPlace(**msgspec.structs.asdict(super().start()))


class StartsAnywhere(HighCard, frozen=True):
    calls: ClassVar[Any] = count()

    def start(self) -> Table:
        return replace(super().start(), points=(next(self.calls),) * self.seats)


class SaysPrizeOne(HighCard, frozen=True):
    def describe(self, what: Any) -> str:
        return "prize 1" if isinstance(what, Prize) else super().describe(what)


class SortsItsWords(HighCard, frozen=True):
    def describe(self, what: Any) -> str:
        return super().describe(
            Deal(tuple(tuple(sorted(hand)) for hand in what.hands)) if isinstance(what, Deal) else what
        )


class ReadsLowerCaseOnly(HighCard, frozen=True):
    def parse(self, text: str) -> Any:
        if text != text.lower():
            raise Malformed("not so loud")
        return super().parse(text)


class TakesOffChoices(HighCard, frozen=True):
    def outcome(self, state: Table, choices: Sequence[int]) -> Deal | Prize:
        so_far: list[int] = []
        while size := self.chance(state, so_far):
            so_far.append(min((*choices, 0)[len(so_far) : len(so_far) + 1] or [0]) % size)
        return super().outcome(state, so_far)


class ForgetsTheLog(HighCard, frozen=True):
    def to_text(self, what: Table | Seen) -> str:
        return super().to_text(replace(what, log=()))


class GuessesTwoCardsAlike(HighCard, frozen=True):
    def guess(self, view: Seen, rng: Generator) -> Table:
        guess = super().guess(view, rng)
        return replace(guess, hands=tuple(hand[:1] for hand in guess.hands))


class ForgetsItsHand(HighCard, frozen=True):
    def guess(self, view: Seen, rng: Generator) -> Table:
        return super().guess(replace(view, seat=None, hand=()), rng)


class CountsOutSeatsAsPlaying(HighCard, frozen=True):
    def guess(self, view: Seen, rng: Generator) -> Table:
        return replace(super().guess(replace(view, out=(-1,) * self.seats), rng), out=view.out)


class SpectatorSeesAHand(HighCard, frozen=True):
    def view(self, state: Table, seat: Seat | None) -> Seen:
        view = super().view(state, seat)
        return replace(view, hand=state.hands[0]) if seat is None and state.hands else view


class CountsSeatsFromTheEnd(HighCard, frozen=True):
    def view(self, state: Table, seat: Seat | None) -> Seen:
        return super().view(state, self.seats - 1 if seat == -1 else seat)


class KnowsTheOtherHand(HighCard, frozen=True):
    def legal(self, state: Table, seat: Seat) -> tuple[int, ...]:
        legal, best = super().legal(state, seat), max((0, *(card for hand in state.hands for card in hand)))
        return legal[-1:] if legal and legal[-1] + 1 == best else legal


class LeaksInTheView(HighCard, frozen=True):
    """Leaks the full state in a field that its guess copies, so that no guess differs."""

    def view(self, state: Table, seat: Seat | None) -> Seen:
        return replace(super().view(state, seat), out=state.out, log=(*state.log, *state.hands))

    def guess(self, view: Seen, rng: Generator) -> Table:
        log = view.log[: view.turn]
        return replace(super().guess(replace(view, log=log), rng), hands=view.log[view.turn :])


class DealtOpenly(Event, frozen=True, tag="dealt_openly"):
    hands: tuple[tuple[int, ...], ...]

    def words(self, names: Sequence[str]) -> str:
        return f"{names} are dealt {self.hands}."


class LeaksInAnEvent(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        return Step(step.state, (DealtOpenly(step.state.hands),)) if isinstance(move, Deal) else step


class TellsWhatIsLeft(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        left = [Played(seat, hand[0]) for seat, hand in enumerate(step.state.hands) if hand]
        return Step(step.state, (*step.events, *left)) if isinstance(move, dict) else step


class HidesThePrize(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        return Step(step.state, ()) if isinstance(move, Prize) else step


class Lopsided:
    """A generator that never returns the last number, or returns the first one twice as often."""

    def __init__(self, rng: Generator, *, never: bool) -> None:
        self.rng, self.never = rng, never

    def below(self, n: int) -> int:
        return self.rng.below(max(1, n - 1)) if self.never else max(0, self.rng.below(n + 1) - 1)


class NeverGuessesTheLast(HighCard, frozen=True):
    def guess(self, view: Seen, rng: Generator) -> Table:
        return super().guess(view, Lopsided(rng, never=True))


class PrefersTheFirst(HighCard, frozen=True):
    def guess(self, view: Seen, rng: Generator) -> Table:
        return super().guess(view, Lopsided(rng, never=False))


class AlwaysGuessesTheSame(HighCard, frozen=True):
    def guess(self, view: Seen, rng: Generator) -> Table:  # noqa: ARG002 -- the defect
        return super().guess(view, SeededGenerator(1))


class NarrowBounds(HighCard, frozen=True):
    @property
    def bounds(self) -> Bounds:
        return replace(super().bounds, utility=(0.0, 0.2))


class OneDecisionOnly(HighCard, frozen=True):
    @property
    def bounds(self) -> Bounds:
        return replace(super().bounds, decisions=1)


class FewActions(HighCard, frozen=True):
    @property
    def bounds(self) -> Bounds:
        return replace(super().bounds, actions=3)


class NeverEnds(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        return Step(replace(step.state, turn=0, hands=state.hands), step.events) if isinstance(move, dict) else step


class RanksFromZero(HighCard, frozen=True):
    def ranks(self, state: Table) -> tuple[int, ...]:
        return tuple(rank - 1 for rank in super().ranks(state))


class FavoursSeatZero(HighCard, frozen=True):
    def scores(self, state: Table) -> tuple[int, ...]:
        return (state.points[0] + state.turn, *state.points[1:])


class FirstToArriveIsToldFirst(HighCard, frozen=True):
    def apply(self, state: Table, move: Any) -> Step[Table]:
        step = super().apply(state, move)
        return Step(step.state, tuple(Played(seat, 1) for seat in move)) if isinstance(move, dict) else step


class NeedsItsLog(HighCard, frozen=True):
    def to_act(self, state: Table) -> tuple[Seat, ...]:
        return () if len(state.log) == self.hand else super().to_act(replace(state, turn=0))


class ForgetsItsTurn(HighCard, frozen=True):
    def position(self, state: Table) -> Table:
        return replace(state, log=(), points=(0,) * self.seats)


class HidesWhoActs(HighCard, frozen=True):
    def view(self, state: Table, seat: Seat | None) -> Seen:
        return replace(super().view(state, seat), to_act=(CHANCE,))


CAUGHT = [
    (TakesAnyCard, "legality"),
    (ActsOutOfTurn, "legality"),
    (HighestFirst, "legality"),
    (RefusesTheLowest, "legality"),
    (KeepsTheReason, "legality"),
    (FewActions, "legality"),
    (CountsSeatsFromTheEnd, "legality"),
    (ChangesTheState, "purity"),
    (ChangesTheMove, "purity"),
    (Counts, "purity"),
    (HashesApart, "purity"),
    (StartsAnywhere, "replayability"),
    (SaysPrizeOne, "replayability"),
    (SaysPrizeOne, "words"),
    (SortsItsWords, "words"),
    (ReadsLowerCaseOnly, "words"),
    (TakesOffChoices, "words"),
    (ForgetsTheLog, "notation"),
    (GuessesTwoCardsAlike, "determinization"),
    (ForgetsItsHand, "determinization"),
    (SpectatorSeesAHand, "determinization"),
    (SpectatorSeesAHand, "non_interference"),
    (KnowsTheOtherHand, "non_interference"),
    (TellsWhatIsLeft, "non_interference"),
    (NarrowBounds, "bounds"),
    (OneDecisionOnly, "bounds"),
    (RanksFromZero, "bounds"),
    (FavoursSeatZero, "symmetry"),
    (FirstToArriveIsToldFirst, "symmetry"),
    (NeedsItsLog, "position"),
    (ForgetsItsTurn, "position"),
    (HidesWhoActs, "drawings"),
]
LAWS: dict[str, laws.Law] = {law.__name__: law for law in laws.LAWS} | {
    "symmetry": partial(laws.symmetry, relabel=relabel),
}


def try_law(law: laws.Law, rules: HighCard, *, outs: bool = False, plays: int = 200) -> None:
    for lane in range(plays):
        rng = SeededGenerator(1, lane)
        law(rules, laws.random_play(rules, rng, steps=rng.below(8), outs=outs), rng)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replace the registered rules of the game with others."""

    def install(kind: type[HighCard], **changed: Any) -> None:
        monkeypatch.setattr(highcard, "GAME", replace(highcard.GAME, rules=kind, **changed))
        registry._find_game.cache_clear()

    yield install
    monkeypatch.undo()
    registry._find_game.cache_clear()


@pytest.mark.parametrize("law", LAWS)
def test_the_correct_game_passes_the_law(law: str) -> None:
    try_law(LAWS[law], HighCard(), plays=20)
    try_law(LAWS[law], HighCard(seats=3, forfeits=True), outs=True, plays=20)


@pytest.mark.parametrize(("kind", "law"), CAUGHT)
def test_the_law_fails_for_the_game_that_violates_it(kind: type[HighCard], law: str, installed: Any) -> None:
    installed(kind)
    with pytest.raises(AssertionError, match=f"{laws.label(law.replace('_', '-'))}: .*\\[in highcard:open"):
        try_law(LAWS[law], kind())


def test_a_defect_with_seats_out_is_found_in_plays_with_seats_out() -> None:
    rules = CountsOutSeatsAsPlaying(seats=3, cards=6, forfeits=True)
    laws.uniformity(rules)
    with pytest.raises(AssertionError, match="law 7, uniformity"):
        laws.uniformity(rules, outs=True)


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (NeverGuessesTheLast, "uniformity"),
        (PrefersTheFirst, "uniformity"),
        (AlwaysGuessesTheSame, "uniformity"),
        (LeaksInTheView, "non-interference"),
        (LeaksInAnEvent, "non-interference"),
        (HidesThePrize, "non-interference"),
    ],
)
def test_enumeration_finds_the_defect(kind: type[HighCard], law: str) -> None:
    with pytest.raises(AssertionError, match=laws.label(law)):
        laws.uniformity(kind(cards=6))


@pytest.mark.parametrize("kind", [NeverGuessesTheLast, PrefersTheFirst, AlwaysGuessesTheSame])
def test_without_perfect_recall_uneven_or_incomplete_guesses_fail(
    kind: type[HighCard],
) -> None:
    with pytest.raises(AssertionError, match="law 7, uniformity"):
        laws.uniformity(kind(cards=6), perfect_recall=False)


@pytest.mark.parametrize("kind", [NeverGuessesTheLast, PrefersTheFirst, AlwaysGuessesTheSame])
def test_the_chi_square_test_finds_defects_in_large_games(kind: type[HighCard]) -> None:
    with pytest.raises(AssertionError, match="law 7, uniformity"):
        laws.uniformity(kind(cards=30, hand=8), plays=10)


def test_a_game_that_does_not_end_fails() -> None:
    with pytest.raises(AssertionError, match="law 12, termination"):
        laws.termination(NeverEnds(), SeededGenerator(1))


def test_a_deal_without_a_relabel_fails() -> None:
    with pytest.raises(AssertionError, match="law 10, symmetry"):
        try_law(laws.symmetry, HighCard())


def test_without_a_relabel_only_the_order_of_choices_is_checked() -> None:
    try_law(partial(laws.symmetry, relabel=None), FavoursSeatZero())
    with pytest.raises(AssertionError, match="law 10, symmetry"):
        try_law(partial(laws.symmetry, relabel=None), FirstToArriveIsToldFirst())


def test_a_policy_with_an_illegal_choice_fails(installed: Any) -> None:
    installed(HighCard, policies={"eager": lambda rules, view, rng: 8})  # noqa: ARG005 -- as a policy is called
    with pytest.raises(AssertionError, match="law 13, policy-legality: eager"):
        try_law(laws.policy_legality, HighCard())


@pytest.mark.parametrize("line", ["-" * 81, "\x1b[1mbold"])
def test_a_wide_or_coloured_drawing_fails(line: str, installed: Any) -> None:
    installed(HighCard, drawings={"text": lambda view, names, rules: line})  # noqa: ARG005 -- as a drawing is called
    with pytest.raises(AssertionError, match="law 14, drawings: the drawing"):
        try_law(laws.drawings, HighCard())


def test_check_reports_the_law_the_position_and_the_shortest_play(installed: Any) -> None:
    installed(NarrowBounds)
    with pytest.raises(AssertionError, match=r"law 11, bounds: .* \[in highcard:open seats=2 \|") as caught:
        laws.check(NarrowBounds(), relabel=relabel)
    notes = "\n".join(getattr(caught.value, "__notes__", []))
    assert "deal 1 2 / 3 4" in notes
