"""Verification detects every manipulated record, in the library and in the stand-alone script."""

import json
import runpy
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.fair_helpers import FAIR, FAIR_CLOCK, answered, committed, finished
from tests.table.helpers import do, played_out, seated

from faceup.core import Malformed, SeededGenerator
from faceup.core.fair_draw import SIZE, commitment, pledge
from faceup.core.record import Record, dumps, loads
from faceup.table import Choose, ExpireDeadline, Table, verify
from faceup.table.fair_round import FAIR_ROUND_TIMEOUT
from faceup.table.verification import Verification

ALONE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "verify_fair.py"))


def after_a_void_round() -> Table:
    """Return a match in which three of four people pledged, and two of them did not open."""
    table = committed("nimmt seats=4 hand=2", people=4)
    for seat in (0, 1, 2):
        table = answered(table, (seat,), 50)
    table = do(table, ExpireDeadline(), FAIR_ROUND_TIMEOUT)
    table = do(
        answered(table, (2,), FAIR_ROUND_TIMEOUT + 50), ExpireDeadline(), 2 * FAIR_ROUND_TIMEOUT, SeededGenerator(2)
    )
    table = do(answered(table, (0, 1, 2), 2 * FAIR_ROUND_TIMEOUT + 50), ExpireDeadline(), 3 * FAIR_ROUND_TIMEOUT)
    table = answered(table, (0, 1, 2), 3 * FAIR_ROUND_TIMEOUT + 50)
    while seats := table.waiting:
        table = do(table, Choose(seats[0], table.rules.legal(table.state, seats[0])[0]), table.at + 10)
    return table


WHOLE = finished("nimmt seats=3 hand=3 deals=2").record
VOID = after_a_void_round().record
KINDS = [entry["entry"] for entry in json.loads(dumps(WHOLE))["entries"]]


def both(record: Record) -> tuple[Verification, list[str]]:
    return verify(record), ALONE["check"](json.loads(dumps(record)))[0]


@pytest.mark.parametrize(
    ("spec", "checked", "unchecked"),
    [
        ("nimmt seats=3 hand=3 deals=2", 2, 0),
        ("nimmt:tactical seats=2 hand=2 deals=3", 3, 0),
        ("nimmt:cowheadking seats=10", 1, 0),
        ("niuniu throws=3 seats=3 faces=9", 3, 0),
        ("war per_suit=4 suits=4", 1, 0),
        ("war cap=250", 1, 2),
        ("war per_suit=4 collect=shuffled cap=9", 1, 2),
    ],
)
def test_fair_deals_of_every_game_pass(spec: str, checked: int, unchecked: int) -> None:
    terms = FAIR_CLOCK if spec.startswith("nimmt") else FAIR
    record = finished(spec, 2, terms, seed=4).record
    verdict = verify(record)
    assert (verdict.faults, verdict.outcomes) == ((), checked + unchecked)
    assert ALONE["check"](json.loads(dumps(record))) == ([], [checked, unchecked])


def test_a_verification_lists_the_contributors() -> None:
    verdict, alone = both(VOID)
    assert (verdict.faults, alone) == ((), [])
    assert len(verdict.commitments) == 2
    assert (verdict.contributors, verdict.left_out, verdict.silent) == (("Cy",), ("Ada", "Bo"), ("Di",))


Document = dict[str, Any]


def at(kind: str, field: str, value: object, which: int = 0) -> Callable[[Document], None]:
    """Replace a field of an entry of this kind."""

    def change(document: Document) -> None:
        entry = [entry for entry in document["entries"] if entry["entry"] == kind][which]
        assert entry[field] != value
        entry[field] = value

    return change


def without(kind: str) -> Callable[[Document], None]:
    def change(document: Document) -> None:
        document["entries"].remove(next(entry for entry in document["entries"] if entry["entry"] == kind))

    return change


def moved(kind: str, by: int) -> Callable[[Document], None]:
    """Move an entry of this kind."""

    def change(document: Document) -> None:
        entries = document["entries"]
        place = next(number for number, entry in enumerate(entries) if entry["entry"] == kind)
        entries[place], entries[place + by] = entries[place + by], entries[place]

    return change


def forged_secret(document: Document) -> None:
    """Return the record with another secret and commitment; the deal then differs."""
    entry = next(entry for entry in document["entries"] if entry["entry"] == "secret_committed")
    entry |= {"secret": "ab" * SIZE, "commitment": commitment(0, b"\xab" * SIZE).hex()}


def forged_contribution(document: Document) -> None:
    made = next(entry for entry in document["entries"] if entry["entry"] == "pledged")
    opened = next(entry for entry in document["entries"] if entry["entry"] == "pledge_opened")
    assert made["seat"] == opened["seat"]
    opened["contribution"] = "ab" * SIZE
    made["pledge"] = pledge(0, made["seat"], b"\xab" * SIZE).hex()


