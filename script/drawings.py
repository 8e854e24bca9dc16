"""Generate the drawings in docs/drawings from real states. See `script/drawings`.

The worked example of Cow Head King uses its given hands and rows; all other games are dealt from a seed and played by
the game's default policy.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from faceup.core import CHANCE, AnyRules, Move, Outcome, Policy, State, find_game, generator, make, play_game
from faceup.envs.registration import settings

DOCS = Path(__file__).resolve().parent.parent / "docs" / "drawings"
FOUR = ("Ann", "Bob", "Cem", "Dana")
HERO, HERO_TURN = 275, 5
EARLY = 5
"""The number of states of a game of which the picture of an environment shows the last one without chance to act."""
FIVE = ("Ada", "Bo", "Cem", "Dana", "Eli")


def pictures() -> dict[str, str]:
    """Return all drawings by file name."""
    return {
        f"{name}.svg": picture
        for game in (draw_deal, draw_example, draw_reveal, dice, cards, environments)
        for name, picture in game().items()
    }


def draw_deal() -> dict[str, str]:
    """Draw one deal of 104, from the empty table to the winner."""
    rules = make("nimmt:onehundredandfour")
    states = list(played(rules, 104, "greedy"))
    return {
        "game_creation": svg(rules, states[0], FOUR[:2]),
        "deal_cards": svg(rules, states[1], FOUR),
        "determine_winner": svg(rules, states[-1], FOUR),
    }


def draw_example() -> dict[str, str]:
    """Draw two turns of Cow Head King: all cards fit; then one is too low and another one finds its row full."""
    rules = make("nimmt:cowheadking hand=3")
    hands = ((3, 7, 12), (44, 45, 61), (46, 77, 104), (37, 47, 95))
    rows = (5, 6, 88, 29)
    deal: Any = rules.parse(f"deal {' '.join(str(card) for cards in (*hands, rows) for card in cards)}")
    fits = after(rules, deal, plays(7, 44, 104, 37))
    low = after(rules, deal, plays(7, 44, 104, 37), plays(3, 45, 46, 47))
    full = after(rules, deal, plays(7, 44, 104, 37), plays(3, 45, 46, 47), {0: rules.parse("take row 0")})
    return {
        "card_fits": svg(rules, rules.view(fits, 3), FOUR),
        "card_too_low": svg(rules, rules.view(low, 0), FOUR),
        "row_full": svg(rules, rules.view(full, 3), FOUR),
    }


def draw_reveal() -> dict[str, str]:
    """Draw a table of five in the middle of a reveal."""
    rules = make("nimmt:cowheadking seats=5")
    state = next(state for state in played(rules, HERO, "lowest") if len(state.log) == HERO_TURN and state.waiting)
    return {"hero": svg(rules, rules.view(state, state.waiting[0][1]), FIVE, wide=True)}


def dice() -> dict[str, str]:
    """Draw a throw of three, before and after the dice have landed."""
    rules = make("niuniu seats=3 throws=3")
    states = list(played(rules, 5))
    return {"dice_in_the_air": svg(rules, states[3], FOUR), "dice_at_rest": svg(rules, states[4], FOUR)}


def cards() -> dict[str, str]:
    """Draw a war that leads to another war."""
    rules = make("war")
    state = next(state for state in played(rules, 0) if len(state.turned) == 4 and rules.to_act(state) == (0, 1))
    return {"war": svg(rules, state, FOUR)}


def environments() -> dict[str, str]:
    """Draw each environment early in a game with seed 7, as its first agent sees it."""
    names = ("seat_0", "seat_1", "seat_2", "seat_3")
    drawn = {}
    for game, setting, text in settings():
        rules = make(text)
        states = [*islice(played(rules, 7), EARLY)]
        shown = next(state for state in reversed(states) if rules.to_act(state) != (CHANCE,))
        drawn[f"environments/{game}-{setting}"] = svg(rules, rules.view(shown, 0), names)
    return drawn


def plays(*cards: int) -> dict[int, int]:
    """Return a turn from each seat's card."""
    return {seat: card - 1 for seat, card in enumerate(cards)}


def after(rules: AnyRules, *moves: Move | Outcome) -> State:
    """Return the state after the moves."""
    state: State = rules.start()
    for move in moves:
        state = rules.apply(state, move).state
    return state


def played(rules: AnyRules, seed: int, policy: str = "") -> Iterator[Any]:  # Any: each game has its own states
    """Yield the states of a game; without a policy, seats choose their first legal action."""
    choose: Policy = find_game(rules.game).policies[policy] if policy else lambda _, view, __: view.legal[0]
    yield rules.start()
    for _, step in play_game(rules, [choose] * rules.seats, generator(seed)):
        yield step.state


def svg(rules: AnyRules, what: object, names: Sequence[str], **layout: bool) -> str:
    """Return the SVG drawing of a state or a view."""
    return find_game(rules.game).drawings["svg"](what, names, rules, **layout)


def main() -> None:
    """Write changed drawings and print their names."""
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures().items():
        file = DOCS / name
        if not file.exists() or file.read_text(encoding="utf-8") != picture:
            file.parent.mkdir(exist_ok=True)
            file.write_text(picture, encoding="utf-8", newline="\n")
            print(f"wrote {file}", file=sys.stderr)


if __name__ == "__main__":
    main()
