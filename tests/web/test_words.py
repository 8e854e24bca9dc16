"""What is said is said in every language, with the same values in it, and nothing is kept that nobody says."""

import re
from typing import Any

from tests.web.conftest import People

from faceup.server.api.web import web

LANGUAGES = ("en", "de", "zh")
AREAS = tuple(sorted({path[9:-3] for path in web().assets if path.startswith("words/en/")} - {"usual"}))
CATALOGUES = """async ([base, languages, areas]) => {
  const values = (phrase) => typeof phrase === "function" ? null
    : [...new Set(Object.values(typeof phrase === "string" ? { phrase } : phrase)
        .flatMap((text) => [...text.matchAll(/\\{(\\w+)\\}/g)].map((found) => found[1])))].sort();
  const phrases = async (path, area) => Object.entries((await import(path)).default)
    .map(([key, phrase]) => [key.startsWith(`${area}.`) ? key : `${key} in ${area}`, values(phrase)]);
  const all = async (language) => Object.fromEntries((await Promise.all(
    areas.map((area) => phrases(`${base}/words/${language}/${area}.js`, area)))).flat());
  return Promise.all(languages.map(all));
}"""
KEY = re.compile(r"[\"'`]([a-z]+\.[\w.]+)[\"'`]")
MADE = re.compile(r"`((?:[\w.]|\$\{[^`{}]*\})+)`")
SAID = re.compile(r"(?<![#\w])say\(\s*\"([\w.]+)\"")


def sources() -> str:
    """All modules of ours but the catalogues."""
    ours = [path for path in web().assets if path.endswith(".js") and not path.startswith("vendor/")]
    catalogue = re.compile(rf"words/({'|'.join(LANGUAGES)})[/.]")
    return "\n".join(web().assets[path].plain.decode() for path in ours if not catalogue.match(path))


async def catalogues(people: People) -> list[dict[str, list[str] | None]]:
    """By language, the names of the values in each phrase; None where a function makes it."""
    page = await people("/")
    found: Any = await page.evaluate(CATALOGUES, [f"/static/{web().stamp}", LANGUAGES, AREAS])
    return [dict(each) for each in found]


async def test_every_language_has_the_same_keys_with_the_same_values_in_them(people: People) -> None:
    english, *others = await catalogues(people)
    for language, other in zip(LANGUAGES[1:], others, strict=True):
        assert sorted(english.keys() ^ other.keys()) == [], f"in one of en and {language} alone"
        for key, values in english.items():
            there = other[key]
            assert values is None or there is None or values == there, (language, key)


async def test_no_phrase_is_missing_and_none_is_unused(people: People) -> None:
    keys = set((await catalogues(people))[0])
    text = sources()
    assert sorted(set(SAID.findall(text)) - keys) == []
    made = "|".join(
        re.sub(r"\\\$\\\{.*?\\\}", r".+", re.escape(each))
        for each in set(MADE.findall(text))
        if "." in each and "$" in each
    )
    said = set(KEY.findall(text))
    assert sorted(key for key in keys if key not in said and not re.fullmatch(made, key)) == []
