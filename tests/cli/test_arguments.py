"""Command-line arguments: full option names, and lists in all accepted formats."""

import json
from pathlib import Path

import pytest
from tests.cli.in_process import inside as faceup

from faceup.bots import policies


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("nimmt", "place", "--row", "5/6/88/29", "--plays", "7,44"),
            "unknown option --row; did you mean '--rows'?",
        ),
        (("odds", "nimmt", "--row=5/6/88/29", "--hand", "7"), "unknown option --row; did you mean '--rows'?"),
        (("play", "--see", "7"), "unknown option --see; did you mean '--seed'?"),
        (("play", "-seed", "7"), "unknown option -seed; did you mean '--seed'?"),
        (("--vers",), "unknown option --vers; did you mean '--version'?"),
        (("bots", "--gam", "war"), "unknown option --gam; did you mean '--game'?"),
        (("bots", "compare", "greedy", "--agains", "random"), "unknown option --agains; did you mean '--against'?"),
        (("arena", "match", "--sed", "7"), "unknown option --sed; did you mean '--seed'?"),
        (("games", "--xyzzy"), "unknown option --xyzzy; there are: -h, --help, --language, --json"),
        (("games", "war"), "unrecognized arguments: war"),
        (("plai", "nimmt"), "unknown command 'plai'; did you mean 'play'?"),
        (("nimmt", "plase"), "unknown command 'plase'; did you mean 'place'?"),
    ],
)
def test_an_unknown_option_or_command_gets_the_nearest_name(words: tuple[str, ...], message: str) -> None:
    done = faceup(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: faceup")
    assert done.stderr.endswith(f": error: {message}\n")


def test_an_unknown_option_is_a_json_error_with_json() -> None:
    done = faceup("nimmt", "place", "--json", "--row", "5/6/88/29")
    assert (done.returncode, done.stderr) == (2, "")
    assert "unknown option --row; did you mean '--rows'?" in json.loads(done.stdout)["error"]["message"]


def test_words_after_two_dashes_are_not_options() -> None:
    done = faceup("arena", "bridge", "http://127.0.0.1:1", "--", "python3", "--sed")
    assert done.stderr.startswith("faceup: URL must be a table's link, unless --open is given")


@pytest.mark.parametrize(("hand", "rows"), [("[3, 30, 45]", "[[5, 7], [6], [88], [29]]"), ("3 30 45", "5 7/6/88/29")])
def test_odds_take_lists_as_they_are_written(hand: str, rows: str) -> None:
    plain = faceup("odds", "nimmt", "--rows", "5,7/6/88/29", "--hand", "3,30,45", "--seen", "1,2", "--json")
    other = faceup("odds", "nimmt", "--rows", rows, "--hand", hand, "--seen", "[1, 2]", "--json")
    assert plain.returncode == 0, plain.stderr
    assert other.stdout == plain.stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize("bots", ["greedy lowest", "[greedy, lowest]", '["greedy", "lowest"]'])
def test_bots_may_be_written_with_commas_spaces_or_brackets(bots: str, tmp_path: Path) -> None:
    record = tmp_path / "game.json"

    def answers(names: str, seats: str) -> list[str]:
        watched = faceup("watch", "--seats", "2", "--seed", "7", "--json", "--bots", names, "--record", str(record))
        others = [
            ("sim", "nimmt", "--policies", names, "--deals", "9", "--seed", "7", "--json"),
            ("review", str(record), "--seat", seats, "--worlds", "20", "--json"),
        ]
        done = [watched, *(faceup(*words) for words in others)]
        assert [process.returncode for process in done] == [0] * 3, [process.stderr for process in done]
        answer = [json.loads(process.stdout) for process in done[1:]]
        return [
            watched.stdout,
            *(json.dumps({name: values[name] for name in values if "second" not in name}) for values in answer),
        ]

    assert answers(bots, "[0, 1]") == answers("greedy,lowest", "0,1")


def test_names_keep_their_spaces() -> None:
    position = "nimmt:cowheadking seats=2 | hands=3/45 rows=5/6,7/88/29"
    for names in ("Ann Lee,Bo", "Ann Lee, Bo", "[Ann Lee, Bo]"):
        picture = faceup("draw", position, "--names", names).stdout
        assert "Ann Lee" in picture
        assert " Bo<" not in picture


def test_the_help_of_bot_lists_every_bot_and_level() -> None:
    done = faceup("bot", "--help")
    assert done.returncode == 0
    listed = done.stdout.partition("examples:")[2]
    for name in policies("nimmt"):
        assert f"\n  {name} " in listed
