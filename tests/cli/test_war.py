"""`faceup war play`."""

import json
import subprocess

import msgspec
import pytest
from tests.cli.in_process import inside

from faceup.cli.war import Request, answer
from faceup.core import Malformed, SeededGenerator, find_game
from faceup.core.record import Record, replay
from faceup.core.registry import OptionValue
from faceup.games.shuffle import apply_shuffle
from faceup.games.war.cards import CARD_NAMES

DECK = [
    CARD_NAMES[card]
    for card in apply_shuffle(range(52), [SeededGenerator(11).below(52 - place) for place in range(51)])
]


def play(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return inside("war", "play", *arguments, stdin=stdin)


def test_a_deck_and_a_seed_always_play_the_same_game() -> None:
    first = answer(Request(DECK, seed=7))
    assert answer(Request(DECK, seed=7)) == first
    assert set(first) == {"winner", "by", "rounds", "wars", "redeals"}


def test_halves_that_change_seats_change_the_winner() -> None:
    options: dict[str, OptionValue] = {"reshuffle": 0}
    local = answer(Request(DECK, options=options))
    there = answer(Request(DECK[26:] + DECK[:26], options=options))
    assert {**there, "winner": 1 - there["winner"]} == local


def test_the_record_replays_to_the_same_end() -> None:
    result = answer(Request(DECK, seed=3, options={"collect": "shuffled", "cap": 30}, record=True))
    record = msgspec.convert(result["record"], Record)
    last = list(replay(record))[-1].state
    assert record.result is not None
    assert record.options == {"seats": 2, "collect": "shuffled", "cap": 30}
    assert (last.rounds, last.by) == (result["rounds"], result["by"])  # type: ignore[attr-defined]  # War's own state


def test_a_drawn_game_has_no_winner() -> None:
    # All pairs are equal: an undecided round.
    half = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "CH"]
    other = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "DS"]
    result = answer(Request([*half, *other], options={"redeal": False}))
    assert (result["winner"], result["by"], result["rounds"]) == (None, "draw", 1)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (Request([*DECK[:51], "XX"]), r"deck\[51\]: 'XX' is not a card"),
        (Request(DECK[:51]), "the deck must be 52 different cards; got 51; missing: "),
        (Request([*DECK[:51], DECK[0]]), f"twice: {DECK[0]}; missing: {DECK[51]}"),
        (Request(DECK, seed=-1), "a seed must be 0 to"),
        (Request(DECK, options={"cap": 0}), "cap must be 1 to"),
    ],
)
def test_an_invalid_request_is_explained(request_: Request, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        answer(request_)


def test_it_answers_line_by_line() -> None:
    lines = [json.dumps({"deck": DECK, "seed": seed}) for seed in range(3)]
    lines.insert(1, json.dumps({"deck": DECK, "options": {"colect": "shuffled"}}))
    answers = [json.loads(line) for line in play("--ndjson", stdin="\n".join(lines)).stdout.splitlines()]
    assert [answers[0], *answers[2:]] == [answer(Request(DECK, seed=seed)) for seed in range(3)]
    assert "colect" in answers[1]["error"]["message"]
    assert answers[1]["error"]["line"] == 2


def test_it_answers_flags() -> None:
    flags = ("--deck", " ".join(DECK), "--seed", "7", "-o", "cap=20", "-o", "sudden_death=false")
    expected = answer(Request(DECK, 7, options={"cap": 20, "sudden_death": False}))
    assert json.loads(play(*flags, "--json").stdout) == expected
    assert play(*flags).stdout.startswith(f"seat {expected['winner']} wins by cap; rounds 20")
    assert "record" in json.loads(play(*flags, "--json", "--record").stdout)


def test_flags_are_the_defaults_of_every_line_and_each_line_has_its_own_lane_of_the_seed() -> None:
    requests: list[dict[str, object]] = [
        {"seed": 8},
        {"options": {"cap": 9}},
        {"options": {"down": 1}},
        {"seed": 7, "lane": 1},
    ]
    lines = "\n".join(json.dumps(line) for line in [{}, {}, *requests])
    answers = [
        json.loads(line) for line in play("--ndjson", "-o", "cap=50", "--seed", "7", stdin=lines).stdout.splitlines()
    ]
    assert answers == [
        answer(Request(seed=7, options={"cap": 50})),
        answer(Request(seed=7, lane=1, options={"cap": 50})),
        answer(Request(seed=8, options={"cap": 50})),
        answer(Request(seed=7, lane=3, options={"cap": 9})),
        answer(Request(seed=7, lane=4, options={"cap": 50, "down": 1})),
        answers[1],
    ]
    assert len({msgspec.json.encode(answer) for answer in answers[:2]}) == 2
    recorded = play("--ndjson", "--record", "--deck", f"[{', '.join(DECK)}]", stdin="{}").stdout
    assert json.loads(recorded)["record"]["options"] == {"seats": 2}


def test_every_listed_option_is_accepted() -> None:
    settings = {"collect": "shuffled", "reshuffle": 7, "cap": 40, "sudden_death": "false", "redeal": "false"}
    settings |= {"per_suit": 5, "suits": 2, "down": 1}
    assert set(settings) == set(find_game("war").options)
    flags = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    done = play(*flags, "--seed", "3", "--json", "--record")
    assert done.returncode == 0, done.stderr
    options = json.loads(done.stdout)["record"]["options"]
    assert options == {"seats": 2, **settings, "sudden_death": False, "redeal": False}


@pytest.mark.parametrize("written", [", ".join(DECK), f"[{' '.join(DECK)}]", json.dumps(DECK)])
def test_a_deck_may_be_written_with_commas_spaces_or_brackets(written: str) -> None:
    assert json.loads(play("--deck", written, "--seed", "7", "--json").stdout) == answer(Request(DECK, seed=7))


def test_the_deal_of_a_record_can_be_pasted_as_a_deck() -> None:
    halves = f"{' '.join(DECK[:26])} / {' '.join(DECK[26:])}"
    assert json.loads(play("--deck", halves, "--seed", "7", "--json").stdout) == answer(Request(DECK, seed=7))
    refused = play("--deck", f"{' '.join(DECK[:25])} / {' '.join(DECK[25:])}")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "a slash in a deck must separate two halves" in refused.stderr


@pytest.mark.parametrize("option", ["cap", "cap=x", "cop=3"])
def test_an_invalid_option_is_rejected_with_status_2(option: str) -> None:
    refused = play("-o", option)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert option.partition("=")[0] in refused.stderr


def test_an_unknown_option_of_the_game_gets_the_nearest_name() -> None:
    message = "War has no option 'dwn'; did you mean 'down'?"
    refused = play("-o", "dwn=1")
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", f"faceup: {message}\n")
    refused = play("-o", "dwn=1", "--ndjson")
    assert (refused.returncode, refused.stderr) == (2, "")
    assert json.loads(refused.stdout)["error"]["message"] == message
