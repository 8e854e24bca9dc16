"""Lines of Chinese text are broken between any two characters, also by Rich and Textual."""

from rich.console import Console
from rich.text import Text
from textual.content import Content

from faceup.terminal.text import wrap

GUIDE = "一共 104 张牌\uff0c从 1 到 104。每张牌上都有牛头\uff0c牛头越少越好。"
LINES = ["一共 104 张牌\uff0c从 1 到", "104。每张牌上都有牛头\uff0c", "牛头越少越好。"]


def test_chinese_lines_are_full_in_all_modes() -> None:
    assert wrap(GUIDE, 23) == LINES
    assert [str(line).rstrip() for line in Text(GUIDE).wrap(Console(), 23)] == LINES
    assert [line.plain.rstrip() for line in Content(GUIDE).wrap(23)] == LINES
