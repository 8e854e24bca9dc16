"""Unit tests of the page's modules, written in JavaScript (`unit/*.js`) and run in Chromium."""

from pathlib import Path

from playwright.async_api import Route
from tests.web.conftest import PageOpener

from faceup.web.assets import web

UNIT = Path(__file__).parent / "unit"
MODULES = sorted(path.stem for path in UNIT.glob("*.js") if path.stem != "assert")
RUN = """async (path) => {
  const results = {};
  for (const [name, test] of Object.entries((await import(path)).tests)) {
    try {
      await test();
      results[name] = "passed";
    } catch (error) {
      results[name] = error.stack;
    }
  }
  return results;
}"""
"""Run all tests of a module; return for each one whether it passed, or its error."""


async def serve_unit_test(route: Route) -> None:
    """Answer a request for a test module, which is not part of the served files."""
    await route.fulfill(path=UNIT / route.request.url.rpartition("/")[2], content_type="text/javascript")


async def test_javascript(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    await page.route("**/unit/*.js", serve_unit_test)
    for module in MODULES:
        results = await page.evaluate(RUN, f"/static/{web().stamp}/unit/{module}.js")
        assert results, module
        assert {name: result for name, result in results.items() if result != "passed"} == {}, module
