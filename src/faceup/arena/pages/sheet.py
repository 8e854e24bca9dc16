"""The paper that all pages of the arena are written on: their style, their one script, and what a browser may do."""

import base64
import hashlib
from functools import cache
from importlib import resources

from faceup.charts import pages


def sheet(title: str, body: str) -> str:
    """A page of the arena. A browser asks nobody for anything for it, and runs no script in it but our own."""
    style, script = _ours("arena.css"), _ours("stepping.js")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowed()}">'
    return pages.whole(title, f"{body}<script>{script}</script>\n", style=style, head=policy)


@cache
def allowed() -> str:
    """What a browser may do for a page: nothing from anywhere, and the one script that has this hash."""
    digest = base64.b64encode(hashlib.sha256(_ours("stepping.js").encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def _ours(name: str) -> str:
    return resources.files("faceup.arena.pages").joinpath(name).read_text("utf-8")
