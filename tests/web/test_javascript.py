"""Unit tests of the page's modules, written in JavaScript (`unit/*.js`) and run in Chromium."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Route
from tests.web.conftest import PageOpener

from faceup.web.assets import web

UNIT = Path(__file__).parent / "unit"
CASE = re.compile(r'^  "(.+)": ', re.MULTILINE)
CASES = [(path.stem, name) for path in sorted(UNIT.glob("*.js")) for name in CASE.findall(path.read_text("utf-8"))]
RUN = "async ([path, name]) => (await import(path)).tests[name]()"


async def serve_unit_test(route: Route) -> None:
    """Answer a request for a test module, which is not part of the served files."""
    await route.fulfill(path=UNIT / route.request.url.rpartition("/")[2], content_type="text/javascript")


@pytest.mark.parametrize(("module", "name"), CASES)
async def test_javascript(open_page: PageOpener, module: str, name: str) -> None:
    page = await open_page("/ladder")
    await page.route("**/unit/*.js", serve_unit_test)
    await page.evaluate(RUN, [f"/static/{web().stamp}/unit/{module}.js", name])
