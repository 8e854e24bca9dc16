"""The process behind `faceup.server.desk.thinking`: lets bots choose, line by line.

Reads `NUMBER SEED BOT POSITION`, the position a view in text notation, and answers `NUMBER ACTION`, or `NUMBER WHERE`
if the bot failed: a JSON string that says at what, without the error's own words, which quote hands. It ends when its
input does, so it never outlives the server.
"""

import os
import signal
import sys
from typing import Final

import msgspec

from faceup.bots import policy
from faceup.core import Seeded, read
from faceup.server.logs import where

NICE: Final = 5
"""Those who are connected come first."""


def main() -> None:
    """Answer until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this
    if hasattr(os, "nice"):
        os.nice(NICE)
    for line in sys.stdin:
        number, seed, bot, position = line.rstrip("\n").split(" ", 3)
        try:
            rules, view = read(position)
            answer = str(policy(rules.game, bot)(rules, view, Seeded(int(seed))))
        except Exception as error:  # noqa: BLE001 -- a bot may fail in any way, and the next one has to choose
            answer = msgspec.json.encode(where(error)).decode()
        print(f"{number} {answer}", flush=True)  # noqa: T201 -- this is how it answers


if __name__ == "__main__":
    main()
