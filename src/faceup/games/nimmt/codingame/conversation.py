"""A match from a bot's side of the protocol: line after line in, decision after decision out.

It reads, writes and thinks through what it is given, so that it needs no files and no clock.
"""

from collections.abc import Callable

from faceup.core.errors import Malformed
from faceup.core.values import Action
from faceup.games.nimmt.codingame.asks import LINES, Ask, read_ask, read_start, rescue, write_answer
from faceup.games.nimmt.codingame.recall import Known, Recall


def converse(
    readline: Callable[[], str],
    write: Callable[[str], None],
    say: Callable[[str], None],
    choose: Callable[[Known], Action],
) -> int:
    """Play until the input ends, or says what cannot be read.

    A decision that contradicts itself is answered all the same, by what it says alone, and the match goes on. One that
    cannot be read is answered too if enough of it can, and ends the match.

    Args:
        readline: gives the next line, with its end if it has one; "" when the input has ended.
        write: sends a line.
        say: takes one line for whoever looks after the bot.
        choose: picks one of the legal actions.

    Returns:
        An exit status: 0 if the input ended between two decisions, 2 if something was wrong with it.
    """
    try:
        recall = _start(readline())
    except Malformed as error:
        say(str(error))
        return 2
    number = 2
    while lines := _next_lines(readline):
        try:
            ask = read_ask(lines, number)
        except Malformed as error:
            answer = rescue(lines)
            if answer is not None:
                write(answer)
            say(str(error))
            return 2
        known, doubt = _known(recall, ask)
        if known.legal:
            action = _chosen(choose, known, say)
            write(write_answer(action))
            recall.answered(action)
        if doubt:
            say(doubt)
        if not known.legal:
            return 2
        number += LINES
    say(f"line {number}: the input ends where the next decision was expected")
    return 0


def _start(line: str) -> Recall:
    if not line:
        raise Malformed("line 1: the input ends where `4 playerId` was expected", where="line 1")
    return Recall(read_start(line.rstrip("\r\n")))


def _known(recall: Recall, ask: Ask) -> tuple[Known, str]:
    """What is known now, and what speaks against it."""
    try:
        return recall.hear(ask), ""
    except Malformed as error:
        return recall.told(ask), str(error)


def _next_lines(readline: Callable[[], str]) -> list[str]:
    """The lines of a decision without their ends; fewer if the input ends. A last line without an end is cut short."""
    lines: list[str] = []
    while len(lines) < LINES:
        line = readline()
        if not line.endswith("\n"):
            break
        lines.append(line.rstrip("\r\n"))
    return lines


def _chosen(choose: Callable[[Known], Action], known: Known, say: Callable[[str], None]) -> Action:
    """What `choose` picks; if that fails, or is not legal, the first legal action, so that an answer goes out."""
    try:
        action = choose(known)
    except Exception as error:  # noqa: BLE001 -- whatever goes wrong inside, the match must not be lost by it
        say(f"choosing failed, and the first legal answer was given: {type(error).__name__}: {error}")
        return known.legal[0]
    if action not in known.legal:
        say(f"{action} was chosen, which is not legal, and the first legal answer was given")
        return known.legal[0]
    return action
