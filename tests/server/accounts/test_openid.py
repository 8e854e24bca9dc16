"""Logins through a real OpenID provider over HTTP."""

import asyncio
import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from tests.server.accounts.authenticator import Device
from tests.server.accounts.openid_providers import Claims, Provider, Sign, query_of, running_provider, signed
from tests.server.app_server import HERE, AppServer, opened
from tests.server.player_export import export
from tests.server.requests import error

from faceup.server.accounts.schema import one_time_codes, openid_links, players, sessions
from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.moderation.bans import ban_player
from faceup.server.player_data import merge
from faceup.server.process.settings import Settings

CLIENT = "faceup-club"
PASSWORD = "correct horse"  # noqa: S105 -- of a test


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider) -> Provider:
    running.sign = None
    running.documents, running.answers, running.requests = {}, {}, []
    return running


def settings_of(provider: Provider, **settings: Any) -> Settings:
    return Settings(openid_issuer=provider.issuer, openid_client_id=CLIENT, **{"openid_client_secret": "s", **settings})


@asynccontextmanager
async def serving(tmp_path: Path, provider: Provider, **settings: Any) -> AsyncIterator[AppServer]:
    async with opened(tmp_path / "tables.sqlite", settings_of(provider, **settings)) as server:
        yield server


@pytest.fixture
async def server(tmp_path: Path, provider: Provider) -> AsyncIterator[AppServer]:
    async with serving(tmp_path, provider) as app_server:
        yield app_server


async def start(client: httpx.AsyncClient, path: str = "/api/login/openid", **body: object) -> str:
    """Return the address at the provider to which the browser goes."""
    answer = await client.post(path, json=body or ({} if "login" in path else None))
    assert answer.status_code == 200, answer.text
    url: str = answer.json()["url"]
    return url


async def come_back(client: httpx.AsyncClient, url: str) -> str:
    """Follow the provider to this server. Return the kind of the error that the account page shows; "" for none."""
    answer = await client.get(url)
    assert answer.status_code == 303, answer.text
    path, _, fragment = answer.headers["location"].partition("#")
    assert path == "/me"
    return query_of(f"?{fragment}").get("openid", "")


async def log_in(client: httpx.AsyncClient, provider: Provider, subject: str, **body: object) -> str:
    return await come_back(client, await provider.log_in(await start(client, "/api/login/openid", **body), subject))


async def link(client: httpx.AsyncClient, provider: Provider, subject: str) -> str:
    return await come_back(client, await provider.log_in(await start(client, "/api/account/openid"), subject))


