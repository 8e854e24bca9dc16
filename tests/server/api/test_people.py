"""Who I am, over HTTP."""

import asyncio
from typing import Any, Literal

import pytest
from tests.server.api.conftest import Serve
from tests.server.inside import House
from tests.server.people.authenticator import Device

from faceup.server.api.cookies import NAME
from faceup.server.people import once, players_named
from faceup.server.settings import Settings


async def test_somebody_is_a_guest_at_once_and_stays_the_same(house: House) -> None:
    async with house.client() as ann:
        first = (await ann.post("/api/session", json={"name": "Ann"})).json()
        assert (first["name"], first["guest"]) == ("Ann", True)
        assert (await ann.post("/api/session", json={"name": "Other"})).json() == first
        assert (await ann.get("/api/me")).json() == first


async def test_the_cookie_is_out_of_reach_of_scripts_and_kept_to_https_where_there_is_https(serve: Serve) -> None:
    house = await serve(Settings(trusted_proxies=("192.0.2.0/24",), base_path="/cards"))
    async with house.client() as plain, house.client(**{"x-forwarded-proto": "https"}) as proxied:
        for client, secure in ((plain, False), (proxied, True)):
            cookie = (await client.post("/cards/api/session", json={})).headers["set-cookie"]
            assert cookie.startswith(f"{NAME}=")
            assert "; HttpOnly; SameSite=Lax" in cookie
            assert "; Path=/cards;" in cookie
            assert ("; Secure" in cookie) == secure


async def test_whoever_is_not_known_is_told_how_to_be(house: House) -> None:
    async with house.client() as nobody:
        answer = await nobody.get("/api/me")
    assert answer.status_code == 401
    assert answer.json()["error"]["kind"] == "unknown"
    assert "POST /api/session" in answer.json()["error"]["message"]


async def test_a_guest_becomes_an_account_and_comes_back_from_another_device(house: House) -> None:
    async with house.guest("Ann") as phone, house.client() as desk:
        mine = (await phone.post("/api/account", json={"login": "Ann", "password": "correct horse"})).json()
        assert (mine["guest"], mine["login"]) == (False, "ann")
        wrong = await desk.post("/api/login", json={"login": "ann", "password": "wrong horse"})
        nobody = await desk.post("/api/login", json={"login": "bo", "password": "wrong horse"})
        assert (wrong.status_code, wrong.json()) == (401, nobody.json())
        assert (await desk.post("/api/login", json={"login": "ANN", "password": "correct horse"})).json() == mine
        assert [each["current"] for each in (await desk.get("/api/sessions")).json()] == [True, False]


async def test_another_password_ends_the_other_sessions_and_needs_the_old_one(house: House) -> None:
    async with house.guest("Ann") as phone, house.client() as desk:
        await phone.post("/api/account", json={"login": "Ann", "password": "correct horse"})
        await desk.post("/api/login", json={"login": "ann", "password": "correct horse"})
        wrong = await desk.post("/api/account/password", json={"old": "no idea", "new": "battery staple"})
        assert wrong.status_code == 401
        assert (await phone.get("/api/me")).status_code == 200
        await desk.post("/api/account/password", json={"old": "correct horse", "new": "battery staple"})
        assert (await phone.get("/api/me")).status_code == 401
        assert (await desk.get("/api/me")).status_code == 200
        assert (await phone.post("/api/login", json={"login": "ann", "password": "battery staple"})).status_code == 200


async def test_a_one_time_link_leads_to_a_new_password_and_ends_all_sessions(house: House) -> None:
    async with house.guest("Ann") as ann, house.client() as elsewhere:
        await ann.post("/api/account", json={"login": "lost", "password": "forgotten!"})
        (player,) = await house.store.query(lambda connection: players_named(connection, "lost"))
        now = await house.store.now()
        key = await house.store.write(lambda connection: once.issue(connection, now, "password", player))
        page = await elsewhere.get("/password")
        assert page.headers["content-type"].startswith("text/html")
        back = await elsewhere.post("/api/account/reset", json={"key": key, "new": "found again"})
        assert (back.status_code, back.json()["login"]) == (200, "lost")
        assert (await elsewhere.get("/api/me")).status_code == 200
        assert (await ann.get("/api/me")).status_code == 401
        again = await elsewhere.post("/api/account/reset", json={"key": key, "new": "found again"})
        assert again.status_code == 401
        assert (await ann.post("/api/login", json={"login": "lost", "password": "found again"})).status_code == 200


