"""The commands that install faceup on all pages, before or after the first release. See `script/install_commands`."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from regenerate import ROOT, regenerate, replace_section

from faceup.installation import RELEASED, requirement

SWITCH: Final = ROOT / "src" / "faceup" / "installation.py"
FOLDERS: Final = (".github", ".devcontainer", "deploy", "docs", "examples", "script", "src")
LEFT_OUT: Final = (SWITCH, Path(__file__).resolve())
COMMAND: Final = re.compile(
    r"(\b(?:pip3? install|uv (?:pip |tool )?(?:install|add)|pipx (?:install|run --spec))(?: -[\w-]+)* |\buvx --from )"
    r'(?:(\\?")(faceup(?![\w-])[^"\\\n]*)\2|(faceup(?![\w-])[^\s`]*))'
)
"""A command that installs faceup, with or without quotes. Each match has what to install, which may be in quotes."""


class Part(NamedTuple):
    """A part of a page that differs before and after the first release."""

    page: str
    name: str
    before: str
    after: str


GHCR: Final = "ghcr.io/faceup-games/faceup"
FILES: Final = "https://raw.githubusercontent.com/faceup-games/faceup/main/deploy/"
DOWNLOAD: Final = "curl -L https://github.com/faceup-games/faceup/archive/main.tar.gz | {}tar xz --strip-components 1"
BUILD: Final = "COMPOSE_FILE=compose.yaml:compose.build.yaml"

UPGRADES: Final = """| installed by | upgrade | remove |
| --- | --- | --- |
| uv | `{uv}` | `uv tool uninstall faceup` |
| pipx | `{pipx}` | `pipx uninstall faceup` |
| pip | `pip install --upgrade "faceup[server]"` | `pip uninstall faceup` |
| `./script/play` | `git pull && ./script/play` | delete the folder of the clone |"""

PARTS: Final = (
    Part(
        "docs/how-to/install.md",
        "state",
        "Version 0.1.0 is not released yet. Until it is, the commands on this page install the newest source from\n"
        "GitHub. They need no git.",
        "The commands on this page install the newest release from the Python Package Index.",
    ),
    Part(
        "docs/how-to/install.md",
        "upgrade",
        UPGRADES.format(uv="uv tool upgrade --reinstall faceup", pipx="pipx reinstall faceup"),
        UPGRADES.format(uv="uv tool upgrade faceup", pipx="pipx upgrade faceup"),
    ),
    Part(
        "docs/tutorials/host-for-your-club.md",
        "start",
        f"""```sh
mkdir -p /opt/faceup && cd /opt/faceup
{DOWNLOAD.format("")}
cd deploy
cp .env.example .env
sed -i 's/^DOMAIN=.*/DOMAIN=cards.example.org/' .env
echo {BUILD} >> .env
install -d -o 10001 -m 0700 backups
docker compose up -d --build --wait
```

Until faceup is released, the last command builds the server on your machine, which takes a few minutes. Then it starts
the server together with Caddy, the program that gets your certificate, and waits until both run.""",
        f"""```sh
mkdir -p /opt/faceup/deploy && cd /opt/faceup/deploy
curl --remote-name-all {FILES}{{compose.yaml,Caddyfile}}
echo DOMAIN=cards.example.org > .env
install -d -o 10001 -m 0700 backups
docker compose up -d --wait
```

The last command downloads the server, starts it together with Caddy, the program that gets your certificate, and waits
until both run.""",
    ),
    Part(
        "docs/tutorials/host-for-your-club.md",
        "get",
        f"""```sh
cd /opt/faceup
{DOWNLOAD.format("")}
cd deploy
docker tag {GHCR} faceup:before  # to go back to
docker compose build
```""",
        f"""```sh
cd /opt/faceup/deploy
docker tag {GHCR} faceup:before  # to go back to
docker compose pull
```""",
    ),
    Part(
        "docs/how-to/compose.md",
        "start",
        f"""```sh
sudo mkdir -p /opt/faceup && cd /opt/faceup
{DOWNLOAD.format("sudo ")}
cd deploy
sudo cp .env.example .env
sudo nano .env                                # set DOMAIN, and add the line {BUILD}
sudo install -d -o 10001 -m 0700 backups      # the user of the container
sudo docker compose up -d --build --wait
```