def swapped_cards(document: Document) -> None:
    entry = next(entry for entry in document["entries"] if entry["entry"] == "applied")
    words = entry["outcome"].split()
    words[1], words[4] = words[4], words[1]
    entry["outcome"] = " ".join(words)


ZERO = "00" * SIZE
TAMPERED = {
    "secret": at("secret_committed", "secret", ZERO),
    "commitment": at("secret_committed", "commitment", ZERO),
    "secret and commitment": forged_secret,
    "never committed": without("secret_committed"),
    "committed after a pledge": moved("secret_committed", 1),
    "pledge": at("pledged", "pledge", ZERO),
    "a pledge's seat": at("pledged", "seat", 1),
    "the other pledge's seat": at("pledged", "seat", 2, 1),
    "pledged never": without("pledged"),
    "pledged after the list": moved("listed", -1),
    "pledge and contribution": forged_contribution,
    "list, shorter": at("listed", "seats", [0]),
    "list, longer": at("listed", "seats", [0, 1, 2]),
    "listed never": without("listed"),
    "opened before the list": moved("listed", 1),
    "contribution": at("pledge_opened", "contribution", ZERO),
    "an opening's seat": at("pledge_opened", "seat", 1),
    "opened never": without("pledge_opened"),
    "cards": swapped_cards,
    "cards of another deal": at("applied", "outcome", "deal 1 2 3 4 5 6 7 8 9 10 11 12 13"),
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_manipulated_deal_is_detected(change: Callable[[Document], None]) -> None:
    document = json.loads(dumps(WHOLE))
    change(document)
    verdict, alone = both(loads(json.dumps(document)))
    assert verdict.faults
    assert alone


@pytest.mark.parametrize(
    "change",
    [
        at("left_out", "seat", 2),
        without("left_out"),
        at("secret_committed", "secret", ZERO, 1),
        at("secret_committed", "commitment", ZERO),
        at("pledge_opened", "contribution", ZERO),
    ],
)
def test_a_manipulated_void_round_is_detected(
    change: Callable[[Document], None],
) -> None:
    document = json.loads(dumps(VOID))
    change(document)
    verdict, alone = both(loads(json.dumps(document)))
    assert verdict.faults
    assert alone


def other(value: object) -> object:
    """Return another value of the same kind."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return value[:-1]
    assert isinstance(value, str)
    if value in {"person", "random"}:
        return {"person": "random", "random": "person"}[value]
    *rest, last = value.split() or [""]
    if last.isdecimal() and len(last) < 4:
        return " ".join([*rest, str(int(last) % 104 + 1)])
    return value[:-1] + ("0" if value[-1:] != "0" else "1")


@pytest.mark.parametrize("record", [WHOLE, VOID], ids=["one round", "two rounds"])
def test_a_change_of_any_field_but_names_and_times_is_detected(record: Record) -> None:
    true = json.loads(dumps(record))
    unnoticed = set()
    for number, entry in enumerate(true["entries"]):
        for field, value in entry.items():
            if field == "entry" or not value:
                continue
            changed = json.loads(dumps(record))
            changed["entries"][number][field] = other(value)
            try:
                verdict = verify(loads(json.dumps(changed)))
            except Malformed:
                continue
            if not verdict.faults:
                unnoticed.add((entry["entry"], field))
    # A seat that never opened its pledge, and one that never pledged.
    void = {("pledged", "pledge"), ("joined", "kind")} if record is VOID else set()
    assert {change for change in unnoticed if change[1] not in {"at", "name"}} == void


anything = (
    st.none() | st.integers(-(2**70), 2**70) | st.text(max_size=8) | st.sampled_from([[], [-1], [0, 99], {}, True])
)


@given(st.data())
def test_any_document_is_verified_or_rejected(data: st.DataObject) -> None:
    document = json.loads(dumps(VOID))
    for _ in range(data.draw(st.integers(1, 3))):
        entry = data.draw(st.sampled_from(document["entries"]))
        entry[data.draw(st.sampled_from(sorted(entry)))] = data.draw(anything)
    with suppress(Malformed):
        assert isinstance(verify(loads(json.dumps(document))), Verification)
    with suppress(
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError
    ):  # those that its last lines name
        assert isinstance(ALONE["check"](document)[0], list)


def test_a_wrong_result_is_detected() -> None:
    assert WHOLE.result is not None
    false = msgspec.structs.replace(WHOLE.result, ranks=(1, 1, 1))
    verdict = verify(msgspec.structs.replace(WHOLE, result=false))
    assert "to match the entries; got" in verdict.faults[0]


def test_a_record_without_fair_deals_cannot_be_verified() -> None:
    with pytest.raises(Malformed, match="has no fair deals"):
        verify(played_out(seated()).record)


def test_an_unfinished_record_is_verified() -> None:
    cut = msgspec.structs.replace(WHOLE, entries=WHOLE.entries[:-3], result=None)
    verdict = verify(cut)
    assert (verdict.faults, verdict.finished) == ((), False)
