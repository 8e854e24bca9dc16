"""A public server: its own name and titles of games, who runs it, the privacy text, and the consent of new accounts."""

import json
import re
from datetime import datetime

import msgspec
import pytest
import sqlalchemy as sa
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.requests import error

from faceup.core import Malformed
from faceup.server.accounts.schema import consents
from faceup.server.features import FEATURES
from faceup.server.pictures.words import game_title
from faceup.server.privacy import privacy_text
from faceup.server.process.settings import Settings, load_settings
from faceup.server.site import SITE, Site
from faceup.server.turns.words import code_mail, turn_mail, unsubscribe_words
from faceup.translations import LANGUAGES, Language, catalogue

OXEN = Settings(
    site_name="Oxen & Friends",
    game_titles="nimmt=Ox Parade, war=Battle",
    contact="ann@example.org",
    imprint_url="https://example.org/imprint",
    terms_url="https://example.org/terms",
    minimum_age=16,
)
NAMES = re.compile(r"6.?nimmt|6.?qui.?prend|谁是牛头王", re.IGNORECASE)
"""The names of the game that is a trade mark."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_server_with_its_own_titles_never_writes_the_usual_ones(serve: Serve, language: str) -> None:
    app = await serve(OXEN)
    headers = {"accept": "text/html", "accept-language": language}
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, bo)
        for path in (
            "/",
            "/about",
            "/daily",
            "/learn/nimmt",
            "/nowhere",
            f"/t/{table}",
            "/manifest.webmanifest",
            "/api/games",
            "/api/about",
            "/api/openapi.json",
            f"/api/privacy?lang={language}",
            f"/api/tables/{table}",
            f"/api/tables/{table}/drawing.svg",
        ):
            text = (await ann.get(path, headers=headers)).text
            assert not NAMES.search(text), (path, NAMES.search(text))


async def test_pages_and_the_manifest_name_the_site_and_its_titles(serve: Serve) -> None:
    app = await serve(OXEN)
    async with app.guest("Ann") as ann:
        page = (await ann.get("/", headers={"accept-language": "de"})).text
        assert "<title>Oxen &amp; Friends</title>" in page
        assert 'property="og:site_name" content="Oxen &amp; Friends"' in page
        assert "Spiel Ox Parade, Niu Niu" in page
        data = json.loads(page.partition('id="site">')[2].partition("</script>")[0])
        assert data == {
            "name": "Oxen & Friends",
            "titles": {"nimmt": "Ox Parade", "war": "Battle"},
            "imprint": "https://example.org/imprint",
            "terms": "https://example.org/terms",
            "age": 16,
            "contact": "mailto:ann@example.org",
        }
        manifest = (await ann.get("/manifest.webmanifest")).json()
        assert (manifest["name"], manifest["short_name"]) == ("Oxen & Friends", "Oxen & Friends")
        assert "Ox Parade, Niu Niu" in manifest["description"]
        games = {game["name"]: game for game in (await ann.get("/api/games")).json()}
        assert (games["nimmt"]["title"], games["war"]["title"]) == ("Ox Parade", "Battle")
        assert games["nimmt"]["guide"].startswith("# Ox Parade\n")
        table = await app.table(ann)
        assert "Play Ox Parade with us" in (await ann.get(f"/t/{table}")).text


async def test_a_server_without_these_settings_says_nothing_of_them(app: AppServer) -> None:
    async with app.client() as client:
        page = (await client.get("/")).text
        assert "<title>faceup</title>" in page
        assert 'id="site"' not in page
        assert (await client.get("/.well-known/security.txt")).status_code == 404
        assert (await client.get("/manifest.webmanifest")).json()["name"] == "faceup"
        about = (await client.get("/api/about")).json()
        assert (about["name"], about["contact"], about["minimum_age"]) == ("faceup", "", 0)
        assert {"BSD-3-Clause", "OFL-1.1"} == {part["licence"] for part in about["licences"]}
        assert all("Copyright" in part["text"] for part in about["licences"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_mails_and_notices_name_the_site_and_its_titles(language: Language) -> None:
    summary = b'{"game":"nimmt","seats":[{"name":"Ann","kind":"person"}]}'
    token = SITE.set(Site.of(OXEN))
    try:
        assert "Oxen & Friends" in code_mail("ABCD", language)[0]
        assert "Oxen & Friends" in unsubscribe_words(language)[0]
        assert all("Ox Parade" in text for text in turn_mail(summary, language, "link", "end"))
        assert game_title(language, "niuniu") != "Ox Parade"
    finally:
        SITE.reset(token)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("site_name", " "),
        ("site_name", "a\nb"),
        ("game_titles", "nimmt"),
        ("game_titles", "chess=Chess"),
        ("game_titles", "nimmt="),
        ("terms_url", "example.org/terms"),
        ("privacy_url", "javascript:alert(1)"),
        ("imprint_url", 'https://a"b'),
        ("contact", "ann"),
        ("security_contact", "ann@"),
    ],
)
def test_an_invalid_setting_is_refused_with_its_name(field: str, value: str) -> None:
    with pytest.raises(Malformed) as refused:
        load_settings({field: value}, {}, None)
    assert refused.value.where == field


async def test_security_txt_has_what_rfc_9116_requires(serve: Serve) -> None:
    app = await serve(Settings(security_contact="security@example.org", public_url="https://example.org"))
    async with app.client() as client:
        answer = await client.get("/.well-known/security.txt", headers={"host": "example.org"})
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
        assert fields["Contact"] == "mailto:security@example.org"
        assert fields["Canonical"] == "https://example.org/.well-known/security.txt"
        expires = datetime.fromisoformat(fields["Expires"]).timestamp() * 1000 - app.store.now()
        assert 150 * 86_400_000 < expires < 365 * 86_400_000


async def test_the_privacy_page_leads_to_the_policy_of_the_host(serve: Serve) -> None:
    own = await serve(Settings(privacy_url="https://example.org/privacy"))
    async with own.client() as client:
        assert (await client.get("/privacy")).headers["location"] == "https://example.org/privacy"


async def test_the_privacy_page_says_what_is_stored(app: AppServer) -> None:
    async with app.client() as client:
        assert (await client.get("/privacy")).status_code == 200
        text = (await client.get("/api/privacy")).text
        assert "| the mail address | for notices of turns, which the player asked for |" in text
        assert "Finished games: 365 days." in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_privacy_text_names_every_personal_table_in_every_language(language: Language) -> None:
    rows = {text: key for key, text in catalogue("en", "privacy").items() if key.startswith("privacy.row.")}
    texts = {
        text
        for feature in FEATURES
        for personal in feature.tables
        if personal.columns
        for text in (personal.what, personal.why, personal.until)
    }
    assert set(rows) == texts
    all_on = msgspec.structs.replace(OXEN, research_export=True)
    text = privacy_text(language, all_on, {"finished": None, "guests": 90 * 86_400_000})
    assert "Oxen & Friends" in text
    assert "ann@example.org" in text
    assert all(catalogue(language, "privacy")[rows[text]] in privacy_text(language, all_on) for text in texts)


async def test_a_new_account_needs_consent_to_the_terms_which_is_stored(serve: Serve) -> None:
    app = await serve(OXEN)
    fields = {"login": "ann", "password": "correct horse"}
    async with app.guest("Ann") as ann:
        for refused in (fields, {**fields, "consent": False}):
            assert error(await ann.post("/api/account", json=refused)) == (400, "consent_required")
        assert (await ann.get("/api/me")).json()["guest"]
        assert (await ann.post("/api/account", json={**fields, "consent": True})).status_code == 200
        [row] = await app.store.query(lambda c: c.execute(sa.select(consents)).all())
        assert row.terms == "age 16, terms https://example.org/terms"
        assert app.store.now() - row.at < 60_000
        await ann.post("/api/login", json=fields)
        assert (await ann.get("/api/account/export")).json()["consents"] == [{"terms": row.terms, "at": row.at}]


async def test_a_passkey_of_a_guest_needs_consent_too(serve: Serve) -> None:
    app = await serve(OXEN)
    async with app.guest("Ann") as ann:
        ann.headers["host"] = "localhost"
        assert error(await ann.post("/api/passkeys", json={"credential": {}})) == (400, "consent_required")
        assert error(await ann.post("/api/passkeys", json={"credential": {}, "consent": True})) == (400, "malformed")


async def test_a_server_without_terms_stores_no_consent(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        made = await ann.post("/api/account", json={"login": "ann", "password": "correct horse", "consent": True})
        assert made.status_code == 200
        assert await app.store.query(lambda c: c.execute(sa.select(consents)).all()) == []