Until faceup is released, `compose.build.yaml` builds the image on your machine.""",
        f"""```sh
sudo mkdir -p /opt/faceup/deploy && cd /opt/faceup/deploy
sudo curl --remote-name-all {FILES}{{compose.yaml,compose.postgres.yaml,Caddyfile,.env.example}}
sudo cp .env.example .env
sudo nano .env                                # set DOMAIN
sudo install -d -o 10001 -m 0700 backups      # the user of the container
sudo docker compose up -d --wait
```

Compose downloads the image `{GHCR}`, which is there for x86-64 and 64-bit ARM. To build it from a clone, set
`{BUILD}` in `.env`, and add `--build` to the last command.""",
    ),
    Part(
        "docs/how-to/upgrade.md",
        "migrate",
        "The server migrates the database when it starts. Until faceup is released, a new version can have other\n"
        "tables without a migration: then the server prints an error, and changes nothing. Go back, or start\n"
        "with an empty database.",
        "The server migrates the database when it starts.",
    ),
    Part(
        "docs/how-to/upgrade.md",
        "compose",
        f"""```sh
cd /opt/faceup
{DOWNLOAD.format("sudo ")}
cd deploy
sudo docker compose build
sudo docker compose up -d --wait
```""",
        """```sh
cd /opt/faceup/deploy
sudo docker compose pull
sudo docker compose up -d --wait
```""",
    ),
)


def current(text: str, *, released: bool = RELEASED) -> str:
    """Return a text in which every command installs faceup from where it is.

    All sources before the first release have the same version, so an upgrade needs `--force-reinstall` until then: pip
    would keep the installed one.

    >>> current("pipx install faceup[arena]", released=True)
    'pipx install "faceup[arena]"'
    >>> current("pip install --upgrade --force-reinstall faceup", released=True)
    'pip install --upgrade "faceup"'
    """

    def replaced(match: re.Match[str]) -> str:
        command, quote, quoted, plain = match.groups()
        extras = re.match(r"faceup\[([\w,-]+)\]", quoted or plain)
        mark = quote or '"'
        command = command.replace(" --force-reinstall", "")
        if not released:
            command = command.replace(" --upgrade", " --upgrade --force-reinstall")
        return f"{command}{mark}{requirement(extras[1].split(',') if extras else (), released=released)}{mark}"

    return COMMAND.sub(replaced, text)


def texts() -> Iterator[Path]:
    """Yield the files whose commands are checked."""
    yield from sorted(ROOT.glob("*.md"))
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*")):
        if (
            path.is_file()
            and path not in LEFT_OUT
            and path.suffix in {"", ".md", ".py", ".ipynb", ".yaml", ".yml", ".json", ".html"}
        ):
            yield path


def pages(*, released: bool = RELEASED) -> dict[Path, str]:
    """Return the current text of every file that has such a command or part."""
    commands = {}
    for path in texts():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        for part in PARTS:
            if ROOT / part.page == path:
                text = replace_section(text, "install_commands", part.after if released else part.before, part.name)
        text = current(text, released=released)
        if "faceup" in text:
            commands[path] = text
    return commands


def main() -> int:
    """Rewrite all pages, after flipping the switch with `--released`, or with `--check` report wrong ones."""
    released = RELEASED
    if "--released" in sys.argv:
        sys.argv.remove("--released")
        released = True
        switch = SWITCH.read_text("utf-8").replace("RELEASED: Final = False", "RELEASED: Final = True")
        SWITCH.write_text(switch, "utf-8", newline="\n")
    return regenerate("install_commands", "Write the commands that install faceup.", lambda: pages(released=released))


if __name__ == "__main__":
    sys.exit(main())
