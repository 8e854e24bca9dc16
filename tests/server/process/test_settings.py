"""Settings: precedence, validation, and hiding of secrets."""

from pathlib import Path

import pytest

from faceup.core import Malformed
from faceup.server.process.settings import SECRET_SETTINGS, Settings, list_settings, load_settings, redact_password

FILE = 'port = 7001\nlog = "json"\nhost = "10.0.0.1"\ntrusted_proxies = ["10.0.0.0/8"]\nlan = false\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "faceup.toml"
    path.write_text(FILE, "utf-8")
    return path


def test_precedence_is_flags_environment_file_defaults(file: Path) -> None:
    loaded = load_settings({"port": "7003", "log": None}, {"FACEUP_PORT": "7002", "FACEUP_LOG": "text"}, file)
    settings, sources = loaded
    assert (settings.port, settings.log, settings.host, settings.shutdown_timeout) == (7003, "text", "10.0.0.1", 10)
    assert [sources[name] for name in ("port", "log", "host", "shutdown_timeout")] == [
        *("flag", "FACEUP_LOG", str(file), "default")
    ]


def test_environment_variables_are_converted() -> None:
    environ = {"FACEUP_LAN": "yes", "FACEUP_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8", "FACEUP_SHUTDOWN_TIMEOUT": "3"}
    settings = load_settings({}, environ, None).settings
    assert (settings.lan, settings.trusted_proxies, settings.shutdown_timeout) == (True, ("127.0.0.1", "10.0.0.0/8"), 3)


@pytest.mark.parametrize("written", ["127.0.0.1,::1", "127.0.0.1 ::1", "[127.0.0.1, ::1]", '["127.0.0.1", "::1"]'])
def test_a_list_may_be_written_with_commas_spaces_or_brackets(written: str) -> None:
    assert load_settings({"trusted_proxies": written}, {}, None).settings.trusted_proxies == ("127.0.0.1", "::1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("prot = 1\n", "there is no setting 'prot'; the nearest is 'port'"),
        ('public-url = "http://x"\n', "the nearest is 'public_url'"),
        ('port = "8000"\n', "port cannot be '8000': expected a whole number, without quotes"),
        ('lan = "yes"\n', "lan cannot be 'yes': expected true or false"),
        ("port = 70000\n", "a port must be from 0 to 65535; with 0, the system chooses a free port"),
        ("port = \n", "is not valid TOML"),
        ("metrics_token = 5\n", "metrics_token cannot be (hidden)"),
    ],
)
def test_an_invalid_file_is_rejected_with_the_reason_and_place(text: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(Malformed) as error:
        load_settings({}, {}, path)
    assert expected in error.value.message
    assert str(path) in error.value.message


def test_a_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match=r"nowhere\.toml cannot be read: No such file"):
        load_settings({}, {}, tmp_path / "nowhere.toml")
    with pytest.raises(Malformed, match=r"nowhere\.toml cannot be read: No such file.*from FACEUP_CONFIG"):
        load_settings({}, {"FACEUP_CONFIG": "nowhere.toml"}, None)


@pytest.mark.parametrize(
    ("variable", "right"),
    [
        ("FACEUP_PUBLIC_ULR", "FACEUP_PUBLIC_URL"),
        ("FACEUP_TRUST_PROXY", "FACEUP_TRUSTED_PROXIES"),
        ("FACEUP_DB", "FACEUP_DATABASE"),
        ("FACEUP_METRICS_TOKN_FILE", "FACEUP_METRICS_TOKEN_FILE"),
        ("FACEUP_SECRET", "FACEUP_"),
        ("FACEUP_", "FACEUP_"),
    ],
)
def test_an_unknown_variable_is_rejected_with_the_nearest_name(variable: str, right: str) -> None:
    with pytest.raises(Malformed, match=f"there is no setting {variable}; did you mean {right}"):
        load_settings({}, {variable: "1"}, None)


def test_a_secret_file_must_exist_and_have_a_secret(tmp_path: Path) -> None:
    secret = tmp_path / "token"
    environ = {"FACEUP_METRICS_TOKEN_FILE": str(secret)}
    with pytest.raises(Malformed, match=r"token cannot be read: No such file.*from FACEUP_METRICS_TOKEN_FILE"):
        load_settings({}, environ, None)
    secret.write_text("\n", "utf-8")
    with pytest.raises(Malformed, match=r"token is empty \(from FACEUP_METRICS_TOKEN_FILE\)"):
        load_settings({}, environ, None)
    secret.write_text("0123456789abcdef\n", "utf-8")
    assert load_settings({}, environ, None).settings.metrics_token == "0123456789abcdef"  # noqa: S105 -- of the test


