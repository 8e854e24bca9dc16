"""The privacy text of a server: what it stores about people, why, and how long, from what its features declare."""

from collections.abc import Iterator, Mapping
from functools import cache, partial

from faceup.server.features import FEATURES
from faceup.server.process.site_settings import SiteSettings
from faceup.server.retention_periods import DEFAULTS
from faceup.translations import Language, catalogue, translate

_DAY = 86_400_000


def privacy_text(language: Language, settings: SiteSettings, periods: Mapping[str, int | None] = DEFAULTS) -> str:
    """Return the privacy text as Markdown.

    Args:
        language: the language of the text.
        settings: the settings of the server, with its name and contact.
        periods: the retention periods in milliseconds, as from `retention_periods`.
    """
    word = partial(_word, language)

    def paragraphs() -> Iterator[str]:
        yield f"# {word('title', site=settings.site_name)}"
        yield word("intro")
        yield f"## {word('responsible')}"
        yield word("operator", contact=settings.contact) if settings.contact else word("unknown")
        if settings.imprint_url:
            yield word("imprint", url=settings.imprint_url)
        yield f"## {word('stored')}"
        yield "\n".join(_table(language, settings))
        yield f"## {word('periods')}"
        kept = [f"- {word(name, time=_time(language, period))}" for name, period in periods.items()]
        yield "\n".join([*kept, f"- {word('accounts')}"])
        research = ("research",) if settings.research_export else ()
        for part in ("shown", *research, "recipients", "cookies", "rights", "disk"):
            yield f"## {word(part)}"
            yield word(f"{part}_text")

    return "\n\n".join(paragraphs()) + "\n"


def _word(language: Language, key: str, **values: object) -> str:
    return translate(language, f"privacy.{key}", **values)


def _table(language: Language, settings: SiteSettings) -> Iterator[str]:
    yield f"| {' | '.join(_word(language, column) for column in ('what', 'why', 'until'))} |"
    yield "| --- | --- | --- |"
    for feature in FEATURES:
        for personal in feature.tables:
            if personal.columns and (not personal.setting or getattr(settings, personal.setting)):
                texts = (personal.what, personal.why, personal.until)
                yield f"| {' | '.join(translate(language, _row_keys()[text]) for text in texts)} |"


def _time(language: Language, period: int | None) -> str:
    if period is None:
        return _word(language, "forever")
    days = period / _DAY
    return _word(language, "days", days=f"{days:.4g}", count=1 if days == 1 else 2)


@cache
def _row_keys() -> Mapping[str, str]:
    """Return the keys of what features say about their tables, which is English."""
    return {text: key for key, text in catalogue("en", "privacy").items() if key.startswith("privacy.row.")}
