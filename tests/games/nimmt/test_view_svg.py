import re
from collections.abc import Iterator
from itertools import product
from xml.etree import ElementTree as ET

import pytest
from tests.games.nimmt.batch.scalar_worlds import rules_of
from tests.games.svg_words import words

from faceup.core import CHANCE, generator, make, play_game
from faceup.games.nimmt import GAME, Rules
from faceup.games.nimmt.card_outcomes import card_outcomes
from faceup.games.nimmt.state import State, View
from faceup.games.nimmt.view_svg import draw as picture

FOUR = ("Ann", "Bob", "Cem", "Dana")


def states(rules: Rules, seed: int = 1) -> Iterator[State]:
    yield rules.start()
    for _, step in play_game(rules, [GAME.policies["greedy"]] * rules.seats, generator(seed)):
        yield step.state


def worked_example() -> Rules:
    return rules_of("nimmt:cowheadking hand=3")


DEAL = "deal 3 7 12 44 45 61 46 77 104 37 47 95 5 6 88 29"


def example(*turns: str) -> State:
    rules = worked_example()
    state = rules.start()
    for turn in (DEAL, *turns):
        parsed = [rules.parse(part) for part in turn.split(",")]
        acting = rules.to_act(state)
        state = rules.apply(state, parsed[0] if acting == (CHANCE,) else dict(zip(acting, parsed, strict=True))).state  # type: ignore[arg-type]  # a deal, or actions
    return state


FIRST, SECOND, TAKE = "play 7,play 44,play 104,play 37", "play 3,play 45,play 46,play 47", "take row 0"


@pytest.mark.sample(2)
@pytest.mark.parametrize("variant", [variant.name for variant in GAME.variants])
def test_every_variant_is_drawn_from_every_seat_to_its_end(variant: str) -> None:
    rules = (
        make(f"nimmt:{variant} hand=3") if variant in {"cowheadking", "onehundredandfour"} else make(f"nimmt:{variant}")
    )
    assert isinstance(rules, Rules)
    for number, state in enumerate(states(rules)):
        if number % 7 and rules.to_act(state):
            continue
        whats: list[State | View] = [state, *(rules.view(state, seat) for seat in (None, 0, rules.seats - 1))]
        for what in whats:
            assert len(picture(what, FOUR, rules)) < 90_000
            ET.fromstring(picture(what, (), None))  # noqa: S314 -- our own


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "rows", "capacity"), [*product((2, 10), (1, 8), (1, 10)), *((seats, 4, 5) for seats in range(3, 10))]
)
def test_any_table_is_drawn_within_bounds(seats: int, rows: int, capacity: int) -> None:
    rules = rules_of(f"nimmt:cowheadking seats={seats} rows={rows} capacity={capacity} hand=9")
    for number, state in enumerate(states(rules)):
        if number % 8 == 0 or not rules.to_act(state):
            for what in (state, rules.view(state, 0)):
                for wide in (False, True):
                    drawn = picture(what, ["W" * 500] * seats, rules, wide=wide)
                    assert len(drawn) < 120_000
                    check_bounds(drawn)


def check_bounds(drawn: str) -> None:
    """Check that no shape exceeds the picture's edges; children of a group are relative to the group's corner."""
    tree = ET.fromstring(drawn)  # noqa: S314 -- our own
    width, height = float(tree.attrib["width"]), float(tree.attrib["height"])

    def walk(element: ET.Element, x: float, y: float) -> None:
        if element.tag.endswith("}symbol"):
            return
        moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
        x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        left, top = x + float(element.get("x", 0)), y + float(element.get("y", 0))
        assert 0 <= left <= left + float(element.get("width", 0)) <= width
        assert 0 <= top <= top + float(element.get("height", 0)) <= height
        for child in element:
            walk(child, x, y)

    for child in tree:
        walk(child, 0, 0)


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_hidden_cards_do_not_change_the_picture(seat: int | None) -> None:
    rules = rules_of("nimmt:cowheadking")
    for number, state in enumerate(states(rules)):
        view = rules.view(state, seat)
        drawn = picture(view, FOUR, rules)
        guessed = rules.guess(view, generator(number))
        assert picture(rules.view(guessed, seat), FOUR, rules) == drawn
        hidden = {card for other, hand in enumerate(state.hands) if other != seat for card in hand}
        cards = {int(word) for word in re.findall(r"font-size:(?:31|27|17)px\">(\d+)<", drawn)}
        assert cards or not state.rows
        assert not cards & hidden


