"""Jinja2 templates for HTML pages: every value is escaped, unless it is `Markup`."""

from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from faceup.formatting import format_mean_parts, format_microseconds, format_percent, ordinal, plural
from faceup.formatting import strip_control_characters as strip

if TYPE_CHECKING:
    from jinja2 import Environment

_FILTERS: Final[tuple[Callable[..., object], ...]] = (
    format_mean_parts, format_microseconds, format_percent, ordinal, plural,
)  # fmt: skip


def render(template: str, **values: object) -> Markup:
    """Return a rendered template.

    Control characters are stripped from text. Templates can call the functions of `faceup.formatting` in `_FILTERS` as
    filters, and `asset(path)` for the content of a style sheet or a script of this package.

    Args:
        template: the path of the template below the package, such as "charts/templates/page.html".
        values: the variables of the template; a missing variable is an error.
    """
    return Markup(_environment().get_template(template).render(values))  # noqa: S704 -- autoescape has escaped it


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 -- slow to load, and only for pages

    environment = Environment(
        loader=PackageLoader("faceup", ""),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_strip_text,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update({function.__name__: function for function in _FILTERS})
    environment.globals["asset"] = read_asset
    return environment


def _strip_text(value: object) -> object:
    return strip(value, keep="\n\t") if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def read_asset(path: str) -> Markup:
    """Return the content of a style sheet or a script of this package, by its path below the package."""
    return Markup(resources.files("faceup").joinpath(path).read_text("utf-8"))  # noqa: S704 -- our own file
