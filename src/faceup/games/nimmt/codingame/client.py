"""The bot's side of the text protocol: read decisions line by line, and write answers.

The caller passes in the functions that read, write, log and choose actions, so this module needs no files and no clock.
"""

from collections.abc import Callable

from faceup.core.errors import Malformed
from faceup.core.values import Action
from faceup.games.nimmt.codingame.memory import Knowledge, MatchMemory
from faceup.games.nimmt.codingame.messages import (
    LINES,
    DecisionMessage,
    fallback_action,
    format_action,
    parse_decision,
    parse_start,
)


def run_client(
    readline: Callable[[], str],
    write: Callable[[str], None],
    log: Callable[[str], None],
    choose: Callable[[Knowledge], Action],
) -> int:
    """Play until the input ends or an unreadable message arrives.

    If a decision contradicts itself or earlier decisions, it is answered from its own content alone, and the match
    continues. If a decision is unreadable, it is answered if enough of it can be read, and then the match ends.

    Args:
        readline: returns the next line with its line end; "" at the end of the input.
        write: sends a line.
        log: writes one line for the bot's developer.
        choose: chooses one of the legal actions.

    Returns:
        Exit status: 0 if the input ended between two decisions, 2 on invalid input.
    """
    try:
        memory = _start(readline())
    except Malformed as error:
        log(str(error))
        return 2
    number = 2
    while lines := _next_lines(readline):
        try:
            message = parse_decision(lines, number)
        except Malformed as error:
            answer = fallback_action(lines)
            if answer is not None:
                write(answer)
            log(str(error))
            return 2
        knowledge, error_message = _observe(memory, message)
        if knowledge.legal:
            action = _chosen(choose, knowledge, log)
            write(format_action(action))
            memory.record_answer(action)
        if error_message:
            log(error_message)
        if not knowledge.legal:
            return 2
        number += LINES
    log(f"line {number}: the input ends where the next decision was expected")
    return 0


def _start(line: str) -> MatchMemory:
    if not line:
        raise Malformed("line 1: the input ends where `4 playerId` was expected", where="line 1")
    return MatchMemory(parse_start(line.rstrip("\r\n")))


def _observe(memory: MatchMemory, message: DecisionMessage) -> tuple[Knowledge, str]:
    """Update the memory; return the seat's knowledge, and an error message, which is "" if there is no error."""
    try:
        return memory.observe(message), ""
    except Malformed as error:
        return memory.observe_alone(message), str(error)


def _next_lines(readline: Callable[[], str]) -> list[str]:
    """Read the lines of a decision, without line ends.

    Return fewer lines if the input ends within a decision. A last line without a line end is dropped.
    """
    lines: list[str] = []
    while len(lines) < LINES:
        line = readline()
        if not line.endswith("\n"):
            break
        lines.append(line.rstrip("\r\n"))
    return lines


def _chosen(choose: Callable[[Knowledge], Action], knowledge: Knowledge, log: Callable[[str], None]) -> Action:
    """Return the action that `choose` returns, or the first legal action if `choose` fails or its action is illegal."""
    try:
        action = choose(knowledge)
    except Exception as error:  # noqa: BLE001 -- a bug in a bot must not lose the match
        log(f"the bot answered with the first legal action, because `choose` failed: {type(error).__name__}: {error}")
        return knowledge.legal[0]
    if action not in knowledge.legal:
        log(f"the bot answered with the first legal action, because the chosen action {action} is illegal")
        return knowledge.legal[0]
    return action