def test_names_are_escaped() -> None:
    rules, hostile = worked_example(), "</text><script>alert(1)</script>"
    for state in (example(), example(FIRST, SECOND), example(FIRST, SECOND, TAKE)):
        tags = [
            {element.tag for element in ET.fromstring(picture(state, names, rules)).iter()}  # noqa: S314 -- our own
            for names in (FOUR, [hostile, "\x00\ud800", "\u202e" * 9, "e" + "\u0301" * 5000])
        ]
        assert tags[0] == tags[1]


def test_a_state_shows_every_hand_and_a_view_its_own() -> None:
    rules, state = worked_example(), example()
    assert {"Ann's hand", "Bob's hand", "Cem's hand", "Dana's hand"} <= set(words(picture(state, FOUR, rules)))
    of_one = words(picture(rules.view(state, 1), FOUR, rules))
    assert "Bob's hand" in of_one
    assert not {"Ann's hand", "Cem's hand", "Dana's hand"} & set(of_one)


def test_a_seat_that_is_out_is_faded_and_its_hand_unseen() -> None:
    rules = rules_of("nimmt:arena")
    state = next(state for state in states(rules) if state.rows)
    state = rules.apply(state, {0: -1, **{seat: state.hands[seat][0] - 1 for seat in (1, 2, 3)}}).state
    drawn = words(picture(rules.view(state, 0), FOUR, rules))
    assert "out" in drawn
    assert "Ann's hand" not in drawn


def test_a_notebook_shows_states_and_views() -> None:
    rules, state = worked_example(), example(FIRST)
    assert state._repr_svg_() == picture(state)
    assert rules.view(state, 2)._repr_svg_() == picture(rules.view(state, 2))


def test_the_same_view_gives_the_same_bytes() -> None:
    rules = worked_example()
    first, other = (picture(rules.view(example(FIRST, SECOND), 0), FOUR, rules) for _ in range(2))
    assert first == other


def test_the_picture_has_a_text_description() -> None:
    rules = worked_example()
    drawn = picture(rules.view(example(FIRST, SECOND), 0), FOUR, rules)
    assert "row 4:  29  37  44   .   .   7 heads" in drawn
    assert "<title>Ann&#39;s 3 is below every row</title>" in drawn


@pytest.mark.parametrize(
    ("turns", "title", "outcomes"),
    [
        ((FIRST,), "Every card fits", ["to row 2", "to row 4", "to row 4", "to row 3"]),
        ((FIRST, SECOND), "Ann's 3 is below every row", ["takes a row", "waits", "waits", "waits"]),
        (
            (FIRST, SECOND, TAKE),
            "Ann takes row 1 and Dana row 4",
            ["takes row 1", "goes to Dana", "goes to Dana", "takes row 4"],
        ),
    ],
)
def test_the_cowheadking_example_is_described(turns: tuple[str, ...], title: str, outcomes: list[str]) -> None:
    rules = worked_example()
    drawn = words(picture(rules.view(example(*turns), None), FOUR, rules))
    assert drawn[0] == title
    assert [word for word in drawn if re.match(r"to row|takes |waits|goes to", word)][: len(outcomes)] == outcomes


def test_a_full_row_is_labelled_and_not_only_coloured() -> None:
    rules = make("nimmt:cowheadking seats=2")
    view = rules.from_text("view=0 sizes=1,1 hand=50 rows=1,2,3,4,5/10/20/30")
    assert isinstance(view, View)
    assert words(picture(view, (), rules)).count("full") == 1  # type: ignore[arg-type]  # the rules of this game


def test_the_winner_is_named_and_places_are_in_order() -> None:
    rules = rules_of("nimmt:onehundredandfour")
    *_, state = states(rules, 104)
    drawn = words(picture(state, FOUR, rules))
    assert drawn[0] == "Cem wins"
    assert [word for word in drawn if word.endswith(" place")] == ["1st place", "2nd place", "3rd place", "4th place"]


def test_cards_set_aside_and_swept_are_accounted_for() -> None:
    kinds = set()
    for seed in range(6):
        rules = rules_of("nimmt:cowheadking seats=10 capacity=2")
        for state in states(rules, seed):
            kinds |= {fate.kind for fate in card_outcomes(rules.view(state, None))}
    assert {"fits", "took", "low", "waits", "swept"} <= kinds


def test_a_pending_game_waits_for_players_while_seats_are_empty() -> None:
    rules = worked_example()
    for names, title in (
        ((), "The cards are about to be dealt"),
        (FOUR, "The cards are about to be dealt"),
        (FOUR[:2], "Waiting for players (2 of 4)"),
        (("", "Bob", "", ""), "Waiting for players (1 of 4)"),
    ):
        assert words(picture(rules.start(), names, rules))[0] == title
    assert "Waiting" not in picture(example(), FOUR[:2], rules)
