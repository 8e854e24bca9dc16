"""What the log says of an error of ours: its type and the way to it, and none of its words.

The words of an error may quote what a client sent, or a position.
"""

import traceback
from pathlib import PurePath
from typing import Final

from faceup.server.logs import LOG

_FRAMES: Final = 8


def log_failure(error: BaseException) -> None:
    """Write a line by which whoever looks after the code finds the place."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    way = " > ".join(f"{PurePath(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
    LOG.error("failed", extra={"fields": {"error": type(error).__name__, "way": way}})
