"""Measure matches per second of psyleague: https://github.com/FakePsyho/psyleague, which is fetched at run time.

The referee given to it only prints one line, so that psyleague itself is measured, with one worker.
"""

import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

VERSION = "0.4.1"
COMMAND = ("uv", "tool", "run", "--quiet", f"psyleague=={VERSION}")
CONFIGURATION = Path(__file__).parents[1] / "examples" / "psyleague" / "psyleague.cfg"
LINE = '{"ranks":[0,1,2,3],"errors":[0,0,0,0],"test_data":{"seed":7},"player_data":[{},{},{},{}]}\n'
FEW, MANY = 20, 120


def rate() -> float:
    """Measure matches per second, from the difference between a longer run and a shorter one."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        commands = {"cmd_bot_setup": "cp %SRC% %DIR%/%NAME%", "cmd_play_game": "cat line; : %DIR%/%ALL_PLAYERS%"}
        text = CONFIGURATION.read_text("utf-8")
        for key, command in commands.items():
            text = re.sub(rf"(?m)^{key} = .*$", f'{key} = "{command}"', text)
        (folder / "psyleague.cfg").write_text(text, "utf-8")
        (folder / "line").write_text(LINE, "utf-8")
        (folder / "bots").mkdir()
        with subprocess.Popen([*COMMAND, "run", "--games", "1"], cwd=folder, stdout=subprocess.DEVNULL) as first:
            for bot in "abcd":
                (folder / bot).touch()
                add = [*COMMAND, "bot", "add", bot, "--src", bot]
                subprocess.run(add, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
            first.wait(120)
        return (MANY - FEW) / (_seconds(folder, MANY) - _seconds(folder, FEW))


def _seconds(folder: Path, games: int) -> float:
    start = perf_counter()
    command = [*COMMAND, "run", "--games", str(games)]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=300)
    return perf_counter() - start
