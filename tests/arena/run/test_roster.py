"""Roster: bots by name, by command and from a bots.toml."""

from pathlib import Path

import pytest

from faceup.arena.run.roster import Roster, read_roster, resolve_bots
from faceup.core import Malformed

TOML = """
[[bot]]
name = "mine"
command = "./bot --fast"
files = ["weights.bin"]
environment = { THREADS = "1" }
phase = "last"
alive = true

[[bot]]
name = "theirs"
command = ["./bot", "a b"]
folder = "sub"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create two folders of bots and a bots.toml."""
    for name in (".", "sub", "v1", "v2"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "bot").write_text(f"#!/bin/sh\n# {name}\n")
        (tmp_path / name / "bot").chmod(0o755)
        (tmp_path / name / "bot.py").write_text(f"# {name}\n")
    (tmp_path / "weights.bin").touch()
    (tmp_path / "bots.toml").write_text(TOML)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(*words: str, roster: Roster | None = None) -> list[str]:
    return [bot.bot.name for bot in resolve_bots(words, roster or read_roster(), "nimmt")]


@pytest.mark.usefixtures("folder")
def test_bots_toml_sets_all_fields() -> None:
    entrant, other = resolve_bots(["mine", "theirs"], read_roster(), "nimmt")
    assert entrant.bot.command == ("./bot", "--fast")
    assert (entrant.bot.phase_last, entrant.bot.alive, dict(entrant.bot.environment)) == (True, True, {"THREADS": "1"})
    assert set(entrant.files) == {"bot", "weights.bin"}
    assert other.bot.command == ("./bot", "a b")
    assert other.files["bot"].parent.name == "sub"


@pytest.mark.usefixtures("folder")
def test_words_resolve_to_roster_builtin_or_command() -> None:
    assert names("mine", "greedy", "mc@50", "me=./bot -y") == ["mine", "greedy", "mc@50", "me"]
    assert names("./bot") == names("python3 bot.py -x") == ["bot"]


@pytest.mark.usefixtures("folder")
def test_equal_command_names_get_folder() -> None:
    assert names("v1/bot", "v2/bot", "greedy") == ["v1/bot", "v2/bot", "greedy"]
    assert names("python3 v1/bot.py", "./v2/bot") == ["v1/bot", "v2/bot"]
    assert names("./bot", "old=./bot") == ["bot", "old"]


@pytest.mark.usefixtures("folder")
def test_equal_words_are_one_bot() -> None:
    assert names("greedy", "mine", "greedy") == ["greedy", "mine", "greedy"]


@pytest.mark.usefixtures("folder")
def test_the_phase_is_set_for_each_program() -> None:
    words = ["./bot@phase-last", "new=python3 bot.py@phase-last", "python3 v1/bot.py", "v2/bot@phase-first"]
    for default in (False, True):
        entrants = resolve_bots(words, read_roster(), "nimmt", phase_last=default)
        assert [entrant.bot.phase_last for entrant in entrants] == [True, True, default, False]
        assert [entrant.bot.name for entrant in entrants] == ["bot", "new", "v1/bot", "v2/bot"]
        assert entrants[0].bot.command == ("./bot",)
    [turned] = resolve_bots(["mine@phase-first"], read_roster(), "nimmt")
    assert (turned.bot.phase_last, turned.bot.name) == (False, "mine")


@pytest.mark.usefixtures("folder")
def test_programs_that_differ_in_their_phase_are_different_bots() -> None:
    first, last = resolve_bots(["a=./bot", "b=./bot@phase-last"], read_roster(), "nimmt")
    assert first.bot.digest != last.bot.digest


