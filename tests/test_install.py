"""The wheel, installed with and without extras: what it takes, what works, and what the rest says.

`lean` is a plain install. The long tests install each extra alone, and all of them.
"""

import fcntl
import json
import os
import shlex
import subprocess
import sys
import zipfile
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from tests.server.server_process import free_port

from faceup.cli.main import parser
from faceup.extras import LIBRARIES
from faceup.installation import requirement

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]

MOST_PACKAGES: Final = 15
MOST_BYTES: Final = 40_000_000

IMPORT_EVERYTHING: Final = """
import importlib, pathlib, sys
import faceup
from faceup.extras import MissingExtraError

folder = pathlib.Path(faceup.__file__).parent
for path in sorted(folder.rglob("*.py")):
    name = ".".join(["faceup", *path.relative_to(folder).with_suffix("").parts]).removesuffix(".__init__")
    if path.stem == "__main__":
        continue
    try:
        importlib.import_module(name)
        print(name)
    except MissingExtraError as missing:
        assert f"needs the {missing.extra} extra: uv pip install --python " in str(missing), missing
        print(name, missing.extra)
        package = missing.what if name.startswith(missing.what) else name
        for loaded in [each for each in sys.modules if f"{each}.".startswith(f"{package}.")]:
            del sys.modules[loaded]  # else a module that an incomplete package has left would be found
"""

LACKING: Final = {
    **{f"faceup.arena.report.{name}": "arena" for name in ("charts", "data", "html", "progress", "text", "web_server")},
    "faceup.arena.stats": "arena",
    "faceup.benchmark.leaderboard": "fast",
    "faceup.benchmark.policy_program": "envs",
    "faceup.envs": "envs",
    "faceup.games.batch_base": "fast",
    "faceup.games.env_adapter": "fast",
    "faceup.games.batch_law": "fast",
    "faceup.games.lanes": "fast",
    "faceup.games.nimmt.batch": "fast",
    "faceup.games.nimmt.codingame.numpy_search": "fast",
    "faceup.games.niuniu.batch": "fast",
    "faceup.games.war.batch": "fast",
    "faceup.jax": "jax",
    "faceup.server.process.access_log": "server",
    "faceup.server.accounts": "server",
    "faceup.server.admin": "server",
    "faceup.server.admin.page": "server",
    "faceup.server.http": "server",
    "faceup.server.client": "server",
    "faceup.server.process.http_limits": "server",
    "faceup.server.daily": "server",
    "faceup.server.feature": "server",
    "faceup.server.features": "server",
    "faceup.server.friends": "server",
    "faceup.server.audit": "server",
    "faceup.server.moderation": "server",
    "faceup.server.parties": "server",
    "faceup.server.player_data": "server",
    "faceup.server.puzzles": "server",
    "faceup.server.privacy": "server",
    "faceup.server.replays": "server",
    "faceup.server.research": "server",
    "faceup.server.retention_periods": "server",
    "faceup.server.results": "server",
    "faceup.server.tables": "server",
    "faceup.server.tournaments": "server",
    "faceup.server.live": "server",
    "faceup.server.process.metrics": "server",
    "faceup.server.turns": "server",
    "faceup.server.process.periodic": "server",
    "faceup.server.pictures": "server",
    "faceup.server.process.serve": "server",
    "faceup.server.store": "server",
    "faceup.server.process.tracing": "otel",
    "faceup.server.process.uvicorn_server": "server",
    "faceup.server.workers": "server",
    "faceup.sim.histograms": "fast",
    "faceup.statistics.bootstrap": "fast",
    "faceup.statistics.calibration": "fast",
    "faceup.statistics.effect_size": "fast",
    "faceup.statistics.plackett_luce": "fast",
    "faceup.statistics.stratified": "fast",
}
"""The modules and packages that a plain install cannot import, with the extra that they need."""


