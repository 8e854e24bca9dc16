"""Extras, which are the optional dependencies of faceup, and the error for an extra that is not installed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Final

from faceup.installation import install_command

_FAST: Final = ("numba", "numpy")
_ENVS: Final = (*_FAST, "PIL", "gymnasium", "pettingzoo", "resvg_py")

LIBRARIES: Final[Mapping[str, tuple[str, ...]]] = {
    "fast": _FAST,
    "server": (
        *("aiosmtplib", "alembic", "argon2", "cryptography", "http_ece", "httpcore", "httptools", "joserfc"),
        *(
            "litestar",
            "markdown_it",
            "networkx",
            "openskill",
            "prometheus_client",
            "py_vapid",
            "pyotp",
            "resvg_py",
            "segno",
        ),
        *("sqlalchemy", "uvicorn", "webauthn", "websockets"),
    ),
    "arena": (*_FAST, "cryptography", "openskill", "websockets"),
    "envs": _ENVS,
    "openspiel": (*_ENVS, "pyspiel"),
    "jax": (*_FAST, "jax", "optax", "tensorboardX"),
    "plot": ("resvg_py",),
    "postgres": ("psycopg",),
    "s3": ("obstore",),
    "otel": ("opentelemetry.exporter.otlp.proto.http", "opentelemetry.instrumentation.asgi", "opentelemetry.sdk"),
    "cluster": ("distributed",),
    "llm": ("openai",),
}
"""The modules that each extra installs on every system. `pyproject.toml` lists the packages.

Of `server`, these are the modules that a server cannot run without, which `server-small` installs: not those of `fast`.
"""


class MissingExtraError(ModuleNotFoundError):
    """An extra is not installed.

    Args:
        extra: the name of the extra.
        what: what needs it, as the subject of a sentence: "faceup serve", "the bot champion" or the name of a module.

    >>> print(MissingExtraError("server", "faceup serve"))  # doctest: +ELLIPSIS
    faceup serve needs the server extra: ...
    """

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs the {extra} extra: {install_command(extra, _installed(extra))}")
        self.extra = extra
        self.what = what


def _installed(extra: str) -> list[str]:
    """Return the fewest extras that, with another one, include all that is installed."""
    libraries = {name: {*LIBRARIES[name]} for name in LIBRARIES if name != extra and is_installed(name)}
    added = {*LIBRARIES[extra], *(_FAST if extra == "server" else ())}
    if "server" in libraries:
        if is_installed("fast"):
            libraries["server"] |= {*_FAST}
        else:
            libraries["server-small"] = libraries.pop("server")
    for name in sorted(libraries, key=lambda name: len(libraries[name])):
        others = added.union(*(libraries[other] for other in libraries if other != name))
        if libraries[name] <= others:
            del libraries[name]
    return [*libraries]


@cache
def is_installed(extra: str) -> bool:
    """Return whether all libraries of an extra are installed, without importing them."""
    from importlib.util import find_spec  # noqa: PLC0415 -- `import faceup` stays quick

    def exists(library: str) -> bool:
        try:
            return find_spec(library) is not None
        except ModuleNotFoundError:  # the package of a module
            return False

    return all(map(exists, LIBRARIES[extra]))


def require(extra: str, what: str) -> None:
    """Raise `MissingExtraError` if the extra is not installed."""
    if not is_installed(extra):
        raise MissingExtraError(extra, what)


@contextmanager
def needs(extra: str, what: str) -> Iterator[None]:
    """Raise `MissingExtraError` if an import in the block fails because the extra is not installed.

    If the extra is installed, errors of its libraries pass through unchanged.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if is_installed(extra) or (error.name or "").startswith("faceup."):
            raise
        raise MissingExtraError(extra, what) from error
