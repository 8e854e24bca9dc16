"""`faceup nimmt place`, from flags and line by line."""

import json

import pytest
from tests.cli.inside import inside as faceup

FIRST = {"rows": [[5], [6], [88], [29]], "plays": [7, 44, 104, 37], "take": None}


def lines(*requests: object) -> list[dict[str, object]]:
    text = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in requests)
    done = faceup("nimmt", "place", "--ndjson", stdin=text)
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_turn_is_placed_in_ascending_order() -> None:
    (answer,) = lines(FIRST)
    assert answer == {
        "rows": [[5], [6, 7], [88, 104], [29, 37, 44]],
        "placed": [
            {"seat": 0, "card": 7, "row": 1, "took": []},
            {"seat": 3, "card": 37, "row": 3, "took": []},
            {"seat": 1, "card": 44, "row": 3, "took": []},
            {"seat": 2, "card": 104, "row": 2, "took": []},
        ],
        "heads": [0, 0, 0, 0],
    }


def test_a_card_that_is_too_low_needs_a_row() -> None:
    turn = {"rows": [[5], [6, 7], [88, 104], [29, 37, 44]], "plays": [3, 45, 46, 47]}
    without, with_row = lines({**turn, "take": None}, {**turn, "take": 0})
    assert without == {"needs": {"seat": 0, "card": 3}}
    assert with_row["rows"] == [[3], [6, 7], [88, 104], [47]]
    assert with_row["heads"] == [2, 0, 0, 10]
    assert lines({**FIRST, "take": 77}) == lines(FIRST)  # ignored where no card is too low


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": [[5], [6], [88]]}, "there are 4 rows, not 3"),
        ({"rows": [[5], [6], [88], []]}, "row 3 has 1 to 5 cards, not 0"),
        ({"rows": [[1, 2, 3, 4, 5, 6], [7], [8], [9]]}, "row 0 has 1 to 5 cards, not 6"),
        ({"rows": [[9, 5], [6], [88], [29]]}, "row 0 do not ascend"),
        ({"plays": [7]}, "2 to 10 seats play, not 1"),
        ({"plays": list(range(30, 41))}, "2 to 10 seats play, not 11"),
        ({"plays": [7, 7]}, "card 7 is there twice"),
        ({"plays": [7, 5]}, "card 5 is there twice"),
        ({"plays": [7, 105]}, "card 105 is not one of 1 to 104"),
        ({"plays": [0, 7]}, "card 0 is not one of 1 to 104"),
        ({"plays": [3, 7], "take": 4}, "rows are 0 to 3, not 4"),
        ({"plays": "7"}, "Expected `array`"),
        ({"plays": [7, 44.5]}, "Expected `int`"),
        ({"what": 1}, "unknown field"),
    ],
)
def test_a_bad_line_is_answered_with_its_error_and_the_next_goes_on(change: dict[str, object], message: str) -> None:
    bad, good = lines({**FIRST, **change}, FIRST)
    error = bad["error"]
    assert isinstance(error, dict)
    assert error["kind"] == "malformed"
    assert error["line"] == 1
    assert message in error["message"]
    assert "rows" in good


def test_blank_lines_are_skipped_and_lines_counted_from_1() -> None:
    answers = lines("", "nonsense", "  ", FIRST, "\x00", "[" * 100_000)
    assert [answer.get("error", {}).get("line") for answer in answers] == [2, None, 5, 6]  # type: ignore[attr-defined]  # JSON


def test_flags_answer_in_words_or_json() -> None:
    words = ("nimmt", "place", "--rows", "5/6/88/29", "--plays", "7,44,104,37")
    assert "seat 3: 37 to row 3" in faceup(*words).stdout
    assert json.loads(faceup(*words, "--json").stdout)["rows"][1] == [6, 7]
    for bad in (("nimmt", "place"), ("nimmt", "place", "--rows", "a/b", "--plays", "1,2")):
        done = faceup(*bad)
        assert done.returncode == 2
        assert done.stderr.startswith("faceup: ")


@pytest.mark.parametrize("rows", ["5/6/88/2_9", "5/6/88/", "5/6/88/\uff15", "5/6/88/" + "9" * 5000])
def test_only_plain_digits_are_cards_on_the_command_line(rows: str) -> None:
    done = faceup("nimmt", "place", "--rows", rows, "--plays", "7,44")
    assert (done.returncode, done.stdout) == (2, "")
    assert "a card of rows is a whole number, not" in done.stderr
