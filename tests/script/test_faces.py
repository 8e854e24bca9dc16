import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

from faceup.bots import CHARACTERS, COMPUTER, VISITORS
from faceup.server.rooms.faces import ANIMALS, COLOURS

ROOT = Path(__file__).parents[2]
WEB = ROOT / "src" / "faceup" / "web"
BOTS = {name.lower() for names in (*CHARACTERS.values(), (COMPUTER,), VISITORS) for name in names}


def test_the_faces_are_what_the_script_draws() -> None:
    checked = subprocess.run([ROOT / "script" / "faces", "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_every_animal_and_every_bot_has_a_face() -> None:
    files = {file.stem: file for file in (WEB / "faces").glob("*.svg")}
    assert set(files) == {*ANIMALS, *BOTS}
    for file in files.values():
        assert ET.parse(file).getroot().attrib["viewBox"] == "0 0 100 100"  # noqa: S314 -- our own


def test_the_page_knows_the_same_faces_as_the_server() -> None:
    module = (WEB / "art" / "faces.js").read_text("utf-8")
    lists = [words.split() for words in re.findall(r'"([a-z ]+)"\.split', module)]
    assert (*lists[0], *lists[1]) == ANIMALS
    assert {*lists[2], *lists[3], *lists[4]} == BOTS
    assert f"COLOURS = {COLOURS};" in module
