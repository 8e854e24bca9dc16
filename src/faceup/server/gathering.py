"""Where settings come from: flags before the environment, that before a file, that before the defaults."""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec import convert
from msgspec.structs import fields

from faceup.core import Malformed
from faceup.server.settings import SECRET, Settings

PREFIX: Final = "FACEUP_"
_KNOWN: Final = {field.name: field for field in fields(Settings)}
_NOT_OURS: Final = frozenset({"FACEUP_DATA", "FACEUP_CONFIG"})  # the data folder, and the file that we are read from


class Gathered(NamedTuple):
    """The settings, and where each of them came from: "flag", a variable, a file, or "default"."""

    settings: Settings
    sources: Mapping[str, str]


def gather(flags: Mapping[str, object], environ: Mapping[str, str], file: Path | None) -> Gathered:
    """All settings; a flag that was not given is None, and without a file the variable `FACEUP_CONFIG` may name one.

    >>> found = gather({"port": 9000}, {"FACEUP_PORT": "9001", "FACEUP_LOG": "json"}, None)
    >>> found.settings.port, found.settings.log, found.sources["log"], found.sources["host"]
    (9000, 'json', 'FACEUP_LOG', 'default')

    Raises:
        Malformed: an unknown key or variable, with the nearest known; a value that means nothing, with where it stood.
    """
    chosen: dict[str, Any] = {}  # Any: msgspec checks the types below
    sources = dict.fromkeys(_KNOWN, "default")
    if file is None and (named := environ.get("FACEUP_CONFIG")):
        file = Path(named)
    layers = [
        *([(_read(file), str(file), True)] if file else []),
        (_from_environment(environ), "", False),
        ({name: value for name, value in flags.items() if value is not None}, "flag", False),
    ]
    for layer, source, typed in layers:
        for name, value in layer.items():
            where = source or f"{PREFIX}{name.upper()}"
            chosen[name] = _converted(name, value, where, typed=typed)
            sources[name] = where
    try:
        return Gathered(Settings(**chosen), sources)
    except Malformed as error:
        where = sources.get(error.where, "")
        said = f"{error.message} (from {where})" if where not in {"", "default", "flag"} else error.message
        raise Malformed(said, what=error.what, where=error.where) from None


def _read(file: Path) -> dict[str, Any]:  # Any: TOML
    try:
        text = file.read_text("utf-8")
    except OSError as error:
        raise Malformed(f"{file} cannot be read: {error.strerror}", what=str(file), where="config") from None
    except UnicodeDecodeError:
        raise Malformed(f"{file} is not text in UTF-8", what=str(file), where="config") from None
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Malformed(f"{file} is not TOML: {error}", what=str(file), where="config") from None
    for name in found:
        if name not in _KNOWN:
            near = get_close_matches(name.replace("-", "_"), _KNOWN, n=1, cutoff=0.0)[0]
            raise Malformed(f"{file}: there is no setting {name!r}; the nearest is {near!r}", what=name, where="config")
    return found


def _from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for variable, value in environ.items():
        name = variable.removeprefix(PREFIX).lower()
        if not variable.startswith(PREFIX) or variable in _NOT_OURS:
            continue
        if name in _KNOWN:
            found[name] = value
        elif near := get_close_matches(name, _KNOWN, n=1, cutoff=0.8):
            # One that is near to none is somebody else's: container engines make FACEUP_SERVICE_HOST and the like.
            right = f"{PREFIX}{near[0].upper()}"
            raise Malformed(f"there is no setting {variable}; did you mean {right}?", what=variable, where=variable)
    return found


def _converted(name: str, value: object, where: str, *, typed: bool) -> object:
    """The value as its setting has it; `typed`: words do not stand for numbers, as in a file, which has numbers."""
    field = _KNOWN[name]
    if not typed and isinstance(value, str) and field.type == tuple[str, ...]:
        value = [part.strip() for part in value.split(",") if part.strip()]
    if not typed and isinstance(value, str) and field.type is bool and value.lower() in _WORDS:
        value = _WORDS[value.lower()]
    try:
        converted: object = convert(value, field.type, strict=typed)
    except msgspec.ValidationError as error:
        shown = "(hidden)" if name in SECRET else repr(value)
        raise Malformed(f"{name} cannot be {shown}: {error} (from {where})", what=shown, where=name) from None
    return converted


_WORDS: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


def shown(gathered: Gathered) -> list[tuple[str, str, str]]:
    """Each setting with its value and where it came from, secrets hidden, as people read it.

    >>> shown(gather({"metrics_token": "sesame"}, {}, None))[-2]
    ('metrics_token', '(hidden)', 'flag')
    """
    return [(name, _shown(name, gathered.settings), gathered.sources[name]) for name in _KNOWN]


def _shown(name: str, settings: Settings) -> str:
    value = getattr(settings, name)
    if name in SECRET and value:
        return "(hidden)"
    if name == "database":
        return without_password(settings.database_url)
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def without_password(url: str) -> str:
    """A database's address as it may be shown.

    >>> without_password("postgresql://ann:secret@db/faceup?sslmode=require")
    'postgresql://ann:(hidden)@db/faceup?...'
    """
    parts = urlsplit(url)
    if parts.password is not None:
        user, _, host = parts.netloc.rpartition("@")
        url = parts._replace(netloc=f"{user.partition(':')[0]}:(hidden)@{host}").geturl()
    return url.partition("?")[0] + "?..." if parts.query else url  # a password may stand there, too
