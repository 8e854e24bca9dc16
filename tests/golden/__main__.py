"""Regenerate all golden files; review the difference.

python -m tests.golden
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.golden.hands import all_hands
from tests.golden.position_counts import COUNTED, counts
from tests.golden.transcript import SMALL_GAMES, playthrough

from faceup.core import make
from faceup.core.record import schema

HERE = Path(__file__).parent


def golden() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Yield each golden file with the function that computes its content."""
    for words in SMALL_GAMES:
        yield HERE / f"{words.split()[0].replace(':', '-')}.txt", partial(playthrough, make(words))
    yield HERE / "counts.json", _counted
    yield HERE / "niuniu-hands.json", lambda: json.dumps(all_hands(), indent=2) + "\n"
    yield HERE.parents[1] / "docs" / "reference" / "record.schema.json", lambda: json.dumps(schema(), indent=2) + "\n"


def _counted() -> str:
    computed = {words: counts(make(words), depth) for words, depth in COUNTED.items()}
    lines = ",\n".join(f"  {json.dumps(words)}: {json.dumps(numbers)}" for words, numbers in computed.items())
    return f"{{\n{lines}\n}}\n"


if __name__ == "__main__":
    for path, compute in golden():
        path.write_text(compute(), "utf-8")
