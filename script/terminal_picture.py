"""Draw a screen of the terminal app as SVG, for the README. See `script/terminal_picture`."""

import asyncio
import re
from pathlib import Path
from typing import Final

from faceup.core import generator, make
from faceup.core.record import Terms
from faceup.terminal.app import FaceupApp
from faceup.terminal.playback import Playback
from faceup.terminal.session import TerminalSession

PICTURE: Final = Path(__file__).resolve().parent.parent / "docs" / "screenshots" / "terminal.svg"
PLAYERS: Final = (("Ann", "person"), ("Pip", "greedy"), ("Magpie", "greedy"), ("Max", "highest"))


async def draw() -> str:
    """Play four turns, and return the screen as SVG."""
    rules = make("nimmt:cowheadking seats=4")
    session, events = TerminalSession.start(rules, PLAYERS, generator(7), terms=Terms(), keep=False, clock=lambda: 0)
    app = FaceupApp(session, events, playback=Playback("instant"), time=lambda: 0)
    async with app.run_test(size=(100, 28)) as pilot:
        for _ in range(4):
            decision = session.table.decision
            while session.table.decision == decision:
                await pilot.press("enter")
                await pilot.pause(0.1)
        await pilot.pause(0.5)
        return app.export_screenshot(title="faceup play nimmt", simplify=True)


def main() -> None:
    """Write the picture, without the fonts that it would load from another site."""
    picture = re.sub(r"@font-face \{.*?\}\s*", "", asyncio.run(draw()), flags=re.DOTALL)
    PICTURE.write_text(picture.rstrip() + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main()
