"""Server settings from flags, environment variables, a TOML file and defaults.

Flags take precedence over environment variables, environment variables over the file, and the file over the defaults.
"""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_args
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import fields

from faceup.characters import remove_bom
from faceup.core import Malformed
from faceup.core.options import convert_option
from faceup.paths import data_folder
from faceup.server.process.openid_settings import OpenIdSettings
from faceup.server.process.setting import DATABASE, Setting, limit
from faceup.server.process.site_settings import wrong_value

_Secret: TypeAlias = Annotated[str, Setting(secret=True)]


class Settings(OpenIdSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of one server. Each field can be set by a flag, a variable `FACEUP_...`, or a key in the settings file.

    A field is the only definition of a setting: `DEFINITIONS` reads its flag, checks and defaults from it, and the
    documentation its docstring.

    >>> Settings(lan=True).bind_address
    '0.0.0.0'
    >>> Settings(public_url="https://example.org", base_path="/cards").address(8000)
    'https://example.org/cards'

    Raises:
        Malformed: a value is invalid. The message lists the accepted values.
    """

    host: Annotated[str, Setting("address to listen on (default {default})", "ADDRESS")] = "127.0.0.1"
    """Address to listen on."""
    port: Annotated[
        int,
        Setting(
            "port to listen on (default {default}); 0 means any free port",
            "N",
            range(65536),
            "a port must be from 0 to 65535; with 0, the system chooses a free port",
        ),
    ] = 8000
    """Port to listen on. With 0, the system chooses a free port."""
    lan: Annotated[bool, Setting("listen on the local network, and show the address and a QR code")] = False
    """Listen on the local network, and show the server's address as text and as a QR code."""
    database: Annotated[str, DATABASE] = ""
    """An SQLite file or a URL `postgresql://...`. If empty, the server uses a file in the user's data folder."""
    public_url: Annotated[str, Setting("the public address, if the server is behind a proxy", "URL")] = ""
    """URL of the server as users see it through a proxy or tunnel, such as `https://example.org`."""
    base_path: Annotated[str, Setting("path prefix of all URLs", "/PATH")] = ""
    """Path of the server below its public URL, such as `/cards`."""
    trusted_proxies: Annotated[
        tuple[str, ...], Setting("trusted proxies, which may set the client address: 127.0.0.1,10.0.0.0/8", "ADDRESSES")
    ] = ()
    """Addresses and networks of reverse proxies that are trusted to send forwarding headers."""
    hosts: Annotated[
        tuple[str, ...], Setting("further host names of the server: cards.example.org,.example.net", "NAMES")
    ] = ()
    """Further host names under which users open the server; `.example.org` allows all names below it, and `*` any name.

    The host of `public_url`, IP addresses, names without a dot, this machine's own name and names in `.local` and other
    private zones are always allowed. See `faceup.server.http.hosts`.
    """
    registration: Annotated[
        Literal["open", "code", "closed"],
        Setting("who may register (default {default}); the code is set in FACEUP_REGISTRATION_CODE"),
    ] = "open"
    """Who may register. `faceup admin registration` can change the mode while the server runs."""
    registration_code: _Secret = ""
    """The code that new players must enter if `registration` is "code"."""
    log: Annotated[Literal["text", "json"], Setting("log format (default {default})")] = "text"
    """Log format."""
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], Setting("minimum log level (default {default})")
    ] = "info"
    """The lowest level of messages that are logged."""
    metrics_token: _Secret = ""
    """Bearer token for `/metrics`.

    If empty, only this machine may read `/metrics`, and only if neither `public_url` nor `trusted_proxies` is set.
    """
    admin_port: Annotated[
        int,
        Setting(
            "port of the page for administration (default {default}: none); its token is set in FACEUP_ADMIN_TOKEN",
            "N",
            range(65536),
            "a port must be from 1 to 65535; 0 means no page",
        ),
    ] = 0
    """Port of the page for administration. With 0, there is no such page. It also needs `admin_token`."""
    admin_host: Annotated[str, Setting("address of that page (default {default})", "ADDRESS")] = "127.0.0.1"
    """Address on which the page for administration listens."""
    admin_token: _Secret = ""
    """The token with which the operator logs in to the page for administration, of at least 16 characters."""
    shutdown_timeout: Annotated[
        int,
        Setting(
            "maximum time for a shutdown (default {default})",
            "SECONDS",
            range(3601),
            "the timeout must be from 0 to 3600 seconds",
        ),
    ] = 10
    """Maximum time for a graceful shutdown, in seconds."""
    backup_every: Annotated[str, Setting("time between two automatic backups: 1h, 1d", "TIME")] = ""
    """Time between two automatic backups of the database, such as `1h` or `1d`. If empty, there are none.

    Servers that share a database make one backup together. See `faceup.server.admin.automatic_backups`.
    """
    backup_to: Annotated[str, Setting("where they are kept: a folder or s3://BUCKET/PATH", "FOLDER|URL")] = ""
    """The folder of automatic backups, or a URL such as `s3://bucket/path`, which needs the extra `s3`."""
    backup_keep: Annotated[
        int,
        Setting(
            "how many of them are kept (default {default})",
            "N",
            range(1, 1_000_001),
            "the number of backups must be from 1 to 1000000",
        ),
    ] = 14
    """The number of backups that are kept. Each new backup deletes the oldest ones."""
    moderation_journal: Annotated[str, Setting("the moderation journal (default: next to the database)", "FILE")] = ""
    """A file that keeps bans, deletions and erasures, which a restore of an older backup repeats.

    If empty, it is next to an SQLite database, and with PostgreSQL in the data folder.
    """
    puzzles: Annotated[str, Setting("further puzzles, made by `faceup puzzles make`", "FILE")] = ""
    """A file of further puzzles, made by `faceup puzzles make`. If empty, there are only the puzzles of the package."""
    mail_host: Annotated[str, Setting("SMTP server for mail to players (default none)", "HOST")] = ""
    """SMTP server through which players get mail when it is their turn at a game with days per move, if they wish.

    If empty, no mail is sent. Links in mails need `public_url`.
    """
    mail_port: Annotated[
        int, Setting("its port (default {default})", "N", range(1, 65536), "a port must be from 1 to 65535")
    ] = 587
    """Port of the SMTP server."""
    mail_tls: Annotated[Literal["starttls", "tls", "none"], Setting("its encryption (default {default})")] = "starttls"
    """How the connection to the SMTP server is encrypted: after a plain start, from the start, or not at all."""
    mail_user: Annotated[str, Setting("user name there; the password is set in FACEUP_MAIL_PASSWORD", "NAME")] = ""
    """User name at the SMTP server. If empty, the server does not log in."""
    mail_password: _Secret = ""
    """Password at the SMTP server."""
    mail_from: Annotated[str, Setting("address of the sender", "ADDRESS")] = ""
    """Address of the sender, such as `faceup@example.org`."""
    tables_per_player: Annotated[
        int, limit("open tables of a player (default {default}), in which each bot that searches counts, too")
    ] = 100
    """Open tables of one player. A table counts 1, and 1 more for each bot that searches. 0 means no limit.

    All limits hold for all servers of a database together. An IPv6 address is its /64 network.
    """
    tables_per_address: Annotated[
        int, limit("open tables of an address (default {default}), counted in the same way")
    ] = 3_000
    """Open tables that the players of one address have created, counted as for `tables_per_player`. 0 means no limit.

    From half of a limit for an address on, requests are delayed, at most 5 seconds, before they are refused.
    """
    listed_tables_per_player: Annotated[int, limit("public tables of a player (default {default})")] = 5
    """Open public tables of one player. 0 means no limit."""
    listed_tables_per_address: Annotated[int, limit("public tables of an address (default {default})")] = 50
    """Open public tables that the players of one address have created. 0 means no limit."""
    bot_tables_per_player: Annotated[int, limit("tables of a player with only bots (default {default})")] = 3
    """Open tables of one player at which only bots have seats. 0 means no limit."""
    bot_tables_per_address: Annotated[int, limit("tables of an address with only bots (default {default})")] = 20
    """Open tables, created by the players of one address, at which only bots have seats. 0 means no limit."""
    tournaments_per_player: Annotated[int, limit("tournaments of a host that are not over (default {default})")] = 5
    """Tournaments of one host that are not over. 0 means no limit."""
    tournaments_per_address: Annotated[
        int, limit("tournaments of the hosts of an address that are not over (default {default})")
    ] = 50
    """Tournaments that are not over, of all hosts with one address. 0 means no limit."""
    tournament_places_per_address: Annotated[
        int, limit("players of a tournament from an address other than its host's (default {default})")
    ] = 40
    """Players of one tournament who join from one address, other than that of its host. 0 means no limit."""
    correspondence_tables_per_player: Annotated[
        int, limit("open tables of a player with days per move (default {default})")
    ] = 50
    """Open tables with days per move of one player, which `tables_per_player` does not count. 0 means no limit."""
    correspondence_tables_per_address: Annotated[
        int, limit("open tables of an address with days per move (default {default})")
    ] = 1_000
    """Open tables with days per move that the players of one address have created. 0 means no limit."""
    guests_per_address: Annotated[int, limit("new guests of an address in an hour (default {default})")] = 600
    """Guests that one address can create in an hour. 0 means no limit."""

    def __post_init__(self) -> None:
        """Validate all settings."""
        for name, definition in DEFINITIONS.items():
            values = definition.setting.values
            if values is not None and (value := getattr(self, name)) not in values:
                raise _wrong(name, value, definition.setting.rule)
        self._check_site()
        self._check_openid()
        self._check_admin_page()
        self._check_backups()
        self._check_mail()
        if self.public_url:
            self._check_public_url()
        if self.base_path and (not self.base_path.startswith("/") or self.base_path.endswith("/")):
            raise _wrong("base_path", self.base_path, "a path must start but not end with a slash, as in /cards")
        if self.base_path and not set(self.base_path) <= _OF_A_PATH:
            raise _wrong("base_path", self.base_path, "a path may contain only letters, digits, slashes and - . _ ~")
        self._check_lists()
        if self.registration == "code" and not self.registration_code:
            raise _wrong(
                "registration",
                self.registration,
                "it also needs a code; set the variable FACEUP_REGISTRATION_CODE, or the key registration_code in the "
                "settings file",
            )

    def _check_lists(self) -> None:
        for proxy in self.trusted_proxies:
            try:
                ip_network(proxy)
            except ValueError as error:
                raise _wrong("trusted_proxies", proxy, f"{error}; use a form such as 127.0.0.1 or 10.0.0.0/8") from None
        for name in self.hosts:
            if not _HOST.fullmatch(name):
                raise _wrong("hosts", name, "use names such as cards.example.org, without a scheme, port or path")

    def _check_admin_page(self) -> None:
        if self.admin_token and len(self.admin_token) < _SHORTEST_TOKEN:
            raise _wrong("admin_token", self.admin_token, f"a token needs at least {_SHORTEST_TOKEN} characters")
        if self.admin_port and not self.admin_token:
            raise _wrong(
                "admin_port",
                self.admin_port,
                "it also needs a token; set the variable FACEUP_ADMIN_TOKEN, or the key admin_token in the settings",
            )
        if self.admin_port and self.admin_port == self.port:
            raise _wrong("admin_port", self.admin_port, "it must differ from the port of the server")

    def _check_backups(self) -> None:
        try:
            every = parse_duration(self.backup_every or "1d")
        except Malformed as error:
            raise _wrong("backup_every", self.backup_every, error.message.partition("; got")[0]) from None
        if every == 0:
            raise _wrong("backup_every", self.backup_every, "use a time such as 1h")
        if bool(self.backup_every) != bool(self.backup_to):
            missing = "backup_to" if self.backup_every else "backup_every"
            raise _wrong(missing, "", "automatic backups need both backup_every and backup_to")

    def _check_mail(self) -> None:
        if self.mail_host and not (self.mail_from and self.public_url):
            raise _wrong("mail_host", self.mail_host, "mail also needs mail_from, and public_url for its links")
        if self.mail_host and bool(self.mail_user) != bool(self.mail_password):
            raise _wrong("mail_user", self.mail_user, "mail_user and mail_password need each other")

    def _check_public_url(self) -> None:
        try:
            parts = urlsplit(self.public_url)
            is_valid = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError:
            is_valid = None
        spaced = " " in self.public_url or not self.public_url.isprintable()  # `urlsplit` ignores tabs
        if not is_valid or spaced or parts.query or parts.fragment or parts.username is not None:
            raise _wrong("public_url", self.public_url, "use an address such as https://example.org")
        if parts.path:
            raise _wrong("public_url", self.public_url, f"set base_path to the path {parts.path!r} instead")

    @property
    def bind_address(self) -> str:
        """The address to bind. With `lan` and the default `host`, it is 0.0.0.0, which means all network interfaces."""
        return "0.0.0.0" if self.lan and self.host == "127.0.0.1" else self.host  # noqa: S104 -- requested by --lan

    @property
    def database_url(self) -> str:
        """The database URL for SQLAlchemy.

        >>> Settings(database="/tmp/tables.sqlite").database_url
        'sqlite:////tmp/tables.sqlite'

        Raises:
            Malformed: the data folder cannot be determined, because the user has no home folder.
        """
        if "://" in self.database:
            return self.database
        path = Path(self.database).expanduser().absolute() if self.database else data_folder("online") / "tables.sqlite"
        return f"{_SQLITE}{path}"

    def without_limits(self) -> "Settings":
        """Return these settings without limits on tables and guests, for tests and benchmarks from one address."""
        return msgspec.structs.replace(self, **dict.fromkeys(_LIMITS, 0))

    def address(self, port: int) -> str:
        """Return the server's URL without a trailing slash, given the port on which the server listens."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.public_url or f'http://{host}:{port}'}{self.base_path}"


_SQLITE: Final = "sqlite:///"


def sqlite_path(url: str) -> Path | None:
    """Return the file of an SQLite database, given `Settings.database_url`; None for PostgreSQL."""
    return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None


class Definition(NamedTuple):
    """A setting, from the definition of its field."""

    type: Any  # any type that msgspec converts to
    setting: Setting
    default: object


_INHERITED: Final = len(fields(OpenIdSettings))  # inherited fields come first, but are listed last
DEFINITIONS: Final = {
    field.name: Definition._make((*get_args(field.type), field.default))
    for field in (*fields(Settings)[_INHERITED:], *fields(Settings)[:_INHERITED])
}
"""All settings by name, in the order in which they are listed."""

SECRET_SETTINGS: Final = frozenset(name for name, definition in DEFINITIONS.items() if definition.setting.secret)
"""Settings with secret values, which are never shown."""

_SHORTEST_TOKEN: Final = 16
_HOST: Final = re.compile(r"\*|\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_LIMITS: Final = tuple(name for name in DEFINITIONS if "_per_" in name)
_OF_A_PATH: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


def _wrong(name: str, value: object, right: str) -> Malformed:
    return wrong_value(name, value, right, secret=name in SECRET_SETTINGS)


_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_duration(text: str) -> int:
    """Return a duration such as `90s`, `10m`, `2h` or `365d` in milliseconds.

    >>> parse_duration("10m")
    600000

    Raises:
        Malformed: the text is not a duration.
    """
    duration = re.fullmatch(r"(\d{1,6})([smhd])", text)
    if not duration:
        raise Malformed(f"a duration is 1 to 6 digits followed by s, m, h or d, such as 10m; got {text!r}", what=text)
    return int(duration[1]) * _UNITS[duration[2]] * 1000


PREFIX: Final = "FACEUP_"
_NOT_SETTINGS: Final = frozenset({"FACEUP_DATA", "FACEUP_CONFIG", "FACEUP_LANGUAGE"})
"""The variables of the data folder and of the settings file."""

_OF_CONTAINERS: Final = re.compile(
    r"FACEUP_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|NAME|ENV_\w+)"
)
"""Variables that Kubernetes and Docker set in containers next to a service or container with the name `faceup`."""


class LoadedSettings(NamedTuple):
    """Settings, and the source of each setting: "flag", an environment variable, a file, or "default"."""

    settings: Settings
    sources: Mapping[str, str]


def load_settings(flags: Mapping[str, object], environ: Mapping[str, str], file: Path | None) -> LoadedSettings:
    """Load all settings. Flags with the value None are ignored. If `file` is None, `FACEUP_CONFIG` may name a file.

    >>> found = load_settings({"port": 9000}, {"FACEUP_PORT": "9001", "FACEUP_LOG": "json"}, None)
    >>> found.settings.port, found.settings.log, found.sources["log"], found.sources["host"]
    (9000, 'json', 'FACEUP_LOG', 'default')

    Raises:
        Malformed: a key or variable is unknown (the message names the nearest known one), or a value is invalid (the
            message names its source).
    """
    chosen: dict[str, Any] = {}  # Any: msgspec checks the types below
    sources = dict.fromkeys(DEFINITIONS, "default")
    origin = "flag" if file else "FACEUP_CONFIG"
    if file is None and (config_path := environ.get(origin)):
        file = Path(config_path)
    layers = [
        *([(_read(file, origin), str(file), True)] if file else []),
        (_from_environment(environ), "", False),
        ({name: value for name, value in flags.items() if value is not None}, "flag", False),
    ]
    for layer, source, typed in layers:
        for name, value in layer.items():
            where = source or f"{PREFIX}{name.upper()}"
            chosen[name] = _converted(name, value, where, typed=typed)
            sources[name] = where
    try:
        return LoadedSettings(Settings(**chosen), sources)
    except Malformed as error:
        where = sources.get(error.where, "")
        message = f"{error.message} (from {where})" if where not in {"", "default", "flag"} else error.message
        raise Malformed(message, what=error.what, where=error.where) from None


def _read_text(file: Path, origin: str) -> str:
    try:
        return remove_bom(file.read_text("utf-8"))
    except OSError as error:
        raise Malformed(f"{file} cannot be read: {error.strerror} (from {origin})", where="config") from None
    except UnicodeDecodeError:
        raise Malformed(f"{file} must be UTF-8 text, but is not", what=str(file), where="config") from None


def _read(file: Path, origin: str) -> dict[str, Any]:  # Any: TOML
    try:
        values = tomllib.loads(_read_text(file, origin))
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"{file} is not valid TOML: {error}", what=str(file), where="config") from None
    for name in values:
        if name not in DEFINITIONS:
            near = get_close_matches(name.replace("-", "_"), DEFINITIONS, n=1, cutoff=0.0)[0]
            raise Malformed(f"{file}: there is no setting {name!r}; the nearest is {near!r}", what=name, where="config")
    return values


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    values = {}
    for variable, text in environ.items():
        if not variable.startswith(PREFIX) or variable in _NOT_SETTINGS:
            continue
        name, value = variable.removeprefix(PREFIX).lower(), text
        if name.endswith("_file") and name.removesuffix("_file") in SECRET_SETTINGS:
            name, value = name.removesuffix("_file"), _read_text(Path(text), variable).strip()
            if not value:  # an empty secret would turn off what it protects
                raise Malformed(f"{text} is empty (from {variable})", where=variable)
            if f"{PREFIX}{name.upper()}" in environ:
                raise Malformed(f"set {PREFIX}{name.upper()} or {variable}, not both", where=variable)
        if name not in DEFINITIONS:
            of_service = name.endswith("_port") and value.startswith(("tcp://", "udp://"))  # such as `faceup-db`
            if of_service or _OF_CONTAINERS.fullmatch(variable):
                continue
            names = (*DEFINITIONS, *(f"{secret}_file" for secret in SECRET_SETTINGS))
            right = PREFIX + get_close_matches(name, names, n=1, cutoff=0.0)[0].upper()
            raise Malformed(f"there is no setting {variable}; did you mean {right}?", what=variable, where=variable)
        values[name] = value
    return values


def _converted(name: str, value: object, where: str, *, typed: bool) -> object:
    """Convert a value to the type of its setting. If `typed` (TOML values), text is not converted to other types."""
    kind = DEFINITIONS[name].type
    if not typed and isinstance(value, str) and kind == tuple[str, ...]:
        value = [part for part in re.split(r"[\s,\"]+", value.removeprefix("[").removesuffix("]")) if part]
    try:
        converted: object = convert_option(value, kind, text=not typed)
    except ValueError as error:
        raise _wrong(name, value, f"{error} (from {where})") from None
    return converted


def list_settings(gathered: LoadedSettings) -> list[tuple[str, str, str]]:
    """Return the name, the value and the source of each setting as text. Secret values are hidden.

    >>> [found for found in list_settings(load_settings({"metrics_token": "sesame"}, {}, None)) if found[2] == "flag"]
    [('metrics_token', '(hidden)', 'flag')]
    """
    return [(name, _shown(name, gathered.settings), gathered.sources[name]) for name in DEFINITIONS]


def _shown(name: str, settings: Settings) -> str:
    value = getattr(settings, name)
    if name in SECRET_SETTINGS and value:
        return "(hidden)"
    if name == "database":
        return redact_password(settings.database_url)
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def redact_password(url: str) -> str:
    """Return a database URL with its password hidden and its query omitted.

    >>> redact_password("postgresql://ann:secret@db/faceup?sslmode=require")
    'postgresql://ann:(hidden)@db/faceup?...'
    """
    parts = urlsplit(url)
    if parts.password is not None:
        user, _, host = parts.netloc.rpartition("@")
        url = parts._replace(netloc=f"{user.partition(':')[0]}:(hidden)@{host}").geturl()
    return url.partition("?")[0] + "?..." if parts.query else url  # the query could contain a password