async def me(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/api/me")
    return answer.json() if answer.status_code == 200 else {}


async def account(client: httpx.AsyncClient, login: str = "ann") -> None:
    """Turn a guest into an account with a password."""
    assert (await client.post("/api/account", json={"login": login, "password": PASSWORD})).status_code == 200


async def rows(server: AppServer, table: sa.Table) -> list[Any]:
    return await server.store.query(lambda connection: list(connection.execute(sa.select(table))))


async def test_a_person_gets_an_account_without_a_password_and_finds_it_again(
    server: AppServer, provider: Provider
) -> None:
    await provider.add("p1", preferred_username="Ann", email="ann@example.org")
    async with server.client() as phone, server.client() as laptop:
        assert await log_in(phone, provider, "p1") == ""
        ann = await me(phone)
        assert (ann["name"], ann["guest"], ann["login"]) == ("Ann", False, None)
        assert await log_in(laptop, provider, "p1") == ""
        assert (await me(laptop))["handle"] == ann["handle"]
        (link_row,) = await rows(server, openid_links)
        assert (link_row.issuer, link_row.subject) == (provider.issuer, "p1")
        assert await rows(server, one_time_codes) == []


async def test_the_request_has_pkce_state_and_nonce_and_asks_only_for_what_is_needed(
    server: AppServer, provider: Provider
) -> None:
    async with server.client() as client:
        answer = await client.post("/api/login/openid", json={})
        query = query_of(answer.json()["url"])
        assert query["redirect_uri"] == f"{HERE}/api/login/openid/callback"
        assert (query["response_type"], query["client_id"], query["scope"]) == ("code", CLIENT, "openid profile")
        assert query["code_challenge_method"] == "S256"
        assert len({query["state"], query["nonce"], query["code_challenge"]}) == 3
        assert "prompt" not in query
        await come_back(client, await provider.log_in(answer.json()["url"], "pkce"))
        verifier = provider.forms[-1]["code_verifier"]
        assert len(verifier) >= 43
        assert query["code_challenge"] == urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()
        again = query_of(await start(client))
        assert all(again[name] != query[name] for name in ("state", "nonce", "code_challenge"))


async def test_a_guest_keeps_the_games(server: AppServer, provider: Provider) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        table, key = await server.table(ann, bo), ann.cookies["faceup_session"]
        assert await log_in(ann, provider, "games") == ""
        profile = await me(ann)
        assert (profile["name"], profile["guest"]) == ("Ann", False)
        assert [row["id"] for row in (await ann.get("/api/me/tables")).json()] == [table]
        assert ann.cookies["faceup_session"] != key
        async with server.guest("Guest of Ann") as phone:
            second = await server.table(phone, bo)
            assert await log_in(phone, provider, "games") == ""
            tables = {row["id"] for row in (await phone.get("/api/me/tables")).json()}
            assert tables == {table, second}


async def test_an_account_can_add_a_password_and_a_passkey(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann:
        assert await log_in(ann, provider, "more") == ""
        await account(ann, "more")
        device = Device("http://localhost", "localhost")
        async with httpx.AsyncClient(
            transport=ann._transport, base_url="http://localhost", cookies=dict(ann.cookies)
        ) as local:
            options = (await local.post("/api/passkeys/options")).json()
            added = await local.post("/api/passkeys", json={"credential": device.create(options)})
        assert added.status_code == 201, added.text


async def test_the_link_of_an_account_is_added_and_removed(server: AppServer, provider: Provider) -> None:
    async with server.guest("Ann") as ann, server.client() as phone:
        await account(ann)
        assert (await ann.get("/api/account/openid")).json() == {"linked_at": None}
        assert await link(ann, provider, "linked") == ""
        assert (await ann.get("/api/account/openid")).json()["linked_at"] is not None
        assert await link(ann, provider, "linked") == ""
        assert await link(ann, provider, "another") == "taken"
        assert await log_in(phone, provider, "linked") == ""
        assert (await me(phone))["login"] == "ann"
        assert (await ann.delete("/api/account/openid")).status_code == 200
        assert error(await ann.delete("/api/account/openid")) == (404, "not_found")
        async with server.client() as stranger:
            assert await log_in(stranger, provider, "linked") == ""
            assert (await me(stranger))["handle"] != (await me(ann))["handle"]


async def test_a_link_is_changed_only_after_a_recent_login(server: AppServer, provider: Provider) -> None:
    async with server.guest("Ann") as ann:
        await account(ann)
        old = sessions.update().values(proved_at=1)
        await server.store.write(lambda connection: connection.execute(old).rowcount)
        assert error(await ann.post("/api/account/openid")) == (401, "login_required")
        assert error(await ann.delete("/api/account/openid")) == (401, "login_required")
        assert provider.requests == []


async def test_a_guest_cannot_link(server: AppServer) -> None:
    async with server.guest("Ann") as ann:
        assert error(await ann.post("/api/account/openid")) == (403, "forbidden")


async def test_a_link_needs_the_session_of_the_player_who_started_it(server: AppServer, provider: Provider) -> None:
    async with server.guest("Ann") as ann, server.guest("Bo") as bo:
        await account(ann)
        await account(bo, "bo")
        url = await provider.log_in(await start(ann, "/api/account/openid"), "switch")
        ann.cookies.set("faceup_session", bo.cookies["faceup_session"], domain="cards.test", path="/")
        assert await come_back(ann, url) == "openid_expired"
        assert await rows(server, openid_links) == []


async def test_a_person_of_another_account_does_not_replace_this_account(server: AppServer, provider: Provider) -> None:
    async with server.client() as bo, server.guest("Ann") as ann:
        assert await log_in(bo, provider, "bo") == ""
        await account(ann)
        before = await me(ann)
        for subject in ("bo", "unknown person"):
            assert await log_in(ann, provider, subject) == "openid_unknown"
        assert await me(ann) == before
        assert await link(ann, provider, "bo") == "taken"
        assert len(await rows(server, openid_links)) == 1


async def test_people_with_one_mail_address_have_different_accounts(server: AppServer, provider: Provider) -> None:
    for subject in ("twin1", "twin2"):
        await provider.add(subject, email="same@example.org", email_verified=True, preferred_username="Same")
    async with server.client() as first, server.client() as second:
        assert [await log_in(first, provider, "twin1"), await log_in(second, provider, "twin2")] == ["", ""]
        assert (await me(first))["handle"] != (await me(second))["handle"]


async def test_a_changed_mail_address_is_the_same_account(server: AppServer, provider: Provider) -> None:
    async with server.client() as first, server.client() as second:
        await provider.add("moved", email="old@example.org")
        assert await log_in(first, provider, "moved") == ""
        await provider.add("moved", email="new@example.net")
        assert await log_in(second, provider, "moved") == ""
        assert (await me(first))["handle"] == (await me(second))["handle"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"email": "ann@club.example", "email_verified": True}, ""),
        ({"email": "ann@CLUB.example", "email_verified": True}, ""),
        ({"email": "ann@club.example", "email_verified": False}, "openid_mail"),
        ({"email": "ann@club.example"}, "openid_mail"),
        ({"email": "ann@evil.example", "email_verified": True}, "openid_mail"),
        ({"email": "ann@evil-club.example", "email_verified": True}, "openid_mail"),
        ({"email": 7, "email_verified": True}, "openid_mail"),
        ({}, "openid_mail"),
    ],
)
async def test_domains_need_a_verified_mail_address(
    tmp_path: Path, provider: Provider, claims: Claims, expected: str
) -> None:
    await provider.add("mail", **claims)
    async with serving(tmp_path, provider, openid_domains=("club.example",)) as server, server.client() as ann:
        assert await log_in(ann, provider, "mail") == expected
        assert bool(await me(ann)) == (expected == "")
        assert "email" in query_of(await start(ann))["scope"].split()


