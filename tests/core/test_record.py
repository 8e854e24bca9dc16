"""Records: JSON, exact replay, and errors that name the entry and the rule."""

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # ships no types
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import Malformed, RulesError, SeededGenerator, laws, make
from faceup.core.record import Applied, Joined, Record, applied, dumps, loads, record_of, replay, schema

SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "record.schema.json"


def recorded(spec: str = "highcard:strict", *, steps: int = 99, lane: int = 0) -> Record:
    """Return a record of random play: entries 0 to 2 are players, 3 is the deal, 4 a prize, 5 the first turn."""
    rules = make(spec)
    play = laws.random_play(rules, SeededGenerator(5, lane), steps=steps)
    joined = tuple(Joined(0, seat, f"Player {seat}", "random") for seat in range(rules.seats))
    moves = tuple(applied(rules, 1000 * at, taken.move) for at, taken in enumerate(play.steps))
    return record_of(rules, (*joined, *moves), play.state)


WHOLE = recorded()
TEXT = dumps(WHOLE)


def edited(change: str, to: str) -> Record:
    assert change in TEXT
    return loads(TEXT.replace(change, to, 1))


def test_a_record_round_trips_with_one_line_per_entry() -> None:
    assert loads(TEXT) == WHOLE
    assert loads(TEXT.encode()) == WHOLE
    assert loads(f"\ufeff{TEXT}") == loads(TEXT.encode("utf-8-sig")) == WHOLE
    assert len(TEXT.splitlines()) == len(WHOLE.entries) + 2
    first = {"entry": "joined", "at": 0, "seat": 0, "name": "Player 0", "kind": "random"}
    assert json.loads(TEXT)["entries"][0] == first


def test_a_record_has_the_options_that_differ_from_the_variant() -> None:
    assert WHOLE.rules() == make("highcard:strict")
    assert WHOLE.options == {"seats": 3}
    assert recorded("highcard hand=1").options == {"seats": 2, "hand": 1}


def test_a_replay_has_a_frame_for_the_start_and_for_each_step() -> None:
    frames = list(replay(WHOLE))
    assert [frame.entry for frame in frames] == [-1, *range(3, len(WHOLE.entries))]
    rules = WHOLE.rules()
    assert frames[0].state == rules.start()
    assert WHOLE.result is not None
    assert (rules.scores(frames[-1].state), rules.ranks(frames[-1].state)) == (WHOLE.result.scores, WHOLE.result.ranks)


def test_an_unfinished_record_has_no_result_and_replays_its_entries() -> None:
    short = recorded(steps=2)
    assert short.result is None
    assert len(list(replay(short))) == 3


