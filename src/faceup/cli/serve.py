"""`faceup serve`: run a server for online tables."""

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_database, add_json, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from faceup.server.process.settings import Settings


def register(commands: Commands) -> None:
    """Add the command `serve`."""
    parser = command(
        commands,
        "serve",
        "run a server for online tables",
        serve,
        examples=(
            "faceup serve                    serve this machine: http://127.0.0.1:8000",
            "faceup serve --lan              serve the local network: show the address and a QR code",
            "faceup serve --port 9000 --database ~/cards.sqlite",
            "faceup serve --database postgresql://faceup@db/faceup --public-url https://cards.example.org \\",
            "    --trusted-proxies 10.0.0.0/8 --log json",
            "faceup serve --config faceup.toml --show-settings",
        ),
    )
    add_settings(parser)
    parser.add_argument("--show-settings", action="store_true", help="print the settings and their sources, and exit")
    parser.add_argument(
        "--until-input-ends",
        action="store_true",
        help="stop when standard input closes, for example because the parent process ended",
    )
    add_json(parser)


def add_settings(parser: ArgumentParser) -> None:
    """Add a flag for every setting that is not secret. A flag that is not given is None: other sources then decide."""
    parser.add_argument("--host", metavar="ADDRESS", help="address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", metavar="N", help="port to listen on (default 8000); 0 means any free port")
    parser.add_argument(
        "--lan", action=BooleanOptionalAction, help="listen on the local network, and show the address and a QR code"
    )
    add_database(parser)
    parser.add_argument("--public-url", metavar="URL", help="the public address, if the server is behind a proxy")
    parser.add_argument("--base-path", metavar="/PATH", help="path prefix of all URLs")
    parser.add_argument(
        "--trusted-proxies",
        metavar="ADDRESSES",
        help="trusted proxies, which may set the client address: 127.0.0.1,10.0.0.0/8",
    )
    parser.add_argument(
        "--hosts", metavar="NAMES", help="further host names of the server: cards.example.org,.example.net"
    )
    parser.add_argument(
        "--registration",
        choices=("open", "code", "closed"),
        help="who may register (default open); the code is set in FACEUP_REGISTRATION_CODE",
    )
    parser.add_argument("--log", choices=("text", "json"), help="log format (default text)")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), help="minimum log level (default info)"
    )
    parser.add_argument(
        "--admin-port",
        metavar="N",
        help="port of the page for administration (default 0: none); its token is set in FACEUP_ADMIN_TOKEN",
    )
    parser.add_argument("--admin-host", metavar="ADDRESS", help="address of that page (default 127.0.0.1)")
    parser.add_argument("--shutdown-timeout", metavar="SECONDS", help="maximum time for a shutdown (default 10)")
    parser.add_argument("--backup-every", metavar="TIME", help="time between two automatic backups: 1h, 1d")
    parser.add_argument("--backup-to", metavar="FOLDER|URL", help="where they are kept: a folder or s3://BUCKET/PATH")
    parser.add_argument("--backup-keep", metavar="N", help="how many of them are kept (default 14)")
    parser.add_argument("--puzzles", metavar="FILE", help="further puzzles, made by `faceup puzzles make`")
    parser.add_argument("--mail-host", metavar="HOST", help="SMTP server for mail to players (default none)")
    parser.add_argument("--mail-port", metavar="N", help="its port (default 587)")
    parser.add_argument("--mail-tls", choices=("starttls", "tls", "none"), help="its encryption (default starttls)")
    parser.add_argument(
        "--mail-user", metavar="NAME", help="user name there; the password is set in FACEUP_MAIL_PASSWORD"
    )
    parser.add_argument("--mail-from", metavar="ADDRESS", help="address of the sender")
    for flag, what in _LIMITS.items():
        parser.add_argument(flag, metavar="N", help=f"maximum number of {what}; 0 means no limit")


_LIMITS: Final = {
    "--tables-per-player": "open tables of a player (default 100), in which each bot that searches counts, too",
    "--tables-per-address": "open tables of an address (default 3000), counted in the same way",
    "--listed-tables-per-player": "public tables of a player (default 5)",
    "--listed-tables-per-address": "public tables of an address (default 50)",
    "--bot-tables-per-player": "tables of a player with only bots (default 3)",
    "--bot-tables-per-address": "tables of an address with only bots (default 20)",
    "--tournaments-per-player": "tournaments of a host that are not over (default 5)",
    "--tournaments-per-address": "tournaments of the hosts of an address that are not over (default 50)",
    "--correspondence-tables-per-player": "open tables of a player with days per move (default 50)",
    "--correspondence-tables-per-address": "open tables of an address with days per move (default 1000)",
    "--guests-per-address": "new guests of an address in an hour (default 600)",
}
"""The flags of the limits on tables, tournaments and guests, and what each limits."""