async def test_without_domains_no_mail_address_is_needed(server: AppServer, provider: Provider) -> None:
    await provider.add("nameless")
    async with server.client() as ann:
        assert await log_in(ann, provider, "nameless") == ""
        assert (await me(ann))["name"] == "Guest"


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["ann@example.org", "Administrator", "x" * 41, "a\u202eb", "", 7])
async def test_a_name_that_players_cannot_have_is_not_taken_over(
    server: AppServer, provider: Provider, name: object
) -> None:
    await provider.add("odd", preferred_username=name)
    async with server.client() as ann:
        assert await log_in(ann, provider, "odd") == ""
        assert (await me(ann))["name"] == "Guest"


async def test_unknown_people_get_no_account_if_the_host_does_not_want_it(tmp_path: Path, provider: Provider) -> None:
    async with (
        serving(tmp_path, provider, openid_existing_only=True) as server,
        server.guest("Ann") as ann,
        server.guest("Bo") as bo,
        server.client() as phone,
    ):
        await account(ann)
        assert await link(ann, provider, "member") == ""
        assert await log_in(phone, provider, "member") == ""
        assert await log_in(bo, provider, "stranger") == "openid_unknown"
        assert (await me(bo))["guest"]


@pytest.mark.parametrize(("registration", "expected"), [("closed", "openid_unknown"), ("code", "")])
async def test_the_registration_mode(tmp_path: Path, provider: Provider, registration: Any, expected: str) -> None:
    async with (
        serving(tmp_path, provider, registration=registration, registration_code="secret") as server,
        server.client() as ann,
    ):
        assert await log_in(ann, provider, "registered") == expected


