"""The pages of all folders are in one list, and the server and the page agree on their addresses."""

import re

from faceup.server.http.pages import PAGES
from faceup.translations import namespaces
from faceup.web.assets import web

ADDRESS = re.compile(r"\{ address: /(.*?)/, element: \"(.*?)\", words: \[(.*?)\]")
SAMPLES = {"/daily/{_:str}": "/daily/2026-11-23"}
LISTED = re.compile(r'^import \{ pages as (\w+) \} from "\./(\w+)/pages\.js";$', re.MULTILINE)


def text_of(path: str) -> str:
    return web().assets[path].plain.decode()


def folders() -> list[str]:
    return [path.removesuffix("/pages.js") for path in sorted(web().assets) if path.endswith("/pages.js")]


def test_the_router_has_the_pages_of_every_folder() -> None:
    text = text_of("pages.js")
    assert [folder for _, folder in LISTED.findall(text)] == folders()
    assert re.findall(r"^  \.\.\.(\w+),$", text, re.MULTILINE) == [name for name, _ in LISTED.findall(text)]


def test_each_address_that_the_server_serves_has_one_page_and_each_page_an_address() -> None:
    routes = [route for folder in folders() for route in ADDRESS.findall(text_of(f"{folder}/pages.js"))]
    patterns = [
        re.compile(pattern.replace("(?<", "(?P<")) for pattern, element, _ in routes if element != "not-found-page"
    ]
    samples = [SAMPLES.get(path, path.replace("{_:str}", "abc")) for path in PAGES]
    matches = {sample: [pattern.pattern for pattern in patterns if pattern.match(sample)] for sample in samples}
    assert {sample: hits for sample, hits in matches.items() if len(hits) != 1} == {}
    assert {pattern.pattern for pattern in patterns} == {pattern for hits in matches.values() for pattern in hits}


def test_the_words_of_each_page_exist() -> None:
    words = {
        word
        for folder in folders()
        for _, _, names in ADDRESS.findall(text_of(f"{folder}/pages.js"))
        for word in re.findall(r"\w+", names)
    }
    assert "shell" in words
    assert words - set(namespaces()) == set()
