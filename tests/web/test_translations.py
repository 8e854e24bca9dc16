"""Translations: the same keys and placeholders in every language, none missing or unused."""

import re
from typing import Any

import pytest
from tests.web.conftest import PageOpener

from faceup.web.assets import web

LANGUAGES = ("en", "de", "zh")
AREAS = tuple(sorted({path[8:-3] for path in web().assets if re.fullmatch("i18n/en/[^/]*.js", path)} - {"common"}))
CATALOGUES = """async ([base, languages, areas]) => {
  const values = (phrase) => typeof phrase === "function" ? null
    : [...new Set(Object.values(typeof phrase === "string" ? { phrase } : phrase)
        .flatMap((text) => [...text.matchAll(/\\{(\\w+)\\}/g)].map((found) => found[1])))].sort();
  const phrases = async (path, area) => Object.entries((await import(path)).default)
    .map(([key, phrase]) => [key.startsWith(`${area}.`) ? key : `${key} in ${area}`, values(phrase)]);
  const all = async (language) => Object.fromEntries((await Promise.all(
    areas.map((area) => phrases(`${base}/i18n/${language}/${area}.js`, area)))).flat());
  return Promise.all(languages.map(all));
}"""
KEY = re.compile(r"[\"'`]([a-z]+\.[\w.]+)[\"'`]")
DYNAMIC_KEY = re.compile(r"`((?:[\w.]|\$\{[^`{}]*\})+)`")
TRANSLATE_CALL = re.compile(r"(?<![#\w])t\(\s*\"([\w.]+)\"")


def sources() -> str:
    """Return the text of all modules but catalogues and vendored ones."""
    ours = [path for path in web().assets if path.endswith(".js") and not path.startswith("vendor/")]
    catalogue = re.compile(rf"i18n/({'|'.join(LANGUAGES)})[/.]")
    return "\n".join(web().assets[path].plain.decode() for path in ours if not catalogue.match(path))


async def catalogues(open_page: PageOpener) -> list[dict[str, list[str] | None]]:
    """Return by language the placeholders of each message; None for functions."""
    page = await open_page("/")
    found: Any = await page.evaluate(CATALOGUES, [f"/static/{web().stamp}", LANGUAGES, AREAS])
    return [dict(each) for each in found]


async def test_every_language_has_the_same_keys_and_placeholders(open_page: PageOpener) -> None:
    english, *others = await catalogues(open_page)
    for language, other in zip(LANGUAGES[1:], others, strict=True):
        assert sorted(english.keys() ^ other.keys()) == [], f"in one of en and {language} alone"
        for key, values in english.items():
            there = other[key]
            assert values is None or there is None or values == there, (language, key)


async def test_no_translation_is_missing_or_unused(open_page: PageOpener) -> None:
    keys = set((await catalogues(open_page))[0])
    text = sources()
    assert sorted(set(TRANSLATE_CALL.findall(text)) - keys) == []
    made = "|".join(
        re.sub(r"\\\$\\\{.*?\\\}", r".+", re.escape(each))
        for each in set(DYNAMIC_KEY.findall(text))
        if "." in each and "$" in each
    )
    used = set(KEY.findall(text))
    assert sorted(key for key in keys if key not in used and not re.fullmatch(made, key)) == []


ONES = """async ([base, languages]) => {
  const { loadNamespaces, setLanguage, t } = await import(`${base}/i18n/translate.js`);
  await loadNamespaces("war", "shell");
  const events = ["drawn", "reshuffled", "sudden_death"].map((event) => [`war.event.${event}`, { rounds: 1 }]);
  const won = ["all cards", "cap"].map((by) => ["war.event.won", { name: "Ann", by, rounds: 1 }]);
  const others = [
    ["war.event.collected", { name: "Ann", count: 1 }],
    ["war.event.dealt", { names: ["Ann", "Bo"], each: 1, redeal: 0 }],
    ["war.chance.label", { title: "Ann", chance: "50 %", rounds: 1 }],
    ["war.chart.rounds", { count: 1 }], ["war.wars", { count: 1 }], ["war.pile", { count: 1 }],
    ["shell.results.score", { count: 1 }], ["shell.fair.invalid", { count: 1, entries: "1" }],
  ];
  const texts = [];
  for (const language of languages) {
    await setLanguage(language);
    texts.push(...[...events, ...won, ...others].map(([key, values]) => t(key, values)));
  }
  return texts;
}"""


async def test_count_of_one_is_singular_in_every_language(open_page: PageOpener) -> None:
    page = await open_page("/")
    texts: list[str] = await page.evaluate(ONES, [f"/static/{web().stamp}", LANGUAGES])
    assert len(texts) == 13 * len(LANGUAGES)
    assert "Ann wins the game with all the cards after 1 round." in texts
    assert "Ann gewinnt das Spiel mit allen Karten nach 1 Runde." in texts
    assert "1 回合后平局。" in texts
    wrong = r"1 (rounds|cards|wars|points|Runden|Karten|Kriege|Punkte)\b|entries 1|Einträge 1"
    assert [each for each in texts if re.search(wrong, each)] == []


FORMAT_DATE = """async (base) => {
  const { matchLanguage, setLanguage } = await import(`${base}/i18n/translate.js`);
  await setLanguage(matchLanguage(navigator.languages));
  return (await import(`${base}/i18n/format.js`)).formatTime(Date.UTC(2026, 0, 31, 12));
}"""


@pytest.mark.parametrize(
    ("locale", "shown"), [("en-GB", "31 Jan 2026"), ("en-US", "Jan 31, 2026"), ("de-AT", "31.01.2026")]
)
async def test_dates_follow_the_region_of_the_browser(open_page: PageOpener, locale: str, shown: str) -> None:
    page = await open_page("/", locale=locale)
    assert await page.evaluate(FORMAT_DATE, f"/static/{web().stamp}") == shown
