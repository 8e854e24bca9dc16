"""Worker process for search bots. See `pool` for the protocol."""

from faceup.bots import policy
from faceup.core import SeededGenerator, read
from faceup.server.workers.child_process import answer_requests


def choose(bot: str, position: str, seed: int) -> bytes:
    """Return the choice of a bot as decimal digits, given its view in text notation."""
    rules, view = read(position)
    return b"%d" % policy(rules.game, bot)(rules, view, SeededGenerator(seed))


def main() -> None:
    """Answer requests until the input ends."""
    answer_requests({"choose": choose})


if __name__ == "__main__":
    main()
