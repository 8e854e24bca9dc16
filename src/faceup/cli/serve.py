"""`faceup serve`: run a server for online tables."""

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from typing import TYPE_CHECKING, Literal, get_args, get_origin

from faceup.cli.options import Commands, add_database, add_json, command
from faceup.cli.output import print_json
from faceup.cli.words import text

if TYPE_CHECKING:
    from faceup.server.process.settings import Settings


def register(commands: Commands) -> None:
    """Add the command `serve`, and its options with `add_options`."""
    command(
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


def add_options(parser: ArgumentParser) -> None:
    """Add the options, for which all settings are imported. No other command needs them."""
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
    from faceup.server.process.settings import DEFINITIONS

    for name, (kind, setting, default) in DEFINITIONS.items():
        flag, text = f"--{name.replace('_', '-')}", setting.help.format(default=default)
        if name == "database":
            add_database(parser)
        elif kind is bool:
            parser.add_argument(flag, action=BooleanOptionalAction, help=text)
        elif not setting.secret:
            words = get_args(kind) if get_origin(kind) is Literal else None
            parser.add_argument(flag, metavar=setting.metavar, choices=words, help=text)


def serve(arguments: Namespace) -> None:
    """Run the server, or print the settings."""
    import os

    from faceup.server.process.settings import DEFINITIONS, list_settings, load_settings

    flags = {name: getattr(arguments, name, None) for name in DEFINITIONS}
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
        print(f"{text('serve.stopped')}\n  {_restart_command()}")


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
    addresses = [f"http://{_url_host(network.address)}:{port}{settings.base_path}" for network in by_network]
    if not by_network:
        addresses = [(replace(settings, host="127.0.0.1") if everywhere else settings).address(port)]
    if json:
        print_json({"addresses": addresses, "port": port})
        return
    through = f" ({by_network[0].interface})" if len(by_network) > 1 and by_network[0].interface else ""
    print(f"{text('page.running', address=addresses[0])}{through}", flush=True)
    if settings.lan and not settings.public_url:
        print_lan_addresses([network.interface for network in by_network], addresses)
    print(text("serve.key"), flush=True)


def _url_host(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def print_lan_addresses(interfaces: list[str], addresses: list[str]) -> None:
    """Print what people type or scan on their phones: the addresses of a server, each with its network interface."""
    import os
    import sys

    from faceup.server.process.lan import qr_code, terminal_background

    if not interfaces:
        print(text("page.lan.none"))
        return
    if sys.stdout.isatty() and "utf" in sys.stdout.encoding.lower():
        print(qr_code(addresses[0], background=terminal_background(dict(os.environ))), end="")
    print(text("page.lan.open"))
    if len(addresses) > 1:
        print(text("page.lan.others"))
        for interface, address in zip(interfaces[1:], addresses[1:], strict=True):
            print(f"  {address}{f' ({interface})' if interface else ''}")
    print(text("page.lan.plain"))


def _restart_command() -> str:
    import shlex
    import sys

    from faceup.server.process.settings import redact_password

    return shlex.join(["faceup", *(redact_password(word) if "://" in word else word for word in sys.argv[1:])])