def test_variables_of_container_engines_and_of_other_programs_are_ignored() -> None:
    environ = {
        "FACEUP_DATA": "/data",
        "PORT": "1",
        "FACEUP_SERVICE_HOST": "10.0.0.1",
        "FACEUP_SERVICE_PORT": "8000",
        "FACEUP_SERVICE_PORT_HTTP": "8000",
        "FACEUP_DB_SERVICE_HOST": "10.0.0.2",
        "FACEUP_PORT_8000_TCP": "tcp://10.0.0.1:8000",
        "FACEUP_PORT_8000_TCP_ADDR": "10.0.0.1",
        "FACEUP_DB_PORT": "tcp://10.0.0.2:5432",
        "FACEUP_DB_PORT_5432_TCP_PROTO": "tcp",
        "FACEUP_NAME": "/page/faceup",
        "FACEUP_ENV_LANG": "C.UTF-8",
    }
    assert set(load_settings({}, environ, None).sources.values()) == {"default"}


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("port", "tcp://10.0.0.1:8000", "port cannot be 'tcp://10.0.0.1:8000'"),
        ("lan", "perhaps", "lan cannot be 'perhaps': expected true, false, yes, no, on, off, 1 or 0"),
        ("public_url", "cards.example.org", "such as https://example.org"),
        ("public_url", "https://example.org/cards", "set base_path to the path '/cards' instead"),
        ("public_url", "https://ann:secret@example.org", "such as https://example.org"),
        ("base_path", "cards", "must start but not end with a slash"),
        ("base_path", "/cards/", "must start but not end with a slash"),
        ("base_path", "/a b", "letters, digits"),
        ("trusted_proxies", "10.0.0.1/8", "has host bits set"),
        ("trusted_proxies", "proxy", "such as 127.0.0.1 or 10.0.0.0/8"),
        ("hosts", "https://cards.example.org", "without a scheme, port or path"),
        ("hosts", "cards.example.org:8000", "without a scheme, port or path"),
        ("registration", "shut", "registration cannot be 'shut': expected open, code or closed"),
        ("registration", "code", "set the variable FACEUP_REGISTRATION_CODE"),
        ("shutdown_timeout", "-1", "0 to 3600"),
        ("backup_every", "hourly", "followed by s, m, h or d"),
        ("backup_every", "0m", "use a time such as 1h"),
        ("backup_every", "1h", "need both backup_every and backup_to"),
        ("backup_to", "backups", "need both backup_every and backup_to"),
        ("backup_keep", "0", "from 1 to"),
    ],
)
def test_invalid_values_are_rejected_in_one_sentence(name: str, value: str, expected: str) -> None:
    with pytest.raises(Malformed) as error:
        load_settings({}, {f"FACEUP_{name.upper()}": value}, None)
    assert expected in error.value.message


def test_no_secret_is_shown() -> None:
    environ = {f"FACEUP_{name.upper()}": "open sesame, please" for name in SECRET_SETTINGS}
    environ |= {"FACEUP_DATABASE": "postgresql://ann:sesame@db/faceup?password=sesame"}
    rows = list_settings(load_settings({}, environ, None))
    assert "sesame" not in str(rows)
    assert redact_password("postgresql://ann@db/faceup") == "postgresql://ann@db/faceup"


def test_a_database_is_a_file_in_the_data_folder_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    assert Settings().database_url == f"sqlite:///{tmp_path}/online/tables.sqlite"
    monkeypatch.chdir(tmp_path)
    assert Settings(database="mine.sqlite").database_url == f"sqlite:///{tmp_path}/mine.sqlite"
    assert Settings(database="postgresql://db/faceup").database_url == "postgresql://db/faceup"


def test_addresses_follow_host_public_url_and_lan() -> None:
    assert Settings(host="::1").address(9000) == "http://[::1]:9000"
    assert Settings(public_url="https://example.org", base_path="/cards").address(1) == "https://example.org/cards"
    assert Settings(lan=True).bind_address == "0.0.0.0"  # noqa: S104 -- requested by --lan
    assert Settings(lan=True, host="192.168.1.2").bind_address == "192.168.1.2"


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "faceup.toml"
    path.write_text("port = 9001\n", "utf-8-sig")
    assert load_settings({}, {}, path)[0].port == 9001