async def test_a_code_makes_another_device_the_same_player_once(house: House) -> None:
    async with house.guest("Ann") as phone, house.client() as table, house.client() as third:
        code = (await phone.post("/api/device")).json()["code"]
        assert (await table.post("/api/device/claim", json={"code": code.lower()})).json()["name"] == "Ann"
        again = await third.post("/api/device/claim", json={"code": code})
        assert (again.status_code, again.json()["error"]["kind"]) == (401, "unknown")
        assert (await phone.get("/api/me")).json() == (await table.get("/api/me")).json()


async def test_a_session_is_ended_from_another_device_and_by_logging_out(house: House) -> None:
    async with house.guest("Ann") as phone, house.client() as table:
        await table.post("/api/device/claim", json={"code": (await phone.post("/api/device")).json()["code"]})
        other = next(each for each in (await phone.get("/api/sessions")).json() if not each["current"])
        assert (await phone.delete(f"/api/sessions/{other['id']}")).status_code == 200
        assert (await table.get("/api/me")).status_code == 401
        gone = await phone.delete("/api/session")
        assert "Max-Age=0" in gone.headers["set-cookie"]
        assert (await phone.get("/api/me")).status_code == 401


async def test_a_token_does_what_its_scopes_say_and_never_reaches_the_account(house: House) -> None:
    async with house.guest("Ann") as ann:
        token = (await ann.post("/api/tokens", json={"label": "my bot", "scopes": ["read"]})).json()
        async with house.client(authorization=f"Bearer {token['key']}") as bot:
            assert (await bot.get("/api/me")).json()["name"] == "Ann"
            for path in ("/api/tokens", "/api/sessions", "/api/passkeys"):
                answer = await bot.get(path)
                assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "forbidden")
            refused = await bot.post("/api/tables", json={"opening": {"game": "nimmt"}})
            assert (refused.status_code, refused.json()["error"]["kind"]) == (403, "forbidden")
            assert (await ann.delete(f"/api/tokens/{token['id']}")).status_code == 200
            assert (await bot.get("/api/me")).status_code == 401


async def test_a_token_whose_key_was_not_heard_is_asked_for_again_and_there_is_one(house: House) -> None:
    async with house.guest("Ann") as ann:
        wish = {"label": "my bot", "id": "1"}
        lost, heard = [(await ann.post("/api/tokens", json=wish)).json() for _ in range(2)]
        assert [each["id"] for each in (await ann.get("/api/tokens")).json()] == [heard["id"]]
        for key, status in ((lost["key"], 401), (heard["key"], 200)):
            async with house.client(authorization=f"Bearer {key}") as bot:
                assert (await bot.get("/api/me")).status_code == status
        await ann.post("/api/tokens", json={**wish, "id": "2"})
        assert len((await ann.get("/api/tokens")).json()) == 2


async def test_a_revocation_by_another_process_is_known_soon(serve: Serve) -> None:
    one, other = await serve(), await serve()
    async with one.guest("Ann") as ann, other.client(cookie=f"{NAME}={ann.cookies[NAME]}") as elsewhere:
        assert (await elsewhere.get("/api/me")).status_code == 200
        await ann.delete("/api/session")
        for _ in range(200):
            if (await elsewhere.get("/api/me")).status_code == 401:
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail("it was never known")


async def test_a_passkey_is_kept_and_opens(house: House) -> None:
    async with house.guest("Ann") as phone, house.client() as desk:
        for client in (phone, desk):
            client.headers["host"] = "localhost"
        device = Device("http://localhost", "localhost")
        options = (await phone.post("/api/passkeys/options")).json()
        kept = await phone.post("/api/passkeys", json={"credential": device.create(options), "label": "my phone"})
        assert kept.status_code == 201, kept.text
        assert [each["label"] for each in (await phone.get("/api/passkeys")).json()] == ["my phone"]
        options = (await desk.post("/api/login/passkey/options")).json()
        back = await desk.post("/api/login/passkey", json={"credential": device.get(options)})
        assert back.json() == (await phone.get("/api/me")).json()
        assert back.json()["guest"] is False


async def test_where_browsers_have_no_passkeys_it_says_so(house: House) -> None:
    async with house.guest("Ann") as ann:
        answer = await ann.post("/api/passkeys/options")
    assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "forbidden")
    assert "https" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("registration", "code", "status"),
    [("closed", None, 403), ("code", None, 403), ("code", "wrong", 403), ("code", "let me in", 200)],
)
async def test_a_house_that_is_not_open_takes_whom_it_says(
    serve: Serve, registration: Literal["code", "closed"], code: str | None, status: int
) -> None:
    house = await serve(Settings(registration=registration, registration_code="let me in"))
    async with house.client() as somebody:
        answer = await somebody.post("/api/session", json={} if code is None else {"code": code})
    assert answer.status_code == status
    assert answer.json().get("error", {"kind": "forbidden"})["kind"] == "forbidden"


