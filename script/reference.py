"""What pages list from the code: indexes, scripts, commands, settings, endpoints, rules, Python names, laws, and so on.

`./script/reference` writes it between markers in the pages, so that it can be read on GitHub, too.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import cleandoc, getsource
from pathlib import Path
from typing import Final

import msgspec
from regenerate import regenerate, replace_section

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))

# ruff: noqa: E402 -- the folder of `docs` is on the path only now
from docs.extensions.cli_reference import cli
from docs.extensions.contents import PARTS, all_pages, contents
from docs.extensions.environment_pages import environment, environment_names
from docs.extensions.openapi import endpoints
from docs.extensions.python_names import python_names
from docs.extensions.record_schema import record_schema
from docs.extensions.rules_reference import rules
from docs.extensions.scripts_reference import scripts
from docs.extensions.settings_reference import settings as server_settings

from faceup.core import Game, Rules, Variant, find_game, make
from faceup.core.docstrings import attribute_descriptions
from faceup.core.laws import CATALOG
from faceup.core.observation import Encoding, ObservationPiece, ObservationSpec, ScoreSpec, observation_spec
from faceup.core.options import option_fields
from faceup.core.values import Bounds, View
from faceup.envs import layout
from faceup.envs.observation import encoding_names, observer
from faceup.envs.registration import VERSION, settings
from faceup.envs.rewards import reward_names
from faceup.games.nimmt import state as nimmt_state
from faceup.games.nimmt.parameters import Parameters as NimmtParameters
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.niuniu.state import NiuNiuState, NiuNiuView
from faceup.games.war.parameters import WarParameters
from faceup.games.war.state import WarState, WarView
from faceup.server.features import FEATURES

BAR: Final = r"\|"
"""A bar inside a cell of a Markdown table."""


def table(*columns: str) -> list[str]:
    """Return the first lines of a Markdown table."""
    return [f"| {' | '.join(columns)} |", f"|{' --- |' * len(columns)}"]


def laws() -> str:
    """Return the table of the laws."""
    rows = table("law", "name", "what it requires", "what goes wrong otherwise")
    rows += [f"| {law.number} | {law.name} | {law.requirement} | {law.consequence} |" for law in CATALOG]
    return "\n".join(rows)


def members() -> str:
    """Return the table of the members of `Rules`, in the order and with the annotations of the source code."""
    rows = table("member", "meaning")
    [protocol] = ast.parse(getsource(Rules)).body
    for node in ast.walk(protocol):
        if isinstance(node, ast.AnnAssign):
            rows.append(f"| `{ast.unparse(node)}` | The game's identifier, a class variable. |")
        if isinstance(node, ast.FunctionDef) and node.returns:
            returned = ast.unparse(node.returns)
            arguments = ", ".join(
                f"{argument.arg}: {ast.unparse(argument.annotation)}"
                for argument in node.args.args
                if argument.annotation
            )
            shown = f"{node.name}: {returned}" if node.decorator_list else f"{node.name}({arguments}) -> {returned}"
            shown = shown.replace("'", "").replace("|", BAR)
            rows.append(f"| `{shown}` | {sentences(ast.get_docstring(node))} |")
    return "\n".join(rows)


def sentences(docstring: str | None) -> str:
    """Return a docstring in one line."""
    return " ".join(cleandoc(docstring or "").split())


def attributes(*kinds: type) -> str:
    """Return a table of the attributes that the docstrings of these classes describe."""
    rows = [
        *table("field", "meaning"),
        *(f"| `{name}` | {about} |" for name, about in attribute_descriptions(*kinds).items()),
    ]
    return "\n".join(rows)


def options(rules: type[msgspec.Struct]) -> str:
    """Return a table of the fields of rules."""
    return "\n".join(
        [
            *table("field", "meaning"),
            *(f"| `{name}` | {field.summary} |" for name, field in option_fields(rules).items()),
        ]
    )


def view_fields(state: type, view: type[View]) -> str:
    """Return a table of the fields of a game's view, in the order in which JSON has them."""
    about = attribute_descriptions(View, state, view)
    rows = [*table("field", "meaning"), *(f"| `{name}` | {about[name]} |" for name in view.__struct_fields__)]
    return "\n".join(rows)


def environments() -> str:
    """Return the table of the registered settings."""
    rows = table("name", "seats (default)", "observation, state", "actions, with `wait`", "decisions in a game")
    for game, setting, spec in settings():
        rules = make(spec)
        seats = str(rules.seats)
        if setting not in observation_spec(rules).small:
            low, high = find_game(game).variant(setting).seats
            seats = f"{low} to {high} ({seats})" if low < high else seats
        sizes = f"{observer(rules).size}, {observer(rules).state_space.shape[0]}"
        name = f"[`faceup/{game}-{setting}-*-v{VERSION}`](environments/{game}-{setting}.md)"
        rows.append(f"| {name} | {seats} | {sizes} | {rules.bounds.actions + 1} | {rules.bounds.decisions} |")
    return "\n".join(rows)


