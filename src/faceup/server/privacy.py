"""The privacy text of a server: what it stores about people, why, and how long, from what its features declare."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from faceup.server.features import FEATURES
from faceup.server.pictures import Language
from faceup.server.process.site_settings import SiteSettings
from faceup.server.retention_periods import DEFAULTS

_DAY = 86_400_000


def privacy_text(language: Language, settings: SiteSettings, periods: Mapping[str, int | None] = DEFAULTS) -> str:
    """Return the privacy text as Markdown.

    Args:
        language: the language of the text.
        settings: the settings of the server, with its name and contact.
        periods: the retention periods in milliseconds, as from `retention_periods`.
    """
    words = _words()[language]

    def paragraphs() -> Iterator[str]:
        yield f"# {words['title'].format(site=settings.site_name)}"
        yield words["intro"]
        yield f"## {words['responsible']}"
        yield words["operator"].format(contact=settings.contact) if settings.contact else words["unknown"]
        if settings.imprint_url:
            yield words["imprint"].format(url=settings.imprint_url)
        yield f"## {words['stored']}"
        yield "\n".join(_table(words))
        yield f"## {words['periods']}"
        yield "\n".join([*(f"- {_period(words, *period)}" for period in periods.items()), f"- {words['accounts']}"])
        for part in ("shown", "cookies", "rights", "disk"):
            yield f"## {words[part]}"
            yield words[f"{part}_text"]

    return "\n\n".join(paragraphs()) + "\n"


def _table(words: Mapping[str, Any]) -> Iterator[str]:  # Any: TOML
    yield f"| {words['what']} | {words['why']} | {words['until']} |"
    yield "| --- | --- | --- |"
    rows = words.get("rows", {})
    for feature in FEATURES:
        for personal in feature.tables:
            if personal.columns:
                cells = (rows.get(text, text) for text in (personal.what, personal.why, personal.until))
                yield f"| {' | '.join(cells)} |"


def _period(words: Mapping[str, Any], name: str, period: int | None) -> str:  # Any: TOML
    time = words["forever"] if period is None else words["days"].format(count=f"{period / _DAY:.4g}")
    return str(words[name]).format(time=time)


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:  # Any: TOML
    return tomllib.loads((files("faceup.server") / "privacy.toml").read_text("utf-8"))