def test_roster_without_file(folder: Path) -> None:
    (folder / "bots.toml").unlink()
    assert not read_roster().bots
    assert names("./bot", "greedy") == ["bot", "greedy"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gredy"], "there is no bot 'gredy', and no program of that name; did you mean 'greedy'"),
        (["theers"], "did you mean 'theirs'"),
        (["mine", "mine=./bot"], "two bots are called 'mine': 'mine' and 'mine=./bot'; write NAME=COMMAND"),
        (["./bot 'x"], "is incomplete"),
        (["./none"], "there is no program .*none"),
        (
            ["bot.py"],
            "bot.py: no program 'bot.py' is installed; to run the script, write \"python3 bot.py\", in quotes",
        ),
        (["bot"], "bot: no program 'bot' is installed; to run the one in this folder, write ./bot"),
        (["python3 v1/bot.py", "python3 -u none.py --fast"], "'python3 -u none.py --fast': there is no file none.py"),
        (["./bot@phase-lst"], "'./bot@phase-lst' must end in @phase-first or @phase-last; got @phase-lst"),
        (
            ["greedy@phase-last"],
            "only a program can be followed by @phase-first or @phase-last; 'greedy' is a built-in",
        ),
        (["./bot", "./bot@phase-last"], "two bots are called 'bot': './bot' and './bot@phase-last'; write NAME=COMM"),
    ],
)
def test_unknown_bot_is_refused_with_suggestion(words: list[str], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        names(*words)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('[[bot]]\nname = "a\n', r"is not TOML: .*line 2"),
        ('[[bot]]\nname = "a"\ncomand = "x"\n', r"bot 1 \(a\): there is no key 'comand'; did you mean 'command'"),
        ('[[bots]]\nname = "a"\n', "there is no key 'bots'; did you mean 'bot'"),
        ('[bot]\nname = "a"\n', r"write \[\[bot\]\], with two brackets"),
        ('[[bot]]\ncommand = "x"\n', "bot 1: .*name"),
        ('[[bot]]\nname = "a"\n', r"bot 1 \(a\): .*command"),
        ('[[bot]]\nname = "a"\ncommand = "x"\nphase = "middle"\n', "phase"),
        ('[[bot]]\nname = "a b"\ncommand = "x"\n', "a name must be 1 to 60 letters"),
        ('[[bot]]\nname = "a@2"\ncommand = "x"\n', "a name must be 1 to 60 letters"),
        ('[[bot]]\nname = "a"\ncommand = "x"\n' * 2, "two bots are called 'a'"),
    ],
)
def test_invalid_bots_toml_is_refused_with_position(tmp_path: Path, toml: str, message: str) -> None:
    path = tmp_path / "bots.toml"
    path.write_text(toml)
    with pytest.raises(Malformed, match=message):
        read_roster(path)
    with pytest.raises(Malformed, match="cannot be read"):
        read_roster(tmp_path / "none.toml")


def test_name_of_builtin_bot_is_refused(folder: Path) -> None:
    (folder / "bots.toml").write_text('[[bot]]\nname = "greedy"\ncommand = "./bot"\n')
    with pytest.raises(Malformed, match=r"is the name of a built-in bot; rename the bot in bots\.toml"):
        names("greedy")


@pytest.mark.parametrize("word", ["./lr=0.1/bot", "lr=0.1/bot", "./a=b", "'./lr=0.1/my bot' --fast"])
def test_a_path_with_an_equals_sign_is_no_name(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (Path("lr=0.1/bot"), Path("lr=0.1/my bot"), Path("a=b")):
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    [entrant] = resolve_bots([word], read_roster(), "nimmt")
    assert entrant.bot.name in {"bot", "my-bot", "a-b"}
    [entrant] = resolve_bots([f"new={word}"], read_roster(), "nimmt")
    assert (entrant.bot.name, entrant.bot.digest) == ("new", entrant.bot.digest)


def test_names_outside_ascii_stay_readable_and_distinct(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = [
        "机器人",
        "对手",
        "müller",
        "mu\u0308ller2",
        "हिन्दी",
        "жук",
        b"\xff\xfe".decode("utf-8", "surrogateescape"),
    ]
    for name in files:
        Path(f"{name}.py").write_text(name, errors="replace")
    words = [f"python3 {name}.py" for name in files]
    names = [entrant.bot.name for entrant in resolve_bots(words, read_roster(), "nimmt")]
    assert names == ["机器人", "对手", "müller", "müller2", "हिन्दी", "жук", "-xff-xfe"]
    [translated] = resolve_bots(["机器人2=python3 对手.py"], read_roster(), "nimmt")
    assert translated.bot.name == "机器人2"
    Path("bots.toml").write_text('[[bot]]\nname = "机器人"\ncommand = "python3 对手.py"\n', "utf-8")
    assert [*read_roster().bots] == ["机器人"]


def test_a_roster_may_begin_with_a_byte_order_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bots.toml").write_text('[[bot]]\nname = "mine"\ncommand = "python3"\n', "utf-8-sig")
    assert [*read_roster().bots] == ["mine"]
