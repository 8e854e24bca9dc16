"""Commands for people who play print only translated text: here, English text becomes that of a made-up language."""

import html
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from tests.cli.in_process import inside as faceup
from tests.cli.test_ladder import HANDS, LADDER
from tests.coach.helpers import recorded
from tests.table.fair_helpers import finished

from faceup import translations
from faceup.cli import ladder, serve
from faceup.cli.main import GROUPS
from faceup.cli.online import describe_result, seated_text
from faceup.core import list_games
from faceup.core.record import dumps
from faceup.translations import drawings
from faceup.translations.environment import VARIABLE

CYRILLIC: Final = str.maketrans(
    {chr(latin + index): chr(other + index) for latin, other in ((65, 0x410), (97, 0x430)) for index in range(26)}
)

TRANSLATED: Final = {"play", "resume", "saved", "page", "puzzles", "watch", "replay", "review", "rules", "games",
                     "draw", "serve", "ladder", "verify", "bots", "bot"}  # fmt: skip

ENGLISH: Final = {"admin", "export", "arena", "llm", "benchmark", "sim", "odds", "exploit", "nimmt", "niuniu", "war",
                  "schema", "warm", "completion"}  # fmt: skip
"""The commands for bot authors, researchers and hosts."""

IDS: Final = " ".join(
    word
    for game in list_games()
    for word in (game.name, *(variant.name for variant in game.variants), *"_".join(game.options).split("_"))
)

NAMES: Final = {"Player", "Greedy", "Ada", "Bo", "Cleo", "Dov", "Ann", "deep", "faceup", "http", "mc"}
"""Words that no language translates: names of players, bots and commands."""


@pytest.fixture(autouse=True)
def _made_up_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the German translation by English in Cyrillic letters, and choose it for commands."""
    folder = tmp_path / "translations"
    shutil.copytree(Path(translations.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
    for file in (folder / "en").glob("*.json"):
        messages = {key: made_up(text) for key, text in json.loads(file.read_text("utf-8")).items()}
        (folder / "de" / file.name).write_text(json.dumps(messages), "utf-8")
    for guide in (folder / "de" / "guides").iterdir():
        guide.write_text(made_up(guide.read_text("utf-8")), "utf-8")
    monkeypatch.setattr(translations, "files", lambda _: folder)
    monkeypatch.setenv(VARIABLE, "de")
    forget_catalogues()
    yield
    forget_catalogues()


def made_up(text: str) -> str:
    """Return an English text without Latin letters outside its placeholders."""
    parts = re.split(r"(\{\{\w+\}\})", text)
    return "".join(part if part.startswith("{{") else part.translate(CYRILLIC) for part in parts)


def forget_catalogues() -> None:
    for function in (translations.catalogue, drawings._keys):
        function.cache_clear()


def english(text: str, *allowed: str) -> list[str]:
    """Return the English words of a text, except allowed ones and the names of files."""
    page = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    text = re.sub(r"(/[\w.@-]+)+|\w+…", "", html.unescape(page))  # without files and names that are cut
    return [word for word in re.findall("[A-Za-z]{2,}", text) if word not in {*NAMES, *allowed}]


@pytest.mark.parametrize(
    ("words", "typed", "allowed"),
    [
        ("games", "", IDS),
        ("rules nimmt", "", ""),
        ("saved", "", ""),
        ("bots", "", "nimmt niuniu war gentle steady sharp champion random lowest highest greedy network deep"),
        ("puzzles --count 1 --seed 1", "foo\n64\n", "foo"),
        ("play nimmt --seed 7 --bots greedy --clock none", "foo\nlog\n74\nq\n", "foo"),
        ("play war --seed 7 --clock none -o cap=3", "foo\n\n\n\n", "foo"),
        ("play niuniu --seed 7 --clock none", "foo\n\n", "foo"),
        ("watch nimmt --seed 7 --bots greedy -o hand=1", "", ""),
        ("watch war --seed 7 -o cap=3", "", "Random"),
        ("watch niuniu --seed 7", "", "Random"),
    ],
)  # fmt: skip
def test_output_is_translated(words: str, typed: str, allowed: str, tmp_path: Path) -> None:
    done = faceup(*words.split(), stdin=typed, data=tmp_path)
    printed = done.stdout.split("\nhighcard")[0].split("\n\nHigh Card")[0]  # a game of another package
    assert done.returncode == 0
    assert len(printed) > 15
    assert english(printed + done.stderr, *allowed.split()) == []


@pytest.mark.parametrize("spec", ["nimmt seats=2 hand=2", "war cap=3", "niuniu throws=2"])
def test_what_is_shown_of_a_record_is_translated(spec: str, tmp_path: Path) -> None:
    record, page = tmp_path / "game.json", tmp_path / "page.html"
    record.write_text(dumps(recorded(spec)), "utf-8")
    for words in (
        ("replay", record),
        ("replay", record, "--html", page),
        ("draw", record),
        ("draw", record, "--at", 1, "--seat", "all"),
        ("review", record, "--worlds", 20, "--html", page),
    ):
        page.write_text("", "utf-8")
        done = faceup(*map(str, words))
        assert done.returncode == 0, done.stderr
        assert english(done.stdout + done.stderr + page.read_text("utf-8"), "st") == [], words  # "1st" in the drawing


def test_verification_is_translated(tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    record.write_text(dumps(finished().record), "utf-8")
    for commitment in ([], ["--commitment", "0123"]):
        done = faceup("verify", str(record), *commitment)
        assert done.returncode == bool(commitment)
        assert english(re.sub("[0-9a-f]{8,}", "", done.stdout + done.stderr)) == []


@pytest.mark.parametrize(
    "answer", [LADDER, HANDS, {**LADDER, "ladder_rows": []}, {**HANDS, "hands": []}], ids=lambda answer: answer["by"]
)
def test_a_leaderboard_is_translated(answer: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    ladder._show(answer)
    assert english(capsys.readouterr().out, "nimmt", "cowheadking", "niuniu", "battle") == []


def test_a_bot_at_a_table_is_translated() -> None:
    for status, result in (("finished", {"ranks": [1, 2], "scores": [3, 8]}), ("closed", None), ("active", None)):
        room = {"seats": [{"name": "Ann"}, None], "result": result}
        live: Any = SimpleNamespace(room=room, status=status, seat=1)
        assert english(f"{seated_text('Ann', live, 'http:/t')} {describe_result(live)}") == []


def test_the_addresses_of_a_server_are_translated(capsys: pytest.CaptureFixture[str]) -> None:
    serve.print_lan_addresses([], [])
    serve.print_lan_addresses(["", ""], ["http:/a", "http:/b"])
    assert english(capsys.readouterr().out) == []


def test_every_command_is_translated_or_known_to_be_english() -> None:
    commands = {name for names in GROUPS.values() for name in names}
    assert commands == TRANSLATED | ENGLISH
