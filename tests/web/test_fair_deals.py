"""Fair deals in the browser: hashes, contributions and verification."""

import json
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.web.conftest import PageOpener, open_at_table
from tests.web.driver import play_match

VECTORS = json.loads((Path(__file__).parents[2] / "docs/reference/fair-vectors.json").read_text("utf-8"))["vectors"]

COMPUTE_DEAL = """async (vector) => {
    const modules = await Promise.all(["api/fair-deal.js", "api/sha256.js"].map(
        (path) => import(new URL(path, document.querySelector("[rel=icon]").href))));
    const [{ commitment, pledge, deriveKey, drawNumbers }, { hex, unhex }] = modules;
    const opened = new Map(vector.contributions.map((each) => [each.seat, unhex(each.contribution)]));
    const made = deriveKey(vector.round, unhex(vector.secret), opened);
    return {
        commitment: commitment(vector.round, unhex(vector.secret)),
        pledges: vector.contributions.map((each) => pledge(vector.round, each.seat, unhex(each.contribution))),
        key: hex(made),
        draws: vector.draws.map((draw) => drawNumbers(made, draw.number, draw.below.split(" ").map(BigInt)).join(" ")),
    };
}"""

WRONG_HASHES = """async () => {
    const { sha256, hex } = await import(new URL("api/sha256.js", document.querySelector("[rel=icon]").href));
    const wrong = [];
    for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
        const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 37) & 255);
        const right = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
        if (hex(sha256(bytes)) !== right) wrong.push(size);
    }
    return wrong;
}"""

VERIFY = """async (record) => {
    const { verifyDeal } = await import(new URL("api/verify-deal.js", document.querySelector("[rel=icon]").href));
    return verifyDeal(record);
}"""


async def test_hashes_and_draws_match_the_published_vectors(open_page: PageOpener) -> None:
    page = await open_page.again("/ladder")
    assert await page.evaluate(WRONG_HASHES) == []
    for vector in VECTORS:
        computed = await page.evaluate(COMPUTE_DEAL, vector)
        assert computed["commitment"] == vector["commitment"], vector["name"]
        assert computed["pledges"] == [contribution["pledge"] for contribution in vector["contributions"]]
        assert computed["key"] == vector["key"]
        assert computed["draws"] == [draw["numbers"] for draw in vector["draws"]]


@pytest.mark.long
@pytest.mark.parametrize("game", ["niuniu", "war"])
async def test_finished_table_verifies_and_a_changed_record_fails(open_page: PageOpener, game: str) -> None:
    options = {"niuniu": {"throws": 2}, "war": {"per_suit": 2, "cap": 2}}[game]
    page = await open_at_table(open_page, game=game, options=options, terms={"fair": True})
    await play_match(page)
    record = await (await page.request.get(page.url.replace("/t/", "/api/tables/") + "/record")).json()
    verdict = await page.evaluate(VERIFY, record)
    assert (verdict["badEntries"], verdict["contributors"], verdict["outcomes"] > 0) == (
        [],
        [record["entries"][0]["name"]],
        True,
    )
    dealt = next(at for at, entry in enumerate(record["entries"]) if entry.get("outcome"))
    words = record["entries"][dealt]["outcome"].split(" ")
    record["entries"][dealt]["outcome"] = " ".join([words[0], *reversed(words[1:])])
    assert (await page.evaluate(VERIFY, record))["badEntries"] == [dealt]
    await page.get_by_role("button", name="Verify deals").click()
    await expect(page.get_by_text("Verified:")).to_be_visible()
    await expect(page.get_by_text("The commitment matches the one this page received")).to_be_visible()
