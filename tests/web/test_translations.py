"""Translations on the page: none missing or unused, singular forms, dates."""

import re

import pytest
from playwright.async_api import expect
from tests.web.conftest import PageOpener, open_at_table

from faceup.translations import LANGUAGES, base_key, catalogue, namespaces
from faceup.web.assets import SERVER, web

KEY = re.compile(r"[\"'`]([a-z]+\.[\w.]+)[\"'`]")
DYNAMIC_KEY = re.compile(r"`((?:[\w.]|\$\{[^`{}]*\})+)`")
TRANSLATE_CALL = re.compile(r"(?<![#\w])t\(\s*\"([\w.]+)\"")


def sources() -> str:
    """Return the text of all modules but catalogues and vendored ones."""
    ours = [path for path in web().assets if path.endswith(".js") and not path.startswith("vendor/")]
    translated = re.compile(rf"i18n/({'|'.join(LANGUAGES)})/")
    return "\n".join(web().assets[path].plain.decode() for path in ours if not translated.match(path))


def page_keys() -> set[str]:
    """Return the keys of the page's messages, without plural endings."""
    names = [name for name in namespaces() if name not in SERVER]
    return {base_key(key) for name in names for key in catalogue("en", name)}


def test_no_translation_is_missing_or_unused() -> None:
    keys = page_keys()
    text = sources()
    assert sorted(set(TRANSLATE_CALL.findall(text)) - keys - {key.rpartition("_")[0] for key in keys}) == []
    made = "|".join(
        re.sub(r"\\\$\\\{.*?\\\}", r".+", re.escape(key))
        for key in set(DYNAMIC_KEY.findall(text))
        if "." in key and "$" in key
    )
    used = set(KEY.findall(text))
    contexts = {key for key in keys if any(key.startswith(f"{base}_") for base in keys & used)}
    unused = keys - used - contexts
    assert sorted(key for key in unused if not re.fullmatch(made, key)) == []


def test_punctuation_between_texts_is_translated() -> None:
    """Chinese has other commas and colons, and French a space before a colon: see `i18n/format.js`."""
    fixed = r"""join\(", "\)|\}[:.,] \$\{|: \$\{t\(|\$\{t\([^{}]*\)\} \$\{t\("""
    assert [line for line in sources().splitlines() if re.search(fixed, line)] == []


JOINED = """async ([base, language]) => {
  const { setLanguage } = await import(`${base}/i18n/translate.js`);
  await setLanguage(language);
  const { joinSentences, joinTexts, labelled } = await import(`${base}/i18n/format.js`);
  return [labelled("A", joinTexts(["B", "C"])), joinSentences("A。", "B."), joinSentences("A.", "B.")];
}"""


async def test_texts_are_joined_by_the_punctuation_of_the_language(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    joined = {"en": "A: B, C", "de": "A: B, C", "fr": "A\u202f: B, C", "zh": "A\uff1aB\u3001C"}
    for language in LANGUAGES:
        texts = await page.evaluate(JOINED, [f"/static/{web().stamp}", language])
        assert texts == [joined[language], "A。B.", "A. B."], language


ONES = """async ([base, languages]) => {
  const { loadNamespaces, setLanguage, t } = await import(`${base}/i18n/translate.js`);
  await loadNamespaces("war", "shell");
  const { describeEvent } = await import(`${base}/i18n/events.js`);
  const events = ["drawn", "reshuffled", "sudden_death"].map((event) => ({ event, rounds: 1 }));
  const won = ["all cards", "cap"].map((by) => ({ event: "won", by, rounds: 1 }));
  const dealt = { event: "dealt", each: 1, redeal: 0 };
  const others = [
    ["war.event.collected", { name: "Ann", count: 1 }],
    ["war.chance.label", { title: "Ann", chance: "50 %", count: 1 }],
    ["war.chart.rounds", { count: 1 }], ["war.wars", { count: 1 }], ["war.pile", { count: 1 }],
    ["shell.results.score", { count: 1 }], ["shell.fair.invalid", { count: 1, entries: "1" }],
  ];
  const texts = [];
  for (const language of languages) {
    await setLanguage(language);
    const said = [...events, ...won, dealt].map((event) => describeEvent("war", { ...event, seat: 0 }, ["Ann", "Bo"]));
    texts.push(...said);
    texts.push(...others.map(([key, values]) => t(key, values)));
  }
  return texts;
}"""


async def test_count_of_one_is_singular_in_every_language(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    texts: list[str] = await page.evaluate(ONES, [f"/static/{web().stamp}", LANGUAGES])
    assert len(texts) == 13 * len(LANGUAGES)
    assert "Ann wins the game with all the cards after 1 round." in texts
    assert "Ann gewinnt das Spiel mit allen Karten nach 1 Runde." in texts
    assert "1 回合后平局。" in texts
    wrong = (
        r"1 (rounds|cards|wars|points|Runden|Karten|Kriege|Punkte|tours|cartes|batailles)\b|entr(ies|ées) 1|Einträge 1"
    )
    assert [text for text in texts if re.search(wrong, text)] == []


FORMAT_DATE = """async (base) => {
  const { matchLanguage, setLanguage } = await import(`${base}/i18n/translate.js`);
  await setLanguage(matchLanguage(navigator.languages));
  return (await import(`${base}/i18n/format.js`)).formatTime(Date.UTC(2026, 0, 31, 12));
}"""


@pytest.mark.parametrize(
    ("locale", "shown"),
    [("en-GB", "31 Jan 2026"), ("en-US", "Jan 31, 2026"), ("de-AT", "31.01.2026"), ("fr-CA", "31 janv. 2026")],
)
async def test_dates_follow_the_region_of_the_browser(open_page: PageOpener, locale: str, shown: str) -> None:
    page = await open_page("/ladder", locale=locale)
    assert await page.evaluate(FORMAT_DATE, f"/static/{web().stamp}") == shown


async def test_the_title_changes_with_the_language(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    await expect(page).to_have_title(re.compile(f"^{catalogue('en', 'shell')['shell.ladder']} "))
    await page.get_by_role("button", name="Settings").click()
    await page.locator("settings-dialog").get_by_label("Language").select_option("de")
    await expect(page).to_have_title(re.compile(f"^{catalogue('de', 'shell')['shell.ladder']} "))


async def test_a_table_changes_all_texts_with_the_language(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="niuniu", options={"seats": 2}, bots=["random"], rated=False)
    await expect(page).to_have_title(re.compile(f"^● {catalogue('en', 'table')['table.turn']} · "))
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_role("button", name="Settings").click()
    await page.locator("settings-dialog").get_by_label("Language").select_option("de")
    german = catalogue("de", "table")
    await expect(page).to_have_title(re.compile(f"^● {german['table.turn']} · "))
    await expect(page.get_by_text(german["table.unrated"], exact=True)).to_be_attached()
    await expect(page.locator("niuniu-odds summary")).to_have_text(catalogue("de", "niuniu")["niuniu.odds"])


def test_every_element_with_texts_renders_again_in_another_language() -> None:
    """Its base class may do that. Parents render no child again whose properties have not changed."""
    modules = {path: asset.plain.decode() for path, asset in web().assets.items() if path.endswith(".js")}
    with_texts = {
        path: text
        for path, text in modules.items()
        if not path.startswith("vendor/") and re.search(r"extends LitElement\b", text) and re.search(r"\bt\(", text)
    }
    assert len(with_texts) > 50
    assert [path for path, text in with_texts.items() if "new LanguageController(this" not in text] == []
