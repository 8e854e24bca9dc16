"""Commands that run a script in a shell, like `sh -c "..."`, and the words of the script."""

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

_SHELLS: Final = {"sh", "bash", "dash", "ksh", "zsh"}


def is_shell_script(command: Sequence[str]) -> bool:
    """Return whether a command is like `sh -c "..."`.

    >>> is_shell_script(["sh", "-c", "./mine 2>log"]), is_shell_script(["sh", "mine.sh"])
    (True, False)
    """
    return len(command) > 2 and Path(command[0]).name in _SHELLS and re.fullmatch("-[a-z]*c", command[1]) is not None


def script_words(command: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the word or operator before each word of the script of `sh -c "..."`, and the word.

    >>> list(script_words(["sh", "-c", "./mine 2>log"]))
    [('', './mine'), ('./mine', '2'), ('2', '>'), ('>', 'log')]
    """
    if is_shell_script(command):
        lexer = shlex.shlex(command[2], posix=True, punctuation_chars=True)
        lexer.whitespace_split, lexer.commenters = True, ""
        with suppress(ValueError):  # quotes that do not close; the shell reports it
            yield from pairwise(["", *lexer])
