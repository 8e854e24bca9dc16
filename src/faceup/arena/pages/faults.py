"""Who went out, how often and why, each with the line that caused it."""

from collections.abc import Callable, Mapping

from faceup.arena.matches import Cause, Fault, Result
from faceup.arena.pages.tally import Tally
from faceup.arena.telling import answered, cut, shown
from faceup.charts import pages


def faults(
    counted: Mapping[str, Tally], line: Callable[[Result, Fault], bytes | None], link: Callable[[int], str]
) -> str:
    """A table of the causes, bot by bot.

    Args:
        counted: by name.
        line: what the bot had written for that decision, if that is known.
        link: where the match of a number is shown; "" if it is not.
    """
    rows = "".join(
        _row(name, tally, cause, line, link)
        for name, tally in counted.items()
        for cause, _ in tally.faults.most_common()
    )
    if not rows:
        return "<p>Nobody went out: every answer came in time and was legal.</p>"
    return (
        '<div class="scroll"><table class="faults"><thead><tr><th>bot</th><th class="left">cause</th><th>times</th>'
        f'<th class="left">the first time</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(
    name: str,
    tally: Tally,
    cause: Cause,
    line: Callable[[Result, Fault], bytes | None],
    link: Callable[[int], str],
) -> str:
    result, fault = tally.first[cause]
    written, number = line(result, fault), result.match.number
    wrote = "" if written is None else f"<br>It wrote <code>{pages.words(answered(written))}</code>"
    where = f"match {number}" if not (at := link(number)) else f'<a href="{pages.words(at)}">match {number}</a>'
    part = tally.faults[cause] / tally.played
    return (
        f'<tr><td><b>{pages.words(name)}</b></td><td class="out">{pages.words(cause)}</td>'
        f'<td>{tally.faults[cause]:,} <span class="half">{part:.1%}</span></td>'
        f"<td>{where}, decision {fault.decision}: "
        f"{pages.words(cut(shown(fault.words.encode()), 400))}{wrote}</td></tr>"
    )


def line_of(answers: tuple[bytes, ...], fault: Fault) -> bytes | None:
    """What came in place of the answer at which the bot went out.

    >>> from faceup.arena import Cause
    >>> line_of((b"PLAY 3", b"PLAY x"), Fault(0, Cause.MALFORMED, 1, ""))
    b'PLAY x'
    """
    return answers[fault.decision] if fault.decision < len(answers) else None
