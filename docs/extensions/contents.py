"""The index of a part of the site: its pages in order, each with its first sentence.

Pages that are not in `ORDER` are listed last, so that a new page is never missing.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parents[1]

ORDER: Final = {
    "tutorials": {
        "": "play-tonight first-bot is-v2-better train-an-agent host-for-your-club write-a-game",
    },
    "how-to": {
        "Install": "install",
        "Play": "browser days-per-move watch parties daily puzzles tournaments player-statistics accounts television"
        " accessibility replays share embed-a-replay",
        "Bots": "arena league debug-a-match codingame sandbox remote-players language-models cluster",
        "Simulate and train": "simulation exploit-a-bot train-in-batches train-with-your-library train-with-jax",
        "Run a server": "run-a-server public-server https compose systemd mail openid back-up-and-restore upgrade"
        " monitor moderate export-games-for-research",
        "Change the games, translate": "add-an-option translate",
    },
    "reference": {
        "Games": "rules/index notation record-schema",
        "Commands and settings": "cli settings",
        "Write a game": "rules-protocol laws python/index",
        "Bots and training": "protocol referee environments batch baselines nimmt-v1",
        "Servers and clients": "api endpoints online-tables daily-deal",
        "Project": "stability licence glossary",
    },
    "explanation": {
        "Play": "sealed-choices fair-deals timeouts tournaments ratings coach",
        "Bots": "bots statistics",
        "Technology": "architecture capacity scale benchmarks",
    },
}
"""The pages of each part, by heading."""

REST: Final = "More"

PARTS: Final = {
    "tutorials": "Tutorials",
    "how-to": "How-to guides",
    "reference": "Reference",
    "explanation": "Explanation",
}
"""The heading of each part."""


def contents(part: str) -> str:
    """Return the lists of pages of a part, and the comment that the site makes its navigation from."""
    groups = [(heading, [*pages]) for heading, pages in grouped(part) if pages]
    lines = []
    for heading, pages in groups:
        lines += [f"## {heading}", ""] if heading and len(groups) > 1 else []
        lines += [f"- [{title(part, page)}]({page}.md): {summary(part, page)}" for page in pages]
        lines.append("")
    return "\n".join([*lines, f"<!-- toctree: {' '.join(page for _, pages in groups for page in pages)} -->"])


def all_pages() -> str:
    """Return the titles of all pages, by part and heading, for the home page."""
    lines = []
    for part, heading in PARTS.items():
        lines += ["", f"### {heading}", ""]
        for group, pages in grouped(part):
            links = " · ".join(f"[{title(part, page)}]({part}/{page}.md)" for page in pages)
            lines += [f"- {group}: {links}" if group else f"- {links}"] if links else []
    return "\n".join(lines[1:])


def grouped(part: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the existing pages of a part by heading."""
    left = {path.stem for path in (DOCS / part).glob("*.md")} - {"index", "cli-arena", "cli-admin"}
    left |= {f"{path.parent.name}/index" for path in (DOCS / part).glob("*/index.md")}
    for heading, names in ORDER[part].items():
        yield heading, [name for name in names.split() if name in left]
        left -= set(names.split())
    yield REST, sorted(left)


def title(part: str, page: str) -> str:
    """Return the title of a page."""
    return (DOCS / part / f"{page}.md").read_text("utf-8").partition("# ")[2].partition("\n")[0]


def summary(part: str, page: str) -> str:
    """Return the first sentence of a page as plain text."""
    body = (DOCS / part / f"{page}.md").read_text("utf-8").partition("# ")[2].partition("\n")[2]
    blocks = (block for block in body.split("\n\n") if re.match(r"\s*(?!```)[\w`*\[]", block))
    text = " ".join(next(blocks, "").split())
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"\{\w+\}`([^<`]*?)\s*(?:<[^>]*>)?`", r"\1", text))
    sentence = re.match(r"(.*?[.!?:])(?= [A-Z`]| faceup|$)", plain)
    return re.sub(r":$", ".", sentence[1] if sentence else plain)