@pytest.mark.parametrize("end", [0, 1, 40, len(TEXT) // 2, len(TEXT) - 3])
def test_a_truncated_record_raises(end: int) -> None:
    with pytest.raises(Malformed, match="the record is incomplete or not JSON"):
        loads(TEXT[:end])


def test_a_record_of_a_later_version_raises() -> None:
    with pytest.raises(Malformed, match="the record has format 2, but this faceup reads 1 to 1: update faceup"):
        edited('"format":1', '"format":2')
    with pytest.raises(Malformed, match="format 0"):
        edited('"format":1', '"format":0')


@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        ('"entry":"joined"', '"entry":"jonied"', "this is not a record: .*jonied"),
        ('"seat":0', '"seat":"zero"', "this is not a record: .*entries"),
        ('"game":"highcard",', "", "missing required field `game`"),
    ],
)
def test_an_invalid_record_raises_with_the_place(change: str, to: str, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        edited(change, to)


@pytest.mark.parametrize(
    ("change", "to", "message"),
    [
        ("deal ", "deal 9 ", "entry 3: "),
        ("deal ", "dale ", "entry 3: 'dale .*' is neither a decision nor an outcome"),
        ('"outcome":"deal', '"outcome":"play 1","x":"deal', "entry 3: 'play 1' is a decision, not an outcome"),
        ('["play ', '["play 9","x', "entry 5: "),
        ('["play ', '["prize 1","x', "entry 5: 'prize 1' is an outcome of chance, not a decision"),
        ('"scores":[', '"scores":[9,', "the result must be "),
    ],
)
def test_an_edited_record_raises_with_the_entry_and_the_rule(change: str, to: str, message: str) -> None:
    record = edited(change, to)
    with pytest.raises(Malformed, match=message):
        list(replay(record))


def _first_turn(*actions: str | None) -> Record:
    """Return the complete record with other decisions in its first turn."""
    turn = WHOLE.entries[5]
    assert isinstance(turn, Applied)
    changed = msgspec.structs.replace(turn, actions=(*actions, *turn.actions[len(actions) :]))
    return msgspec.structs.replace(WHOLE, entries=(*WHOLE.entries[:5], changed, *WHOLE.entries[6:]))


def test_an_illegal_card_in_a_record_is_named_with_its_entry_and_position() -> None:
    deal = WHOLE.entries[3]
    assert isinstance(deal, Applied)
    other = next(card for card in range(1, 10) if str(card) not in deal.outcome.split("/")[0])
    with pytest.raises(Malformed, match=rf"entry 5: 'play {other}' is not legal for seat 0 now.*\[in highcard:strict"):
        list(replay(_first_turn(f"play {other}")))


def test_a_missing_decision_in_a_record_is_named_with_its_entry() -> None:
    with pytest.raises(Malformed, match="entry 5: the decision of seat 0 is missing"):
        list(replay(_first_turn(None)))


def test_a_result_before_the_end_raises() -> None:
    record = msgspec.structs.replace(WHOLE, entries=WHOLE.entries[:-1])
    with pytest.raises(Malformed, match="a result, but its entries end before the game is over"):
        list(replay(record))


def test_a_record_of_unknown_rules_raises_with_the_closest_name() -> None:
    record = edited('"game":"highcard"', '"game":"highcrad"')
    with pytest.raises(Malformed, match="did you mean 'highcard'"):
        list(replay(record))
    record = msgspec.structs.replace(WHOLE, options={"seats": 3, "colour": 1})
    with pytest.raises(Malformed, match="has no option 'colour'"):
        list(replay(record))


@pytest.mark.parametrize("change", ["strict hand=1", "", "strict:", " strict"])
def test_the_variant_of_a_record_is_a_name_and_holds_no_options(change: str) -> None:
    with pytest.raises(Malformed, match="variant"):
        edited('"variant":"strict"', f'"variant":"{change}"').rules()


def test_records_match_the_published_schema() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    validator.check_schema(validator.schema)
    for spec in ("highcard", "highcard:strict", "nimmt:arena"):
        for steps in (0, 3, 999):
            validator.validate(json.loads(dumps(recorded(spec, steps=steps))))
    broken: dict[str, Any] = {**json.loads(TEXT), "entries": [{"entry": "chosen", "at": 0}]}
    assert not validator.is_valid(broken)


def test_the_published_schema_is_up_to_date() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == json.loads(json.dumps(schema())), (
        "rewrite it: python -m tests.golden"
    )


@st.composite
def mutated_record(draw: st.DrawFn) -> str:
    """Return a record with some characters removed, added or replaced."""
    text = TEXT
    for _ in range(draw(st.integers(1, 3))):
        at, cut = draw(st.integers(0, len(text))), draw(st.integers(0, 6))
        text = (
            text[:at]
            + draw(st.one_of(st.text(max_size=4), st.sampled_from(['"', "0", "-1", "null"])))
            + text[at + cut :]
        )
    return text


@given(st.one_of(mutated_record(), st.text(), st.binary()))
def test_any_text_loads_and_replays_or_raises_malformed(text: str | bytes) -> None:
    try:
        record = loads(text)
        list(replay(record))
    except RulesError:
        return
    assert loads(dumps(record)) == record
