"""The command line as Markdown, from its parser.

sphinx-argparse and sphinx-argparse-cli show the examples of a command as one paragraph, and have no table of commands;
GitHub shows nothing of their directives.
"""

from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterable, Iterator
from typing import Final

from faceup.cli.main import parser as full_parser

OWN_PAGES: Final = ("arena", "admin")
"""Groups of commands with a page of their own."""


def cli(*groups: str) -> str:
    """Return the reference of the commands of a group; without a group, of all commands without an own page."""
    prefix = " ".join(["faceup", *groups])
    shown = [
        (name, parser, summary)
        for name, parser, summary in commands(full_parser())
        if (name.startswith(f"{prefix} ") if groups else name.split()[1] not in OWN_PAGES)
    ]
    sections = [section(name, parser) for name, parser, _ in shown]
    return "\n".join([overview([(name, summary) for name, _, summary in shown], with_groups=not groups), *sections])


def commands(parser: ArgumentParser, name: str = "faceup") -> Iterator[tuple[str, ArgumentParser, str]]:
    """Yield every command without subcommands: its full name, its parser, and its summary."""
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other way to list commands
        if isinstance(action, _SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}  # noqa: SLF001 -- likewise
            for word, inner in action.choices.items():
                below = [*commands(inner, f"{name} {word}")]
                yield from below or [(f"{name} {word}", inner, summaries[word])]


def overview(rows: list[tuple[str, str]], *, with_groups: bool) -> str:
    """Return a table of commands with links to their sections."""
    lines = [f"| [`{name}`](#{name.replace(' ', '-')}) | {escape(summary)} |" for name, summary in rows]
    if with_groups:
        lines += [f"| [`faceup {name}`](cli-{name}.md) | on a separate page |" for name in OWN_PAGES]
    return "\n".join(["| command | |", "| --- | --- |", *lines, ""])


def section(name: str, parser: ArgumentParser) -> str:
    """Return the section of a command: what it does, usage, arguments and options, examples."""
    formatter = parser._get_formatter()  # noqa: SLF001 -- it fills in defaults as `--help` does
    shown = [
        action
        for action in parser._actions  # noqa: SLF001 -- argparse has no other way to list options
        if action.help != SUPPRESS and "--help" not in action.option_strings
    ]
    parts = [f"## `{name}`", escape(parser.description or ""), f"```text\n{usage(name, shown)}\n```"]
    rows = []
    for action in shown:
        text = formatter._expand_help(action) if action.help else choices(action)  # noqa: SLF001 -- likewise
        rows.append(f"| {cell(f'`{signature(action)}`')} | {cell(escape(text))} |")
    if rows:
        parts.append("\n".join(["| argument | meaning |", "| --- | --- |", *rows]))
    if parser.epilog:
        _, _, examples = parser.epilog.partition("examples:\n")
        lines = "\n".join(line.removeprefix("  ") for line in examples.splitlines())
        parts.append(f"**Examples**\n\n```sh\n{commented(lines)}\n```")
    return "\n\n".join([*parts, ""])


def usage(name: str, actions: Iterable[Action]) -> str:
    """Return how to call a command: what it needs, and whether it has options. That of argparse differs by version."""
    words = [name]
    if any(action.option_strings and not action.required for action in actions):
        words.append("[OPTIONS]")
    words += [signature(action) for action in actions if action.option_strings and action.required]
    for action in actions:
        if not action.option_strings:
            many = "..." if action.nargs in {"*", "+", "..."} else ""
            words.append(f"[{metavar(action)}]{many}" if action.nargs in {"?", "*"} else f"{metavar(action)}{many}")
    return " ".join(words)


def signature(action: Action) -> str:
    """Return an option with its value, as `-o, --option NAME=VALUE`, or the name of an argument."""
    value = metavar(action)
    if not action.option_strings:
        return value
    takes = "" if action.nargs == 0 else f" [{value}]" if action.nargs == "?" else f" {value}"
    return ", ".join(action.option_strings) + takes


def metavar(action: Action) -> str:
    """Return the name of a value."""
    if action.metavar:
        return " ".join(action.metavar) if isinstance(action.metavar, tuple) else action.metavar
    if action.choices is not None and action.option_strings:
        return "|".join(map(str, action.choices))
    return action.dest.upper().replace("_", "-")


def choices(action: Action) -> str:
    """Return the accepted values of an argument without a help text."""
    return f"one of {', '.join(f'`{choice}`' for choice in action.choices)}" if action.choices else ""


def commented(examples: str) -> str:
    """Put a `#` before the explanation of each example, which follows two or more spaces."""
    lines = []
    for line in examples.splitlines():
        command, gap, comment = line.partition("   ")
        lines.append(f"{command}{gap}# {comment.lstrip()}" if comment.strip() and command.strip() else line)
    return "\n".join(lines)


def cell(text: str) -> str:
    """Return text for a cell of a table."""
    return " ".join(text.replace("\\|", "|").replace("|", "\\|").split())


def escape(text: str) -> str:
    """Escape Markdown outside of code."""
    parts = text.split("`")
    for index in range(0, len(parts), 2):
        for char in "\\*_[]<>|":
            parts[index] = parts[index].replace(char, f"\\{char}")
    return "`".join(parts)
