"""The language of commands: `--language`, the environment, and English for programs."""

from pathlib import Path

import pytest
from tests.cli.in_process import inside as faceup

from faceup.formatting import cell_width
from faceup.translations import LANGUAGES

PLAY = ("play", "nimmt", "--seed", "7", "--bots", "greedy", "--clock", "none")

OPENING = {
    "en": "Player gets 3 10 21 29",
    "de": "Spieler bekommt 3 10 21 29",
    "fr": "Joueur reçoit 3 10 21 29",
    "zh": "玩家拿到 3 10 21 29",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_played_in_the_language(language: str, tmp_path: Path) -> None:
    done = faceup(*PLAY, "--plain", "--language", language, stdin="foo\n74\nlog\nq\n", data=tmp_path)
    assert OPENING[language] in done.stdout
    assert "74" in done.stdout.split("foo")[1]
    rows = [line for line in done.stdout.splitlines() if "   ." in line]
    assert len({cell_width(row[: row.index("   .   .")]) for row in rows[:4]}) == 1, "rows are aligned"


def test_the_language_can_be_set_before_the_command_and_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert OPENING["fr"] in faceup("--language", "fr", *PLAY, "--plain", stdin="q\n", data=tmp_path).stdout
    monkeypatch.setenv("FACEUP_LANGUAGE", "de")
    assert OPENING["de"] in faceup(*PLAY, "--plain", stdin="q\n", data=tmp_path).stdout


def test_actions_can_be_typed_as_they_are_shown_and_in_english(tmp_path: Path) -> None:
    for typed in ("74", "play 74", "出 74"):
        done = faceup(*PLAY, "--plain", "--language", "zh", stdin=f"{typed}\nq\n", data=tmp_path)
        assert "玩家 74" in done.stdout, typed


@pytest.mark.parametrize("language", ["de", "fr", "zh"])
def test_json_is_english_in_every_language(language: str, tmp_path: Path) -> None:
    words = [*PLAY, "--json"]
    english, translated = (
        faceup(*words, "--language", code, stdin="foo\n74\nq\n", data=tmp_path).stdout for code in ("en", language)
    )
    assert translated == english
    assert "Player" in english


def test_an_unknown_language_is_rejected() -> None:
    done = faceup("--language", "xx", "games")
    assert done.returncode == 2
    assert "invalid choice: 'xx'" in done.stderr


@pytest.mark.parametrize("language", ["en", "de", "fr", "zh"])
def test_the_list_of_games_fits_in_a_terminal(language: str) -> None:
    lines = faceup("games", "--language", language).stdout.splitlines()
    assert max(map(cell_width, lines)) <= 80
