"""The page's own part in fair deals: the same hashes as everybody's, and a check that finds what was changed."""

import json
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.web.conftest import People, at_table
from tests.web.playing import play

VECTORS = json.loads((Path(__file__).parents[2] / "docs/fair-vectors.json").read_text("utf-8"))["vectors"]

COMPUTED = """async (vector) => {
    const modules = await Promise.all(["live/fair.js", "live/sha256.js"].map(
        (path) => import(new URL(`../${path}`, document.scripts[0].src))));
    const [{ commitment, pledge, key, drawn }, { hex, unhex }] = modules;
    const opened = new Map(vector.contributions.map((each) => [each.seat, unhex(each.contribution)]));
    const made = key(vector.round, unhex(vector.secret), opened);
    return {
        commitment: commitment(vector.round, unhex(vector.secret)),
        pledges: vector.contributions.map((each) => pledge(vector.round, each.seat, unhex(each.contribution))),
        key: hex(made),
        draws: vector.draws.map((draw) => drawn(made, draw.number, draw.below.split(" ").map(BigInt)).join(" ")),
    };
}"""

HASHED = """async () => {
    const { sha256, hex } = await import(new URL("../live/sha256.js", document.scripts[0].src));
    const wrong = [];
    for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
        const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 37) & 255);
        const right = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
        if (hex(sha256(bytes)) !== right) wrong.push(size);
    }
    return wrong;
}"""

VERIFIED = """async (record) => {
    const { verified } = await import(new URL("../live/verify.js", document.scripts[0].src));
    return verified(record);
}"""


async def test_hashes_and_draws_are_those_of_the_vectors_that_everybody_tests_with(people: People) -> None:
    page = await people("/ladder")
    assert await page.evaluate(HASHED) == []
    for vector in VECTORS:
        found = await page.evaluate(COMPUTED, vector)
        assert found["commitment"] == vector["commitment"], vector["name"]
        assert found["pledges"] == [each["pledge"] for each in vector["contributions"]]
        assert found["key"] == vector["key"]
        assert found["draws"] == [draw["numbers"] for draw in vector["draws"]]


@pytest.mark.long
@pytest.mark.parametrize("game", ["niuniu", "war"])
async def test_a_finished_table_is_verified_in_the_page_and_a_changed_record_is_not(people: People, game: str) -> None:
    options = {"niuniu": {"throws": 2}, "war": {"per_suit": 2, "cap": 2}}[game]
    page = await at_table(people, game=game, options=options, terms={"fair": True})
    await play(page)
    record = await (await page.request.get(page.url.replace("/t/", "/api/tables/") + "/record")).json()
    verdict = await page.evaluate(VERIFIED, record)
    assert (verdict["faults"], verdict["contributors"], verdict["outcomes"] > 0) == (
        [],
        [record["entries"][0]["name"]],
        True,
    )
    dealt = next(at for at, entry in enumerate(record["entries"]) if entry.get("outcome"))
    words = record["entries"][dealt]["outcome"].split(" ")
    record["entries"][dealt]["outcome"] = " ".join([words[0], *reversed(words[1:])])
    assert (await page.evaluate(VERIFIED, record))["faults"] == [dealt]
    await page.get_by_role("button", name="Check the fair deal").click()
    await expect(page.get_by_text("As promised")).to_be_visible()
    await expect(page.get_by_text("the promise that this page was shown")).to_be_visible()