class Install(NamedTuple):
    """An environment with the wheel, without any development package."""

    folder: Path

    @property
    def programs(self) -> Path:
        """The folder of the programs."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def home(self) -> Path:
        """The folder in which programs run, which is also their user's home."""
        return self.folder.parent / "home"

    def run(self, program: str, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run a program of the environment."""
        home = self.home
        home.mkdir(exist_ok=True)
        environ = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        environ |= {"HOME": str(home), "FACEUP_DATA": str(home / "data"), "COLUMNS": "200"}
        return subprocess.run(
            [self.programs / program, *arguments],
            cwd=home, env=environ, input=text, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip

    def output(self, program: str, *arguments: str, text: str = "") -> str:
        """Run a program, check that it succeeds, and return what it prints."""
        done = self.run(program, *arguments, text=text)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def has(self, extra: str) -> bool:
        """Return whether an extra is installed."""
        program = f"from faceup.extras import is_installed; print(is_installed({extra!r}))"
        return self.output("python", "-c", program) == "True\n"

    def packages(self) -> list[str]:
        """Return the names of the packages."""
        return sorted(path.name.partition("-")[0] for path in self.folder.rglob("*.dist-info"))

    def size(self) -> int:
        """Return the size of all files of the packages in bytes, without bytecode."""
        [libraries] = {path.parent for path in self.folder.rglob("faceup-*.dist-info")}
        files = (path for path in libraries.rglob("*") if "__pycache__" not in path.parts)
        return sum(path.stat().st_size for path in files if path.is_file())


def uv(*arguments: str | Path) -> str:
    """Run uv outside the project, so that it finds nothing there by accident, and return what it prints."""
    environ = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(
        [sys.executable, "-m", "uv", *arguments],
        cwd=Path.home(), env=environ, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Return a function that makes a folder of a name once, for all processes of this test run."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make(name: str, fill: Callable[[Path], None]) -> Path:
        folder = base / f"install-{name}"
        with (base / f"install-{name}.lock").open("a", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "ready").exists():
                folder.mkdir(exist_ok=True)
                fill(folder)
                (folder / "ready").touch()
        return folder

    return make


@pytest.fixture(scope="session")
def wheel(shared: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    [path] = shared("wheel", build).glob("*.whl")
    return path


def build(folder: Path) -> None:
    """Build the wheel."""
    uv("build", "--quiet", "--wheel", "--out-dir", folder, ROOT)


@pytest.fixture(scope="session")
def install(wheel: Path, shared: Callable[[str, Callable[[Path], None]], Path]) -> Callable[..., Install]:
    """Return a function that installs the wheel with extras into a new environment, in the locked versions."""

    def make(*extras: str) -> Install:
        def fill(folder: Path) -> None:
            locked = folder / "locked.txt"
            exporting = ("export", "--frozen", "--no-dev", "--no-emit-project", "--no-hashes", "--no-annotate")
            chosen = [f"--extra={extra}" for extra in extras]
            locked.write_text(uv(*exporting, "--project", ROOT, *chosen), "utf-8")
            uv("venv", "--quiet", "--python", sys.executable, folder / "venv")
            what = f"faceup[{','.join(extras)}] @ {wheel.as_uri()}"
            uv("pip", "install", "--quiet", "--python", folder / "venv", "--constraint", locked, what)

        return Install(shared("-".join(extras or ("lean",)), fill) / "venv")

    return make


@pytest.fixture(scope="session")
def lean(install: Callable[..., Install]) -> Install:
    return install()


def test_the_wheel_holds_all_of_the_package_and_nothing_else(wheel: Path) -> None:
    files = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = (path for path in (ROOT / "src" / "faceup").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    assert files == {path.relative_to(ROOT / "src").as_posix() for path in ours if path.suffix not in {".nbi", ".nbc"}}
    assert "faceup/py.typed" in files


# A plain install.


def test_a_plain_install_is_small(lean: Install) -> None:
    packages = lean.packages()
    assert len(packages) <= MOST_PACKAGES, packages
    assert lean.size() <= MOST_BYTES
    assert not {"litestar", "numba", "numpy", "sqlalchemy"} & {*packages}


def test_a_plain_install_imports_all_that_needs_no_extra(lean: Install) -> None:
    imported = dict(line.partition(" ")[::2] for line in lean.output("python", "-c", IMPORT_EVERYTHING).splitlines())
    assert {*LACKING} <= {*imported}
    for name, extra in imported.items():
        package = next((package for package in LACKING if f"{name}.".startswith(f"{package}.")), None)
        assert extra == (LACKING[package] if package else ""), name


# Every command of a plain install works, or says which extra it needs.

NIMMT: Final = "faceup play nimmt --seats 2 -o hand=2 --bots steady --clock none --seed 7"
WAR: Final = "faceup play war --seed 7"

WORKING: Final = (
    ("faceup", "heads"),
    ("faceup watch nimmt -o hand=4 --bots gentle,steady,mc@5,greedy --seed 7 --record nimmt.json", "heads: Gentle"),
    ("faceup watch niuniu --seed 7 --record niuniu.json", "Throws won"),
    ("faceup watch war --seed 7 --plain --record war.json", "wins the game"),
    (NIMMT, "expected heads"),
    ("faceup play niuniu --seed 7", "Throws won"),
    (WAR, "wins the game"),
    ("faceup play nimmt --seed 7", "Saved"),
    ("faceup resume", "Saved"),
    ("faceup saved", "faceup resume"),
    ("faceup replay nimmt.json", "heads: Gentle"),
    ("faceup replay nimmt.json --lines", '"status":"finished"'),
    ("faceup replay nimmt.json --html nimmt.html", "The replay is in nimmt.html"),
    ("faceup review niuniu.json --html niuniu.html", "luck"),
    ("faceup puzzles --seed 7", "Which is best?"),
    ("faceup draw nimmt.json", "<svg"),
    ("faceup games", "nimmt:tactical"),
    ("faceup schema", '"$defs"'),
    ("faceup rules niuniu", "Niu Niu"),
    ("faceup bots", "It needs the fast extra: uv pip install "),
    ("faceup bot --help", "It needs the fast extra: uv pip install "),
    ("faceup export mc -o mc.py", "mc.py: "),
    ("faceup export lowest -o lowest.py", "lowest.py: "),
    ("faceup completion bash", "complete"),
    ("faceup odds niuniu --plot odds.svg", "26.5940%"),
    ("faceup odds nimmt --rows 5/6/88/29 --hand 3,30 --plot odds.html", "Fewest heads on average: 30."),
    ("faceup exploit random --game nimmt:tiny -o cards=5 -o rows=1", "23/30"),
    ("faceup nimmt place --rows 5/6/88/29 --plays 7,44,104,37", "heads: 0 0 0 0"),
    ("faceup niuniu score 5 2 4 6 3", "10 points"),
    ("faceup war play --seed 7", "wins by all cards"),
    ("faceup serve --show-settings", "port"),
    ("faceup arena bots", "[[bot]]"),
    ("faceup arena doctor --help", "usage"),
    ("faceup arena match greedy lowest mc@2 random --deals 1 --seed 7", "greedy"),
    ("faceup arena check 'python3 lowest.py'", "follows the protocol"),
)
"""Commands that a plain install runs, in this order, and a part of what each prints."""

FAILING: Final = (
    ("faceup verify nimmt.json", "this record has no fair deals"),
    ("faceup ladder http://127.0.0.1:1", "cannot be reached"),
    ("faceup admin ready --config nothing.toml", "nothing.toml cannot be read"),
    ("faceup arena replay arena.sqlite 0", "there is no log arena.sqlite"),
    ("faceup arena recover arena.sqlite new.sqlite", "there is no log arena.sqlite"),
    ("faceup play nimmt --bots champion", "the bot champion needs the fast extra: uv pip install "),
    ("faceup watch nimmt --bots deep@50ms", "the bot deep@50ms needs the fast extra: uv pip install "),
    ("faceup bot mc --codingame", "faceup bot mc --codingame needs the fast extra: uv pip install "),
    (
        "faceup bot greedy --table http://x/ABCDE",
        "faceup bot --table needs the server extra: uv pip install ",
    ),
    ("faceup llm stub", "a language model needs the llm extra: uv pip install "),
    ("faceup odds niuniu --plot odds.png", "a .png file needs the plot extra: uv pip install "),
)
"""Commands that fail in a plain install for other reasons, or that need an extra for what their options ask for."""

NEEDING: Final = {
    "fast": (
        *("odds war --deals 9", "review nimmt.json", "review war.json", "sim nimmt --deals 9", "warm"),
        "puzzles make --out puzzles.json",
        "benchmark leaderboard .",
    ),
    "arena": (
        *(f"arena {kind} greedy lowest random highest" for kind in ("round-robin", "gauntlet", "ladder")),
        *("arena compare greedy lowest", "bots compare greedy lowest"),
        *("arena table arena.sqlite", "arena report arena.sqlite", "arena view arena.sqlite"),
        "arena bridge http://127.0.0.1:1/t/x -- python3 lowest.py",
        "arena league .",
        *("benchmark run greedy", "benchmark verify greedy.json"),
    ),
    "server": (
        *("serve", "page", "admin registration", "admin announce x", "admin keep", "admin push-keys"),
        *("admin compact", "admin check"),
        *("admin backup x.sqlite", "admin restore x.sqlite", "admin tables list", "admin people list"),
        *(f"admin tables {what} ABCDE" for what in ("show", "pause", "resume", "close", "delete")),
        *(f"admin people {what} Ann" for what in ("remove", "reset-password", "export", "erase")),
        *("admin bans add Ann", "admin bans list", "admin bans remove Ann"),
        *(f"admin {events} list" for events in ("tournaments", "parties")),
        *(f"admin {events} end x" for events in ("tournaments", "parties")),
        *(f"admin {events} hand-over x Ann" for events in ("tournaments", "parties")),
        *("admin log", "admin privacy", "admin research-export games --licence CC0-1.0"),
        *("admin reports list", "admin reports close x"),
        *("admin people rename Ann Bo", "admin people merge Ann Bo", "admin people remove-second-factor Ann"),
    ),
}
"""Commands that need an extra, each with all that its parser requires."""

INPUT: Final = {NIMMT: "h\n" + "".join(f"{card}\n" for card in range(1, 105)) * 2, WAR: "\n" * 1000}
"""What a player types: a hint, and every card twice, as the game asks again after a card that is not in the hand."""


@pytest.mark.long
def test_commands_of_a_plain_install_work(lean: Install) -> None:
    for line, printed in WORKING:
        assert printed in lean.output(*shlex.split(line), text=INPUT.get(line, "")), line


@pytest.mark.long
def test_commands_that_lack_an_extra_say_so_in_one_sentence(lean: Install) -> None:
    lean.output(*WORKING[1][0].split())
    lean.output(*WORKING[3][0].split())
    expected = dict(FAILING)
    for extra, lines in NEEDING.items():
        for line in lines:
            name = max((leaf for leaf in COMMANDS if f"faceup {line} ".startswith(f"{leaf} ")), key=len)
            expected[f"faceup {line}"] = f"{name} needs the {extra} extra: uv pip install "
    with ThreadPoolExecutor(4) as pool:
        outputs = dict(zip(expected, pool.map(lambda line: lean.run(*line.split()), expected), strict=True))
    for line, done in outputs.items():
        assert (done.returncode, done.stdout) == (2, ""), line
        assert done.stderr.removeprefix("faceup: ").partition(expected[line])[1], (line, done.stderr)
        assert len(done.stderr.splitlines()) == 1, line


def leaves(top: ArgumentParser) -> Iterator[str]:
    """Return the names of all commands that run, such as "faceup arena match"."""
    if name := top.get_default("command"):
        yield name
    for action in top._actions:
        if isinstance(action, _SubParsersAction):
            for inner in action.choices.values():
                yield from leaves(inner)


COMMANDS: Final = (*leaves(parser()),)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_tried_in_a_plain_install(command: str) -> None:
    tried = [line for line, _ in (*WORKING, *FAILING)]
    tried += [f"faceup {line}" for lines in NEEDING.values() for line in lines]
    assert any(f"{line} ".startswith(f"{command} ") for line in tried)


def test_a_missing_extra_is_json_where_json_is_asked_for(lean: Install) -> None:
    done = lean.run("faceup", "sim", "nimmt", "--json")
    assert (done.returncode, done.stderr) == (2, "")
    error = json.loads(done.stdout)["error"]
    command = f'uv pip install --python {lean.folder} "{requirement(["fast"])}"'
    assert error == {"kind": "missing_extra", "message": f"faceup sim needs the fast extra: {command}"}


@pytest.mark.parametrize("module", ["faceup.envs", "faceup.games.nimmt.batch", "faceup.server.client"])
def test_an_import_that_lacks_an_extra_raises_the_same_sentence(lean: Install, module: str) -> None:
    program = f"try: import {module}\nexcept ModuleNotFoundError as missing: print(missing)"
    extra = LACKING[module]
    command = f'uv pip install --python {lean.folder} "{requirement([extra])}"'
    assert lean.output("python", "-c", program) == f"{module} needs the {extra} extra: {command}\n"


def test_the_installed_package_reads_and_writes_its_own_notation(lean: Install) -> None:
    program = "import faceup as f; r = f.make('nimmt seats=3'); t = f.write(r, r.start()); print(f.read(t)[0] == r)"
    assert lean.output("python", "-c", program) == "True\n"


# Each extra alone, and all of them.

SERVER: Final = """
import asyncio, subprocess, sys, time, urllib.request
from faceup.server.client import Client, play, policy_chooser
from faceup.server.rooms import Start

async def main(address):
    async with Client(address) as client:
        await client.join("Ann")
        found = await client.make({"game": "nimmt", "options": {"hand": 2, "seats": 2}, "bots": ["greedy"]})
        async with client.live(found.id) as table:
            await table.do(Start())
            await play(table, policy_chooser("lowest"))
            print("the table is", table.status)

command = [sys.argv[1], "serve", "--host", "127.0.0.1", "--port", sys.argv[2], "--database", "games.sqlite"]
server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
address = "http://127.0.0.1:" + sys.argv[2]
try:
    for _ in range(300):
        try:
            urllib.request.urlopen(address + "/api/ready", timeout=1)
            break
        except OSError:
            time.sleep(0.1)
    print(urllib.request.urlopen(address, timeout=9).read()[:15].decode())
    asyncio.run(main(address))
finally:
    server.terminate()
    server.wait()
"""
"""Play a table of a server over a WebSocket. The arguments are the command `faceup` and a free port."""

CLUSTER: Final = """
from faceup.cluster import connect

if __name__ == "__main__":
    with connect(None, 1) as cluster:
        cluster.submit(pow, 2, 5)
        print(cluster.wait())
"""

ENVIRONMENTS: Final = """
import gymnasium, pettingzoo
import faceup.envs

every_seat = faceup.envs.parallel_env("nimmt seats=3 hand=2", render_mode="rgb_array")
every_seat.reset(seed=7)
print(every_seat.render().shape[2])
print(faceup.envs.single_env("nimmt hand=2").reset(seed=7)[0].ndim)
print(faceup.envs.vector_env("niuniu", num_envs=2).reset(seed=7)[0].shape[0])
"""


def try_fast(fast: Install) -> None:
    fast.output(
        *[
            "faceup",
            "watch",
            "nimmt",
            "-o",
            "hand=2",
            "--bots",
            "champion,deep@5,mc@5,steady",
            "--seed",
            "7",
            "--record",
            "nimmt.json",
        ]
    )
    assert "win share" in fast.output(*["faceup", "sim", "nimmt", "--deals", "99", "--seed", "7"])


def try_server(server: Install) -> None:
    (server.home / "play.py").write_text(SERVER, "utf-8")
    printed = server.output("python", "play.py", str(server.programs / "faceup"), str(free_port()))
    assert printed.lower() == "<!doctype html>\nthe table is finished\n"
    assert "finished" in server.output(*["faceup", "admin", "tables", "list", "--database", "games.sqlite"])


def try_arena(arena: Install) -> None:
    shared = "greedy lowest random highest --game nimmt --unit deal --blocks 3 --seed 7"
    assert "greedy is" in arena.output(
        *f"faceup bots compare {shared.replace(' random highest', ' --against random')}".split()
    )
    assert "greedy" in arena.output(*f"faceup arena ladder {shared} --log b.sqlite".split())
    assert "greedy" in arena.output(*["faceup", "arena", "table", "b.sqlite"])
    assert "MB" in arena.output(*["faceup", "arena", "report", "b.sqlite", "-o", "b.html"])


def try_envs(envs: Install) -> None:
    assert envs.output("python", "-c", ENVIRONMENTS).startswith("3\n")


def try_openspiel(openspiel: Install) -> None:
    code = "import pyspiel, faceup.envs.openspiel as o; print(pyspiel.load_game(o.SETTINGS[0].name).num_players())"
    assert openspiel.output("python", "-c", code) == "4\n"


def try_plot(plot: Install) -> None:
    plot.output(*["faceup", "odds", "niuniu", "--plot", "odds.png"])
    assert (plot.home / "odds.png").read_bytes().startswith(b"\x89PNG")


def try_postgres(postgres: Install) -> None:
    """A server needs the extra `server`, too, so here is only what a server connects with."""
    assert postgres.output("python", "-c", "import psycopg; print(psycopg.pq.__impl__)") == "binary\n"


def try_s3(s3: Install) -> None:
    """As for PostgreSQL: here is only what a server reaches S3 with."""
    code = "from obstore.store import S3Store; print(S3Store('cards', prefix='faceup'))"
    assert s3.output("python", "-c", code) == 'S3Store(bucket="cards", prefix="faceup")\n'


def try_otel(otel: Install) -> None:
    """As for PostgreSQL: here is only what a server makes and sends traces with."""
    code = "from importlib.metadata import entry_points as e; print(e(group='opentelemetry_traces_exporter').names)"
    assert "otlp_proto_http" in otel.output("python", "-c", code)


def try_cluster(cluster: Install) -> None:
    (cluster.home / "cluster.py").write_text(CLUSTER, "utf-8")
    assert cluster.output("python", "cluster.py") == "[(0, 32)]\n"


def try_jax(jax: Install) -> None:
    code = (
        "import faceup.jax; e = faceup.jax.make(seats=3); print(e.legal(e.init(7)).shape, e.observe(e.init(7)).shape)"
    )
    assert jax.output("python", "-c", code) == "(3, 108) (3, 205)\n"


ASKED: Final = '{"position": "nimmt seats=2 hand=2 | view=0 sizes=2,2 hand=92,99 rows=77/21/29/74 opening=77,21,29,74"}'


def try_llm(llm: Install) -> None:
    """Ask an endpoint that does not answer."""
    done = llm.run("faceup", "llm", "stub", "--url", "http://127.0.0.1:1", text=ASKED)
    assert (done.returncode, done.stdout) == (1, "")
    assert "127.0.0.1:1" in done.stderr


TRIALS: Final[dict[str, Callable[[Install], None]]] = {
    "fast": try_fast,
    "server": try_server,
    "arena": try_arena,
    "envs": try_envs,
    "openspiel": try_openspiel,
    "jax": try_jax,
    "plot": try_plot,
    "postgres": try_postgres,
    "otel": try_otel,
    "s3": try_s3,
    "cluster": try_cluster,
    "llm": try_llm,
}


def check_imports(installed: Install) -> None:
    """Check that every module is imported, or needs an extra that is not installed."""
    for line in installed.output("python", "-c", IMPORT_EVERYTHING).splitlines():
        module, _, extra = line.partition(" ")
        assert not extra or not installed.has(extra), module


@pytest.mark.long
@pytest.mark.parametrize("extra", LIBRARIES)
def test_each_extra_alone_gives_what_it_is_for(install: Callable[..., Install], extra: str) -> None:
    alone = install(extra)
    assert alone.has(extra)
    check_imports(alone)
    TRIALS[extra](alone)


@pytest.mark.long
def test_all_gives_everything(install: Callable[..., Install]) -> None:
    everything = install("all", "jax")
    assert [line for line in everything.output("python", "-c", IMPORT_EVERYTHING).splitlines() if " " in line] == []
    for trial in TRIALS.values():
        trial(everything)
    unreachable = everything.run(*["faceup", "serve", "--database", "postgresql://x@127.0.0.1:1/x"])
    assert unreachable.returncode
    assert "extra" not in unreachable.stderr
