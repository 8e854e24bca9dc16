"""`faceup serve`: tables online."""

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.options import Commands, add_database, add_json, command

if TYPE_CHECKING:
    from faceup.server.settings import Settings


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "serve",
        "let people play at tables online",
        serve,
        examples=(
            "faceup serve                    for this machine: http://127.0.0.1:8000",
            "faceup serve --lan              for phones at the kitchen table: shows the address and a QR code",
            "faceup serve --port 9000 --database ~/cards.sqlite",
            "faceup serve --database postgresql://faceup@db/faceup --public-url https://cards.example.org \\",
            "    --trusted-proxies 10.0.0.0/8 --log json",
            "faceup serve --config faceup.toml --show-settings",
        ),
    )
    add_settings(parser)
    parser.add_argument(
        "--show-settings", action="store_true", help="print the settings and where each came from, and end"
    )
    parser.add_argument(
        "--until-input-ends",
        action="store_true",
        help="stop when the input ends, as it does with the program that started this, however that ends",
    )
    add_json(parser)


def add_settings(parser: ArgumentParser) -> None:
    """A flag for every setting that is no secret; None if it was not given, and others decide."""
    parser.add_argument("--host", metavar="ADDRESS", help="listen on this address of the machine (127.0.0.1)")
    parser.add_argument("--port", metavar="N", help="listen on this port (8000); 0: any that is free")
    parser.add_argument(
        "--lan", action=BooleanOptionalAction, help="listen on the network, and show the address and a QR code"
    )
    add_database(parser)
    parser.add_argument("--public-url", metavar="URL", help="the address that people use, if a proxy leads here")
    parser.add_argument("--base-path", metavar="/PATH", help="where below that address everything is")
    parser.add_argument(
        "--trusted-proxies", metavar="ADDRESSES", help="proxies that are believed about who asks, with commas between"
    )
    parser.add_argument(
        "--registration",
        choices=("open", "code", "closed"),
        help="who may become a player (open); the code is FACEUP_REGISTRATION_CODE",
    )
    parser.add_argument("--log", choices=("text", "json"), help="lines for people, or for machines (text)")
    parser.add_argument(
        "--log-level", choices=("debug", "info", "warning", "error"), help="leave out what is smaller (info)"
    )
    parser.add_argument("--stop-within", metavar="SECONDS", help="how long a stop may take (10)")


_FLAGS: Final = (
    *("host", "port", "lan", "database", "public_url", "base_path", "trusted_proxies", "registration"),
    *("log", "log_level", "stop_within"),
)
"""Secrets have no flag, since everybody on a machine can list the flags of its processes."""


def serve(arguments: Namespace) -> None:
    """Serve, or print the settings."""
    import os

    from faceup.server.gathering import gather, shown

    flags = {name: getattr(arguments, name) for name in _FLAGS}
    gathered = gather(flags, os.environ, arguments.config)
    if arguments.show_settings:
        _show(shown(gathered), json=arguments.json)
        return
    from faceup.server.logs import begin
    from faceup.server.running import run
    from faceup.server.serving import opened

    settings = gathered.settings
    begin(settings.log, settings.log_level)
    if arguments.until_input_ends:
        _stop_with_the_input()
    run(settings, opened(settings), lambda port: say_where(settings, port, json=arguments.json))
    if not arguments.json:
        print(f"Stopped. Every table is kept; this goes on with them:\n  {_same_again()}")


def _stop_with_the_input() -> None:
    """Ask ourselves to stop, as Ctrl-C does, when nobody is left who could write to us."""
    import os
    import signal
    import sys
    import threading

    def wait() -> None:
        # Not through Python's buffer: an interpreter that ends wants that for itself.
        while os.read(sys.stdin.fileno(), 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="input", daemon=True).start()


def _show(rows: "list[tuple[str, str, str]]", *, json: bool) -> None:
    if json:
        import msgspec

        print(msgspec.json.encode({name: {"value": value, "from": source} for name, value, source in rows}).decode())
        return
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for name, value, source in rows:
        print(f"{name:{widths[0]}}  {value:{widths[1]}}  {source}")


def say_where(settings: "Settings", port: int, *, json: bool) -> None:
    """The addresses; flushed, since whoever started us may be waiting for them."""
    from msgspec.structs import replace

    from faceup.server.lan import reaches

    everywhere = settings.listens_on in {"0.0.0.0", "::"}  # noqa: S104 -- compared, not bound
    by_network = reaches() if everywhere and not settings.public_url else []
    addresses = [f"http://{_host(each.address)}:{port}{settings.base_path}" for each in by_network]
    if not by_network:
        addresses = [(replace(settings, host="127.0.0.1") if everywhere else settings).address(port)]
    if json:
        import msgspec

        print(msgspec.json.encode({"addresses": addresses, "port": port}).decode(), flush=True)
        return
    through = f" ({by_network[0].interface})" if len(by_network) > 1 and by_network[0].interface else ""
    print(f"faceup is at {addresses[0]}{through}", flush=True)
    if settings.lan and not settings.public_url:
        _say_how_phones_come([each.interface for each in by_network], addresses)
    print("Ctrl-C stops it; every table is kept.", flush=True)


def _host(address: str) -> str:
    return f"[{address}]" if ":" in address else address


def _say_how_phones_come(interfaces: list[str], addresses: list[str]) -> None:
    import os
    import sys

    from faceup.server.qr import drawn, ground

    if not interfaces:
        print("This machine has no network: no phone can reach it. Join one, and start again.")
        return
    if sys.stdout.isatty() and "utf" in sys.stdout.encoding.lower():
        print(drawn(addresses[0], ground=ground(dict(os.environ))), end="")
    print("Phones in the same network open this address, or point their camera at the code.")
    if len(addresses) > 1:
        print("If they cannot, this machine is in other networks, too:")
        for interface, address in zip(interfaces[1:], addresses[1:], strict=True):
            print(f"  {address}{f' ({interface})' if interface else ''}")
    print(
        "This is plain http: others in the network could read along, and browsers offer no passkeys and let the screen "
        "go dark; all else works."
    )


def _same_again() -> str:
    import shlex
    import sys

    from faceup.server.gathering import without_password

    return shlex.join(["faceup", *(without_password(word) if "://" in word else word for word in sys.argv[1:])])