async def test_a_new_account_needs_consent_to_the_terms(tmp_path: Path, provider: Provider) -> None:
    async with serving(tmp_path, provider, minimum_age=16) as server, server.client() as ann, server.client() as phone:
        assert await log_in(ann, provider, "young") == "consent_required"
        assert await me(ann) == {}
        assert await log_in(ann, provider, "young", consent=True) == ""
        assert await log_in(phone, provider, "young") == ""
        data = (await ann.get("/api/account/export")).json()
        assert [row["terms"] for row in data["consents"]] == ["age 16"]


async def test_the_export_has_the_link_and_an_erased_account_loses_it(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann:
        assert await log_in(ann, provider, "erased") == ""
        (player,) = [row.id for row in await rows(server, players)]
        data = await server.store.query(lambda connection: export(connection, player))
        assert [row["subject"] for row in data["openid"]] == ["erased"]
        await server.store.write(lambda connection: connection.execute(players.delete()).rowcount)
        assert await rows(server, openid_links) == []


async def test_merged_accounts_keep_one_link(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann, server.client() as bo:
        assert [await log_in(ann, provider, "m1"), await log_in(bo, provider, "m2")] == ["", ""]
        by_subject = {row.subject: row.player for row in await rows(server, openid_links)}
        await server.store.write(lambda connection: merge(connection, by_subject["m2"], by_subject["m1"]))
        assert [(row.subject, row.player) for row in await rows(server, openid_links)] == [("m1", by_subject["m1"])]


async def test_an_account_without_a_link_and_another_login_is_a_guest_again(
    server: AppServer, provider: Provider
) -> None:
    async with server.client() as ann:
        assert await log_in(ann, provider, "unlinked") == ""
        assert (await ann.delete("/api/account/openid")).status_code == 200
        assert (await me(ann))["guest"]


@pytest.mark.parametrize(
    ("secret", "methods", "form", "header"),
    [
        ("s%&cret", ["client_secret_post", "client_secret_basic"], {"client_id", "client_secret"}, ""),
        ("s%&cret", ["client_secret_basic"], set(), f"Basic {b64encode(b'faceup-club:s%25%26cret').decode()}"),
        ("", ["client_secret_basic"], {"client_id"}, ""),
    ],
)
async def test_the_client_proves_itself_as_the_provider_wants(
    tmp_path: Path, provider: Provider, *, secret: str, methods: list[str], form: set[str], header: str
) -> None:
    provider.documents = {"token_endpoint_auth_methods_supported": methods}
    async with serving(tmp_path, provider, openid_client_secret=secret) as server, server.client() as ann:
        # This provider has no public clients.
        assert await log_in(ann, provider, "client") == ("" if secret else "openid_failed")
        assert provider.forms[-1].keys() & {"client_id", "client_secret"} == form
        assert provider.forms[-1].get("client_secret", secret) == secret
        assert provider.authorization == header


# Attacks on the way back.


async def test_a_login_is_finished_once(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann:
        started = await ann.post("/api/login/openid", json={})
        cookies = dict(ann.cookies)
        url = await provider.log_in(started.json()["url"], "once")
        assert await come_back(ann, url) == ""
        for name, value in cookies.items():
            ann.cookies.set(name, value, domain="cards.test", path="/")
        assert await come_back(ann, url) == "openid_expired"


async def test_the_state_of_another_browser_logs_no_one_in(server: AppServer, provider: Provider) -> None:
    async with server.client() as attacker, server.guest("Ann") as ann:
        url = await provider.log_in(await start(attacker), "attacker")
        await start(ann)
        assert await come_back(ann, url) == "openid_expired"
        assert (await me(ann))["guest"]
        assert await come_back(attacker, url) == ""  # it is still valid in its own browser


@pytest.mark.parametrize("change", ["state=", "state=x", "state=%F0%9F%98%80", "other=1"])
async def test_an_unknown_state_logs_no_one_in(server: AppServer, change: str) -> None:
    async with server.client() as ann:
        assert await come_back(ann, f"/api/login/openid/callback?code=x&{change}") == "openid_expired"


async def test_an_old_login_is_not_finished(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann:
        url = await provider.log_in(await start(ann), "slow")
        expired = one_time_codes.update().values(until=1)
        await server.store.write(lambda connection: connection.execute(expired).rowcount)
        assert await come_back(ann, url) == "openid_expired"


async def test_a_canceled_login_says_so(server: AppServer) -> None:
    async with server.client() as ann:
        state = query_of(await start(ann))["state"]
        url = f"/api/login/openid/callback?error=access_denied&state={state}"
        assert await come_back(ann, url) == "openid_canceled"


@pytest.mark.parametrize(("issuer", "expected"), [("https://evil.example", "openid_failed"), (None, "")])
async def test_the_issuer_in_the_address_must_be_the_provider(
    server: AppServer, provider: Provider, issuer: str | None, expected: str
) -> None:
    async with server.client() as ann:
        url = await provider.log_in(await start(ann), "mixed")
        assert await come_back(ann, url + (f"&iss={issuer}" if issuer else f"&iss={provider.issuer}")) == expected


async def test_a_promised_issuer_must_not_be_missing(server: AppServer, provider: Provider) -> None:
    provider.documents = {"authorization_response_iss_parameter_supported": True}
    async with server.client() as ann:
        assert await log_in(ann, provider, "missing issuer") == "openid_failed"


def changed(**claims: object) -> Sign:
    return lambda key, own: signed(key, own | claims)


def without(name: str) -> Sign:
    return lambda key, own: signed(key, {other: value for other, value in own.items() if other != name})


def unsigned(_: RSAKey, claims: Claims) -> str:
    parts = [urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in ({"alg": "none"}, claims)]
    return ".".join([*parts, ""])


def by_another_key(key: RSAKey, claims: Claims) -> str:
    return signed(RSAKey.generate_key(2048, {"kid": str(key.kid)}), claims)


def by_its_own_key(_: RSAKey, claims: Claims) -> str:
    other = RSAKey.generate_key(2048, {"kid": "own"})
    return jwt.encode({"alg": "RS256", "jwk": other.as_dict(private=False)}, claims, other)


def by_the_public_key_as_a_secret(key: RSAKey, claims: Claims) -> str:
    return jwt.encode({"alg": "HS256", "kid": key.kid}, claims, OctKey.import_key(key.as_pem(private=False)), ["HS256"])


def with_another_body(key: RSAKey, claims: Claims) -> str:
    header, _, signature = signed(key, claims).split(".")
    body = urlsafe_b64encode(json.dumps(claims | {"sub": "admin"}).encode()).rstrip(b"=").decode()
    return f"{header}.{body}.{signature}"


WRONG: dict[str, Sign] = {
    "nonce": changed(nonce="other"),
    "no nonce": without("nonce"),
    "audience": changed(aud="other"),
    "no audience": without("aud"),
    "several audiences": changed(aud=[CLIENT, "other"]),
    "authorized party": changed(azp="other"),
    "issuer": changed(iss="https://evil.example"),
    "no issuer": without("iss"),
    "expired": changed(exp=1_000_000_000),
    "no expiry": without("exp"),
    "endless": changed(exp="never"),
    "issued later": changed(iat=99_999_999_999),
    "valid later": changed(nbf=99_999_999_999),
    "no subject": without("sub"),
    "empty subject": changed(sub=""),
    "number as subject": changed(sub=7),
    "long subject": changed(sub="x" * 256),
    "NUL in the subject": changed(sub="a\0b"),
    "unsigned": unsigned,
    "signature": by_another_key,
    "own key": by_its_own_key,
    "public key as a secret": by_the_public_key_as_a_secret,
    "body": with_another_body,
    "no token": lambda *_: "",
    "half a token": lambda key, claims: signed(key, claims)[:-300],
    "text": lambda *_: "a.b.c",
}


@pytest.mark.sample(8)
@pytest.mark.parametrize("wrong", WRONG)
async def test_a_wrong_token_logs_no_one_in(server: AppServer, provider: Provider, wrong: str) -> None:
    provider.sign = WRONG[wrong]
    async with server.client() as ann:
        assert await log_in(ann, provider, "token") == "openid_failed"
        assert await me(ann) == {}
        assert await rows(server, players) == []


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "right",
    [changed(), changed(aud=[CLIENT]), changed(aud=[CLIENT, "other"], azp=CLIENT), changed(iat=1)],
    ids=["as usual", "list", "authorized party", "issued long ago"],
)
async def test_a_right_token_logs_in(server: AppServer, provider: Provider, right: Sign) -> None:
    provider.sign = right
    async with server.client() as ann:
        assert await log_in(ann, provider, "token") == ""


async def test_the_clock_of_the_provider_may_differ_by_a_minute(server: AppServer, provider: Provider) -> None:
    now = server.store.now() // 1000
    async with server.client() as ann, server.client() as bo:
        provider.sign = changed(exp=now - 30, iat=now + 30)
        assert await log_in(ann, provider, "clock") == ""
        provider.sign = changed(exp=now - 120)
        assert await log_in(bo, provider, "clock") == "openid_failed"


async def test_a_new_key_of_the_provider_is_found(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann, server.client() as bo:
        assert await log_in(ann, provider, "rotated") == ""
        provider.sign = changed()
        assert await log_in(bo, provider, "rotated") == ""


async def test_further_claims_come_from_the_user_info(tmp_path: Path, provider: Provider) -> None:
    await provider.add("info", email="ann@club.example", email_verified=True)
    provider.sign = lambda key, own: signed(key, {n: v for n, v in own.items() if not n.startswith("email")})
    async with serving(tmp_path, provider, openid_domains=("club.example",)) as server, server.client() as ann:
        assert await log_in(ann, provider, "info") == ""
        provider.answers["/userinfo"] = (200, b'{"sub": "other", "email": "a@club.example", "email_verified": true}')
        assert await log_in(ann, provider, "info") == "openid_failed"


# A provider that is down.


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/jwks"])
@pytest.mark.parametrize("answer", [(500, b""), (200, b"<html>"), (200, b"[]"), (200, b"x" * 1_100_000), (302, b"")])
async def test_a_provider_that_is_down_is_an_error_with_a_reason(
    server: AppServer, provider: Provider, path: str, answer: tuple[int, bytes]
) -> None:
    provider.answers[path] = answer
    async with server.client() as ann:
        assert error(await ann.post("/api/login/openid", json={})) == (502, "openid_failed")
        provider.answers.clear()
        assert await log_in(ann, provider, "up again") == ""


async def test_a_provider_that_fails_after_the_login_changes_nothing(server: AppServer, provider: Provider) -> None:
    async with server.guest("Ann") as ann:
        before = await me(ann)
        for answer in [(400, b'{"error": "invalid_grant"}'), (500, b""), (200, b'{"access_token": "x"}')]:
            provider.answers["/oauth2/token"] = answer
            assert await log_in(ann, provider, "down") == "openid_failed"
        assert await me(ann) == before


async def test_a_closed_port_is_an_error(tmp_path: Path) -> None:
    settings = Settings(openid_issuer="http://localhost:1", openid_client_id="x")
    async with opened(tmp_path / "tables.sqlite", settings) as server, server.client() as ann:
        assert error(await ann.post("/api/login/openid", json={})) == (502, "openid_failed")


@pytest.mark.parametrize(
    "documents",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"jwks_uri": "http://evil.example/jwks"},
        {"jwks_uri": "file:///etc/passwd"},
        {"token_endpoint": 7},
    ],
)
async def test_a_wrong_discovery_document_is_refused(
    server: AppServer, provider: Provider, documents: dict[str, object]
) -> None:
    provider.documents = documents
    async with server.client() as ann:
        assert error(await ann.post("/api/login/openid", json={})) == (502, "openid_failed")


async def test_a_slow_provider_does_not_keep_players_waiting(
    server: AppServer, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = asyncio.Event(), asyncio.Event()
    request = server.app.services.openid._request

    async def slow(*args: Any) -> bytes:
        asked.set()
        await go_on.wait()
        return await request(*args)

    monkeypatch.setattr(server.app.services.openid, "_request", slow)
    async with server.client() as ann, server.guest("Bo") as bo:
        login = asyncio.create_task(start(ann))
        await asked.wait()
        assert (await bo.get("/api/me")).status_code == 200
        go_on.set()
        assert (await login).startswith(provider.issuer)


async def test_a_provider_that_never_answers_is_an_error(
    server: AppServer, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: Any) -> bytes:
        await asyncio.Event().wait()
        return b""

    monkeypatch.setattr("faceup.server.accounts.openid_provider.TIMEOUT", 0.05)
    monkeypatch.setattr(server.app.services.openid, "_request", never)
    async with server.client() as ann:
        answers = await asyncio.gather(*(ann.post("/api/login/openid", json={}) for _ in range(3)))
        assert [error(answer) for answer in answers] == [(502, "openid_failed")] * 3
    assert provider.requests == []


async def test_without_a_provider_there_is_no_login(app: AppServer) -> None:
    async with app.client() as ann:
        assert error(await ann.post("/api/login/openid", json={})) == (404, "not_found")


async def test_logins_are_rate_limited(tmp_path: Path, provider: Provider) -> None:
    limits = ServerLimits(attempts=RateLimit(3, 0.01))
    async with opened(tmp_path / "tables.sqlite", settings_of(provider), limits) as server, server.client() as ann:
        assert [(await ann.post("/api/login/openid", json={})).status_code for _ in range(4)] == [200, 200, 200, 429]
        answers = [await ann.get("/api/login/openid/callback?state=x") for _ in range(4)]
    assert "rate_limited" in answers[-1].headers["location"]
    assert "retry_after" in answers[-1].headers["location"]


async def test_a_banned_player_stays_out(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann, server.client() as phone:
        assert await log_in(ann, provider, "banned") == ""
        (player,) = [row.id for row in await rows(server, players)]
        await server.store.write(lambda connection: ban_player(connection, server.store.now(), player))
        assert await log_in(phone, provider, "banned") == "banned"


async def test_a_fresh_login_asks_the_provider_for_the_password(server: AppServer, provider: Provider) -> None:
    async with server.client() as ann:
        assert await log_in(ann, provider, "again") == ""
        handle = (await me(ann))["handle"]
        query = query_of(await start(ann))
        assert (query["prompt"], query["max_age"]) == ("login", "0")
        now = server.store.now() // 1000
        provider.sign = changed(auth_time=now - 3600)  # logged in there an hour ago
        assert await log_in(ann, provider, "again") == ""
        assert error(await ann.get("/api/account/export")) == (401, "login_required")
        provider.sign = changed(auth_time=now)
        assert await log_in(ann, provider, "again") == ""
        assert (await ann.get("/api/account/export")).status_code == 200
        assert (await me(ann))["handle"] == handle


async def test_the_public_url_is_where_the_provider_sends_people(tmp_path: Path, provider: Provider) -> None:
    async with (
        serving(tmp_path, provider, public_url="https://cards.example", base_path="/cards") as server,
        server.client() as ann,
    ):
        answer = await ann.post("/cards/api/login/openid", json={})
        assert query_of(answer.json()["url"])["redirect_uri"] == (
            "https://cards.example/cards/api/login/openid/callback"
        )
        assert "Path=/cards/api/login/openid;" in answer.headers["set-cookie"]
