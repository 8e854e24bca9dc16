"""The prompt: rules, position, possible answers, and how a reply is read.

A result of a language model can be compared with another only if both had the same prompt. So the prompt has a version,
which contains a digest of everything that is sent before the first position: it changes with the rules' text, too.
"""

import re
from hashlib import sha256
from typing import Any, Final, get_args, get_type_hints

import msgspec

from faceup.core import Action, AnyRules, Malformed, View, find_game, spec
from faceup.core.arguments import check_rules, check_text, check_type
from faceup.core.docstrings import attribute_descriptions

VERSION: Final = 1
"""Increases when `question` or `parse_reply` changes; `instructions` changes the digest."""

_QUOTED: Final = 80
"""The most characters of a reply that a message quotes."""

_INSTRUCTIONS: Final = """\
You play {title}. Everyone chooses in secret, and all choices are revealed together. These are the rules for players:

{guide}

This match is played as `{spec}`, with these parameters:

{parameters}

Players and seats: P1 has seat 0, P2 has seat 1, and so on. Before each of your decisions you get the table, everything
that you may know as JSON, and the possible answers. The fields of the JSON:

{fields}

Think as long as you like. End your reply with one line of this form, with one of the possible answers as written:

ANSWER: {example}
"""

_QUESTION: Final = """\
You are P{player}. The table:

{table}

Everything that you may know:

{knowledge}

Possible answers:

{answers}

End your reply with the line `ANSWER: ` and one of them."""

_ANSWER_LINE: Final = re.compile(r"\banswer\W*:(.*)$", re.IGNORECASE | re.MULTILINE)


def instructions(rules: AnyRules) -> str:
    """Return what a model is sent once, as the system message: the rules, the fields of a position, and how to answer.

    It is the same for all seats and deals, so endpoints can cache it.
    """
    check_rules(rules)
    game, start = find_game(rules.game), rules.start()
    view = rules.view(start, 0)
    described = attribute_descriptions(*reversed(type(start).__mro__), *reversed(type(view).__mro__))
    fields = {name: described[name] for name in _knowledge(view) if name in described}
    for name, kind in get_type_hints(type(view)).items():
        for item in filter(_is_struct, get_args(kind)):
            fields |= {
                f"{name}[].{member}": text for member, text in attribute_descriptions(*reversed(item.__mro__)).items()
            }
    return _INSTRUCTIONS.format(
        title=game.title,
        guide=game.guide.strip(),
        spec=spec(rules),
        parameters=msgspec.json.encode(rules).decode(),
        fields="\n".join(f"- {name}: {text}" for name, text in fields.items()),
        example=rules.describe(0),
    )


def prompt_version(rules: AnyRules) -> str:
    """Return the version of the prompt for these rules: a number, and a digest of `instructions`.

    >>> from faceup.core import make
    >>> prompt_version(make("nimmt")).split("-")[0]
    '1'
    """
    return f"{VERSION}-{sha256(instructions(rules).encode()).hexdigest()[:12]}"


def question(rules: AnyRules, view: View) -> str:
    """Return the message that asks the seat of this view for its decision.

    It is made from the view, so it contains nothing that the seat may not know.

    >>> from faceup.core import read
    >>> rules, view = read("nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=92,99 rows=77/21/29/74 opening=77,21,29,74")
    >>> print(question(rules, view)[-92:])
    Possible answers:
    <BLANKLINE>
    play 92
    play 99
    <BLANKLINE>
    End your reply with the line `ANSWER: ` and one of them.
    """
    _check_position(rules, view)
    names = [f"P{seat + 1}" for seat in range(rules.seats)]
    return _QUESTION.format(
        player=(view.seat or 0) + 1,
        table=find_game(rules.game).drawings["text"](view, names, rules=rules),
        knowledge=msgspec.json.encode(_knowledge(view)).decode(),
        answers="\n".join(map(rules.describe, view.legal)),
    )


def parse_reply(rules: AnyRules, view: View, reply: str) -> Action:
    r"""Return the legal action that a reply names after its last `ANSWER:`, or as the whole reply.

    Upper and lower case, white space, and quotation or emphasis marks around an answer make no difference.

    Raises:
        Malformed: the reply names no legal action; the message lists the possible answers.

    >>> from faceup.core import read
    >>> rules, view = read("nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=92,99 rows=77/21/29/74 opening=77,21,29,74")
    >>> parse_reply(rules, view, "92 would be the 2nd card of the first row. So:\n**Answer:** `Play 92`.")
    91
    """
    _check_position(rules, view)
    check_text("a reply", reply, "ANSWER: play 7")
    lines = _ANSWER_LINE.findall(reply)
    answer = _plain(lines[-1] if lines else reply)
    for action in view.legal:
        if _plain(rules.describe(action)) == answer:
            return action
    raise Malformed(
        f"the reply must end with ANSWER: and one of {', '.join(map(rules.describe, view.legal))}; "
        f"got {(lines[-1] if lines else reply).strip()[-_QUOTED:]!r}",
        what=reply,
        where="reply",
    )


def _check_position(rules: object, view: object) -> None:
    check_rules(rules)
    check_type("view", view, View, "a view of the rules")


def _knowledge(view: View) -> dict[str, Any]:  # Any: JSON
    """Return the members of a view, without the numbers of actions, which would be a second form of the answers."""
    return {name: value for name, value in msgspec.to_builtins(view).items() if name != "legal"}


def _is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _plain(answer: str) -> str:
    """Return the answer in lower case, with single spaces, without marks around it."""
    return re.sub(r"^\W+|\W+$", "", " ".join(answer.split()).casefold())
