"""`faceup rules`: guides on a terminal, in a pipe and as JSON."""

import json
import os
import sys
from pathlib import Path

import pytest
from tests.cli.in_process import inside as faceup

from faceup.core import find_game


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_the_rules_are_plain_text_in_a_pipe(game: str) -> None:
    done = faceup("rules", game)
    assert (done.returncode, done.stderr) == (0, "")
    text = done.stdout
    assert text.isascii()
    assert not {"\x1b", "*", "`", "#", "|"} & set(text)
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert "\n\n\n" not in text
    guide = find_game(game).guide
    headings = [line.lstrip("# ") for line in guide.splitlines() if line.startswith("## ")]
    assert headings
    assert [line for line in text.splitlines() if line in headings] == headings


def test_tables_have_columns_and_figures_have_captions_beside_them() -> None:
    text = faceup("rules", "nimmt").stdout
    assert " cards                      heads\n" in text
    assert " multiples of 10            3\n" in text
    assert "  6 [7]          7: the closest lower card is 6, not 5.\n" in text
    assert "  (5) [3]   3 is lower than 5, 7, 88 and 29: you choose a row to take, here the\n" in text


def test_chinese_paragraphs_are_broken_between_any_two_characters() -> None:
    assert "一共 104 张牌\uff0c从 1 到 104。" in faceup("rules", "nimmt", "--language", "zh").stdout


def test_the_rules_are_markdown_in_json() -> None:
    answer = json.loads(faceup("rules", "war", "--json").stdout)
    assert answer == {"game": "war", "title": "War", "guide": find_game("war").guide}


def test_an_unknown_game_gets_the_nearest_name() -> None:
    done = faceup("rules", "nimt")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "faceup: there is no game 'nimt'; did you mean 'nimmt'?\n"


@pytest.mark.sample(1)
@pytest.mark.skipif(os.name != "posix", reason="terminals are POSIX")
@pytest.mark.slow
@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_terminal_gets_a_pager_with_colors_unless_it_is_dumb(term: str, tmp_path: Path) -> None:
    import pty

    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {tmp_path / 'paged'}\n")
    pager.chmod(0o755)
    words = [sys.executable, "-m", "faceup", "rules", "war"]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(words[0], words, {**os.environ, "PAGER": str(pager), "TERM": term})  # noqa: S606 -- the terminal is its standard streams
    shown = b""
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # Linux raises this when the other end is closed
            break
        if not data:
            break
        shown += data
    os.close(terminal)
    assert os.waitpid(pid, 0)[1] == 0
    if term == "dumb":
        assert shown.startswith(b"WAR\r\n")
        assert b"\x1b" not in shown
        assert not (tmp_path / "paged").exists()
    else:
        paged = (tmp_path / "paged").read_text("utf-8")
        assert paged.startswith("\x1b[1mWAR")
        assert "Two is the lowest rank" in paged.replace("\n", " ")
        assert b"lowest" not in shown