def rewards() -> str:
    """Return the table of the rewards that stand in place of the asterisk."""
    names = {game: ", ".join(f"`{name}`" for name in reward_names(make(game))) for game, _, _ in settings()}
    return "\n".join([*table("game", "rewards"), *(f"| `{game}` | {listed} |" for game, listed in names.items())])


def encodings() -> str:
    """Return the layouts of the encodings besides `scalars`, for the default setting of each game that has any."""
    parts: list[str] = []
    for game in dict.fromkeys(game for game, _, _ in settings()):
        rules = make(game)
        parts += [f"### {game}-{rules.variant}: {name}\n\n{layout(rules, name)}" for name in encoding_names(rules)[1:]]
    return "\n\n".join(parts)


def personal_data() -> str:
    """Return the table of what the server stores about people."""
    rows = [
        f"| `{personal.table.name}` | {personal.what} | {personal.why} | {personal.until} |"
        for feature in FEATURES
        for personal in feature.tables
        if personal.columns
    ]
    return "\n".join([*table("where", "what", "why", "deleted with or after"), *rows])


def names_of_modules() -> Iterator[tuple[str, dict[str, Callable[[], str]]]]:
    """Yield each page of the Python API with the tables of its modules, by the module's name."""
    for path in sorted((ROOT / "docs" / "reference" / "python").glob("*.md")):
        if modules := re.findall(r"^\.\. automodule:: (\S+)$", path.read_text("utf-8"), re.MULTILINE):
            yield f"python/{path.name}", {module: partial(python_names, module) for module in modules}


PAGES: Final[dict[str, dict[str, Callable[[], str]]]] = {
    "laws.md": {"laws": laws},
    "protocol.md": {
        "nimmt-rules": lambda: options(NimmtParameters),
        "nimmt-view": lambda: view_fields(nimmt_state.State, nimmt_state.View),
        "nimmt-turn": lambda: attributes(nimmt_state.Turn),
        "niuniu-rules": lambda: options(NiuNiu),
        "niuniu-view": lambda: view_fields(NiuNiuState, NiuNiuView),
        "war-rules": lambda: options(WarParameters),
        "war-view": lambda: view_fields(WarState, WarView),
    },
    "rules-protocol.md": {
        "members": members,
        "bounds": lambda: attributes(Bounds),
        "view": lambda: attributes(View),
        "game": lambda: attributes(Game),
        "variant": lambda: attributes(Variant),
        "observations": lambda: attributes(ObservationSpec),
        "encodings": lambda: attributes(Encoding),
        "pieces": lambda: attributes(ObservationPiece),
        "scores": lambda: attributes(ScoreSpec),
    },
    "../how-to/moderate.md": {"personal-data": personal_data},
    "../contributing/commands.md": {"scripts": scripts},
    **{f"../{part}/index.md": {"contents": partial(contents, part)} for part in PARTS},
    "../index.md": {"all pages": all_pages},
    "cli.md": {"cli": cli},
    **{f"cli-{group}.md": {f"cli {group}": partial(cli, group)} for group in ("arena", "admin")},
    "settings.md": {"settings": server_settings},
    "endpoints.md": {"endpoints": endpoints},
    "record-schema.md": {"schema": record_schema},
    **{f"rules/{game}.md": {"rules": partial(rules, game)} for game in ("nimmt", "niuniu", "war")},
    **dict(names_of_modules()),
    **{f"environments/{name}.md": {"environment": partial(environment, name)} for name in environment_names()},
    "environments.md": {"settings": environments, "rewards": rewards, "encodings": encodings},
}
"""The generated texts: the page, and the function of each text by the name in its markers."""


def current_pages() -> Iterator[tuple[Path, str]]:
    """Yield each page and the text that it should have."""
    for name, parts in PAGES.items():
        path = (ROOT / "docs" / "reference" / name).resolve()
        text = path.read_text("utf-8")
        for part, make_text in parts.items():
            text = replace_section(text, "reference", make_text(), part)
        yield path, text


def main() -> int:
    """Update the pages, or with `--check` report whether they are up to date. Return the exit status."""
    return regenerate("reference", "Write the tables of the reference pages.", lambda: dict(current_pages()))


if __name__ == "__main__":
    sys.exit(main())