_FLAGS: Final = (
    *("host", "port", "lan", "database", "public_url", "base_path", "trusted_proxies", "hosts"),
    *("registration", "log", "log_level", "admin_port", "admin_host", "shutdown_timeout"),
    *("backup_every", "backup_to", "backup_keep", "puzzles"),
    *("mail_host", "mail_port", "mail_tls", "mail_user", "mail_from"),
    *(flag.removeprefix("--").replace("-", "_") for flag in _LIMITS),
)
"""The settings that have a flag. Secrets have none, because other users can list process arguments."""


def serve(arguments: Namespace) -> None:
    """Run the server, or print the settings."""
    import os

    from faceup.server.process.settings import list_settings, load_settings

    flags = {name: getattr(arguments, name) for name in _FLAGS}
    gathered = load_settings(flags, os.environ, arguments.config)
    if arguments.show_settings:
        _show(list_settings(gathered), json=arguments.json)
        return
    from faceup.server.process.logs import setup_logging
    from faceup.server.process.serve import opened
    from faceup.server.process.uvicorn_server import run

    settings = gathered.settings
    setup_logging(settings.log, settings.log_level)
    if arguments.until_input_ends:
        _stop_at_end_of_input()
    run(settings, opened(settings), lambda port: print_addresses(settings, port, json=arguments.json))
    if not arguments.json:
        print(f"Stopped. All tables are saved. Restart with:\n  {_restart_command()}")


def _stop_at_end_of_input() -> None:
    """Send SIGTERM to this process when standard input closes."""
    import os
    import signal
    import sys
    import threading

    def wait() -> None:
        # Read the file descriptor and not `sys.stdin`, because the interpreter locks the buffer of `sys.stdin` at exit.
        while os.read(sys.stdin.fileno(), 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="input", daemon=True).start()


def _show(rows: "list[tuple[str, str, str]]", *, json: bool) -> None:
    if json:
        print_json({name: {"value": value, "from": source} for name, value, source in rows})
        return
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, value, source in rows:
        print(f"{name:{widths[0]}}  {value:{widths[1]}}  {source}")


def print_addresses(settings: "Settings", port: int, *, json: bool) -> None:
    """Print the addresses, and flush the output because a parent process may wait for them."""
    from msgspec.structs import replace

    from faceup.server.process.lan import lan_addresses

    everywhere = settings.bind_address in {"0.0.0.0", "::"}  # noqa: S104 -- compared, not bound
    by_network = lan_addresses() if everywhere and not settings.public_url else []
    addresses = [f"http://{_url_host(each.address)}:{port}{settings.base_path}" for each in by_network]
    if not by_network:
        addresses = [(replace(settings, host="127.0.0.1") if everywhere else settings).address(port)]
    if json:
        print_json({"addresses": addresses, "port": port})
        return
    through = f" ({by_network[0].interface})" if len(by_network) > 1 and by_network[0].interface else ""
    print(f"faceup is running at {addresses[0]}{through}", flush=True)
    if settings.lan and not settings.public_url:
        _print_qr_code([each.interface for each in by_network], addresses)
    print("Press Ctrl-C to stop. All tables are saved.", flush=True)


def _url_host(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _print_qr_code(interfaces: list[str], addresses: list[str]) -> None:
    import os
    import sys

    from faceup.server.process.lan import ground, qr_code

    if not interfaces:
        print("This machine has no network. Connect to one and restart.")
        return
    if sys.stdout.isatty() and "utf" in sys.stdout.encoding.lower():
        print(qr_code(addresses[0], ground=ground(dict(os.environ))), end="")
    print("On a phone in the same network, open this address or scan the code.")
    if len(addresses) > 1:
        print("If that fails, try this machine's other networks:")
        for interface, address in zip(interfaces[1:], addresses[1:], strict=True):
            print(f"  {address}{f' ({interface})' if interface else ''}")
    print(
        "The connection is plain http: it is not encrypted, and browsers do not allow passkeys or keep the screen "
        "on. Everything else works."
    )


def _restart_command() -> str:
    import shlex
    import sys

    from faceup.server.process.settings import redact_password

    return shlex.join(["faceup", *(redact_password(word) if "://" in word else word for word in sys.argv[1:])])
