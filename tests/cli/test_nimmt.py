"""`faceup nimmt place`, from flags and line by line."""

import json

import pytest
from tests.cli.in_process import inside as faceup

FIRST = {"rows": [[5], [6], [88], [29]], "plays": [7, 44, 104, 37], "take": None}


def lines(*requests: object) -> list[dict[str, object]]:
    text = "\n".join(request if isinstance(request, str) else json.dumps(request) for request in requests)
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
        ({"rows": [[5], [6], [88]]}, "the table must have 4 rows; got 3"),
        ({"rows": [[5], [6], [88], []]}, "row 3 must have 1 to 5 cards; got 0"),
        ({"rows": [[1, 2, 3, 4, 5, 6], [7], [8], [9]]}, "row 0 must have 1 to 5 cards; got 6"),
        ({"rows": [[9, 5], [6], [88], [29]]}, "row 0 must ascend"),
        ({"plays": [7]}, "plays must have 2 to 10 cards; got 1"),
        ({"plays": list(range(30, 41))}, "plays must have 2 to 10 cards; got 11"),
        ({"plays": [7, 7]}, "card 7 occurs twice"),
        ({"plays": [7, 5]}, "card 5 occurs twice"),
        ({"plays": [7, 105]}, "a card must be 1 to 104; got 105"),
        ({"plays": [0, 7]}, "a card must be 1 to 104; got 0"),
        ({"plays": [3, 7], "take": 4}, "take must be 0 to 3; got 4"),
        ({"plays": "7"}, "Expected `array`"),
        ({"plays": [7, 44.5]}, "Expected `int`"),
        ({"what": 1}, "unknown field"),
    ],
)
def test_an_invalid_line_gets_an_error_and_processing_continues(change: dict[str, object], message: str) -> None:
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
    assert "a card of rows must be a whole number of at most nine digits; got" in done.stderr


def test_flags_are_the_defaults_of_every_line_and_its_own_fields_win() -> None:
    low = {"plays": [3, 44]}
    text = "\n".join(
        map(json.dumps, (low, {**low, "take": 1}, {"rows": [[50], [6], [88], [29]]}, {**low, "take": None}))
    )
    done = faceup("nimmt", "place", "--ndjson", "--rows", "5/6/88/29", "--plays", "7,44", "--take", "0", stdin=text)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("rows") for answer in answers] == [
        [[3], [6], [88], [29, 44]],
        [[5], [3], [88], [29, 44]],
        [[50], [6, 7], [88], [29, 44]],
        None,
    ]
    assert answers[3] == {"needs": {"seat": 0, "card": 3}}
    for bad in (("--rows", "5/x"), ("--plays", "[7")):
        refused = faceup("nimmt", "place", "--ndjson", *bad, stdin=text)
        assert (refused.returncode, refused.stderr) == (2, "")
        assert json.loads(refused.stdout)["error"]["kind"] == "malformed"


ROWS = [[5, 6], [7], [88, 104], [29, 37, 44]]


@pytest.mark.parametrize(
    "rows",
    [
        "5 6/7/88 104/29 37 44",
        "5, 6 / 7 / 88, 104 / 29, 37, 44",
        "[[5, 6], [7], [88, 104], [29, 37, 44]]",
        "[5 6] [7] [88 104] [29 37 44]",
        "[5,6],[7],[88,104],[29,37,44]",
        "[5,6]/[7]/[88,104]/[29,37,44]",
        "5 6\n7\n88 104\n29 37 44\n",
        "row 0: 5 6\nrow 1: 7\nrow 2: 88 104\nrow 3: 29 37 44",
    ],
)
@pytest.mark.parametrize("plays", ["45,46", "45 46", "[45, 46]", "[45,46]"])
def test_rows_and_cards_may_be_written_with_commas_spaces_or_brackets(rows: str, plays: str) -> None:
    done = faceup("nimmt", "place", "--rows", rows, "--plays", plays, "--json")
    assert json.loads(done.stdout)["rows"] == [*ROWS[:3], [29, 37, 44, 45, 46]]


def test_what_it_prints_can_be_pasted_back() -> None:
    first = faceup("nimmt", "place", "--rows", "5/6/88/29", "--plays", "7,44,104,37")
    printed = "\n".join(line for line in first.stdout.splitlines() if line.startswith("row"))
    result = json.loads(faceup("nimmt", "place", "--rows", "5/6/88/29", "--plays", "7,44,104,37", "--json").stdout)
    again = [
        faceup("nimmt", "place", "--rows", rows, "--plays", "45,46", "--json").stdout
        for rows in (printed, json.dumps(result["rows"]))
    ]
    assert again[0] == again[1]
    assert json.loads(again[0])["rows"] == [[5], [6, 7], [88, 104], [29, 37, 44, 45, 46]]


@pytest.mark.parametrize("rows", ["[[5], [6], [88], [29", "5/6/88/[29", "5,,6/7/88/29", "[5], [6], [88], x"])
def test_invalid_rows_are_rejected(rows: str) -> None:
    done = faceup("nimmt", "place", "--rows", rows, "--plays", "7,44")
    assert (done.returncode, done.stdout) == (2, "")
    assert "a card of rows must be a whole number of at most nine digits; got" in done.stderr