async def test_a_profile_says_what_anybody_may_know(house: House) -> None:
    async with house.guest("Ann") as ann, house.client() as nobody:
        handle = (await ann.get("/api/me")).json()["handle"]
        assert (await nobody.get(f"/api/players/{handle}")).json() == {"handle": handle, "name": "Ann", "guest": True}
        assert (await nobody.get("/api/players/nobody")).status_code == 404


async def test_a_new_name_is_known_at_once_and_one_that_deceives_is_refused(house: House) -> None:
    async with house.guest("Ann") as ann:
        assert (await ann.patch("/api/me", json={"name": "  Anna "})).json()["name"] == "Anna"
        assert (await ann.get("/api/me")).json()["name"] == "Anna"
        refused = await ann.patch("/api/me", json={"name": "\u202eevil"})
        assert (refused.status_code, refused.json()["error"]["where"]) == (400, "name")


async def test_who_logs_in_takes_the_guest_of_this_device_along(house: House) -> None:
    async with house.guest("Ann") as phone, house.guest("Guest") as desk, house.client() as third:
        await phone.post("/api/account", json={"login": "ann", "password": "correct horse"})
        table = await house.table(desk)
        token = (await desk.post("/api/tokens", json={"label": "a bot"})).json()["key"]
        await third.post("/api/device/claim", json={"code": (await desk.post("/api/device")).json()["code"]})
        mine = (await desk.post("/api/login", json={"login": "ann", "password": "correct horse"})).json()
        assert mine == (await phone.get("/api/me")).json()
        for device in (desk, phone):
            assert [each["id"] for each in (await device.get("/api/me/tables")).json()] == [table]
            assert (await device.get(f"/api/tables/{table}")).json()["sight"]["seat"] == 0
        started = await phone.post(f"/api/tables/{table}/commands", json={"id": "1", "do": "start"})
        assert started.status_code == 200
        # Nothing of the guest's opens the account but this device, which was shown the password.
        assert (await third.get("/api/me")).status_code == 401
        async with house.client(authorization=f"Bearer {token}") as bot:
            assert (await bot.get("/api/me")).status_code == 401


async def test_an_account_does_not_go_along_with_another(house: House) -> None:
    async with house.guest("Ann") as ann, house.guest("Bo") as bo:
        for client, login in ((ann, "ann"), (bo, "bo")):
            await client.post("/api/account", json={"login": login, "password": "correct horse"})
        await house.table(ann)
        await ann.post("/api/login", json={"login": "bo", "password": "correct horse"})
        assert (await ann.get("/api/me/tables")).json() == []
        await ann.post("/api/login", json={"login": "ann", "password": "correct horse"})
        assert len((await ann.get("/api/me/tables")).json()) == 1


async def test_who_turns_out_to_have_two_seats_at_a_table_keeps_both(house: House) -> None:
    async with house.guest("Ann") as phone, house.guest("Guest") as desk:
        await phone.post("/api/account", json={"login": "ann", "password": "correct horse"})
        table = await house.table(phone, options={"seats": 2, "hand": 1})

        async def ask(**command: object) -> int:
            return (await desk.post(f"/api/tables/{table}/commands", json=command)).status_code

        async def sight(seat: int | None) -> dict[str, Any]:
            query = "" if seat is None else f"?seat={seat}"
            found: dict[str, Any] = (await desk.get(f"/api/tables/{table}{query}")).json()["sight"]
            return found

        assert await ask(id="sit", do="sit") == 200
        assert (await desk.post("/api/login", json={"login": "ann", "password": "correct horse"})).status_code == 200
        assert [(await sight(seat))["seat"] for seat in (None, 0, 1, 7)] == [0, 0, 1, 0]
        assert await ask(id="pause", do="pause") == await ask(id="resume", do="resume") == 200
        for seat in (0, 1):
            words = (await sight(seat))["words"]
            assert await ask(id=f"choose-{seat}", do="choose", seat=seat, action=words[0], decision=0) == 200
        while (now := await sight(0))["status"] == "active":  # the lowest card may have to take a row
            [seat] = [each for each in (0, 1) if (await sight(each))["words"]]
            words = (await sight(seat))["words"]
            await ask(id=f"row-{now['decision']}", do="choose", seat=seat, action=words[0], decision=now["decision"])
        again = (await desk.post(f"/api/tables/{table}/commands", json={"id": "again", "do": "rematch"})).json()[
            "table"
        ]
        for command in ("one", "two"):
            sat = await desk.post(f"/api/tables/{again}/commands", json={"id": command, "do": "sit"})
            assert sat.status_code == 200
        assert (await phone.get(f"/api/tables/{again}")).json()["sight"]["status"] == "active"
