"""Settings: who overrides whom, what is refused, and that secrets stay hidden."""

from pathlib import Path

import pytest

from faceup.core import Malformed
from faceup.server.gathering import gather, shown, without_password
from faceup.server.settings import SECRET, Settings

FILE = 'port = 7001\nlog = "json"\nhost = "10.0.0.1"\ntrusted_proxies = ["10.0.0.0/8"]\nlan = false\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "faceup.toml"
    path.write_text(FILE, "utf-8")
    return path


def test_flags_go_before_the_environment_before_the_file_before_defaults(file: Path) -> None:
    found = gather({"port": "7003", "log": None}, {"FACEUP_PORT": "7002", "FACEUP_LOG": "text"}, file)
    settings, sources = found
    assert (settings.port, settings.log, settings.host, settings.stop_within) == (7003, "text", "10.0.0.1", 10)
    assert [sources[name] for name in ("port", "log", "host", "stop_within")] == [
        *("flag", "FACEUP_LOG", str(file), "default")
    ]


def test_words_of_the_environment_become_what_the_setting_is() -> None:
    environ = {"FACEUP_LAN": "yes", "FACEUP_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8", "FACEUP_STOP_WITHIN": "3"}
    settings = gather({}, environ, None).settings
    assert (settings.lan, settings.trusted_proxies, settings.stop_within) == (True, ("127.0.0.1", "10.0.0.0/8"), 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1\n", "there is no setting 'prot'; the nearest is 'port'"),
        ('public-url = "http://x"\n', "the nearest is 'public_url'"),
        ('port = "8000"\n', "port cannot be '8000': Expected `int`, got `str`"),
        ("port = 70000\n", "a port is 0 to 65535"),
        ("port = \n", "is not TOML"),
        ("metrics_token = 5\n", "metrics_token cannot be (hidden)"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong_and_where(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(Malformed) as refusal:
        gather({}, {}, path)
    assert said in refusal.value.message
    assert str(path) in refusal.value.message


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"nowhere\.toml cannot be read: No such file"):
        gather({}, {}, tmp_path / "nowhere.toml")


def test_a_mistyped_variable_is_refused_and_somebody_elses_is_left_alone() -> None:
    with pytest.raises(Malformed, match="did you mean FACEUP_PUBLIC_URL"):
        gather({}, {"FACEUP_PUBLIC_ULR": "https://example.org"}, None)
    gather({}, {"FACEUP_SERVICE_HOST": "10.0.0.1", "FACEUP_DATA": "/data", "PORT": "1"}, None)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("port", "tcp://10.0.0.1:8000", "port cannot be 'tcp://10.0.0.1:8000'"),
        ("lan", "perhaps", "lan cannot be 'perhaps'"),
        ("public_url", "cards.example.org", "such as https://example.org"),
        ("public_url", "https://example.org/cards", "what follows the host goes into base_path, '/cards'"),
        ("public_url", "https://ann:secret@example.org", "such as https://example.org"),
        ("base_path", "cards", "begins with a slash"),
        ("base_path", "/cards/", "ends without one"),
        ("base_path", "/a b", "letters, digits"),
        ("trusted_proxies", "10.0.0.1/8", "has host bits set"),
        ("trusted_proxies", "proxy", "such as 127.0.0.1 or 10.0.0.0/8"),
        ("registration", "shut", "registration cannot be 'shut'"),
        ("registration", "code", "registration by code needs one"),
        ("stop_within", "-1", "0 to 3600"),
    ],
)
def test_what_means_nothing_is_refused_in_a_sentence(name: str, value: str, said: str) -> None:
    with pytest.raises(Malformed) as refusal:
        gather({}, {f"FACEUP_{name.upper()}": value}, None)
    assert said in refusal.value.message


def test_no_secret_is_shown() -> None:
    environ = {f"FACEUP_{name.upper()}": "sesame" for name in SECRET}
    environ |= {"FACEUP_DATABASE": "postgresql://ann:sesame@db/faceup?password=sesame"}
    rows = shown(gather({}, environ, None))
    assert "sesame" not in str(rows)
    assert without_password("postgresql://ann@db/faceup") == "postgresql://ann@db/faceup"


def test_a_database_is_a_file_in_the_data_folder_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    assert Settings().database_url == f"sqlite:///{tmp_path}/online/tables.sqlite"
    monkeypatch.chdir(tmp_path)
    assert Settings(database="mine.sqlite").database_url == f"sqlite:///{tmp_path}/mine.sqlite"
    assert Settings(database="postgresql://db/faceup").database_url == "postgresql://db/faceup"


def test_addresses_name_what_people_use() -> None:
    assert Settings(host="::1").address(9000) == "http://[::1]:9000"
    assert Settings(public_url="https://example.org", base_path="/cards").address(1) == "https://example.org/cards"
    assert Settings(lan=True).listens_on == "0.0.0.0"  # noqa: S104 -- what --lan asks for
    assert Settings(lan=True, host="192.168.1.2").listens_on == "192.168.1.2"
