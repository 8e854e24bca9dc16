"""`faceup admin ready`: ask a running server whether it is ready."""

from argparse import Namespace
from typing import Final

from faceup.cli.options import Commands, add_config, add_json, command
from faceup.cli.output import print_answer


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "ready",
        "ask the server on this machine whether it is ready (exit status 0 or 1), for health checks",
        ready,
        examples=("faceup admin ready", "FACEUP_PORT=9000 faceup admin ready"),
    )
    add_config(parser)
    add_json(parser)


def ready(arguments: Namespace) -> None:
    """Ask the server at the host, port and base path of the settings whether it is ready.

    Raises:
        Malformed: the settings leave the port to the system.
        OSError: the server does not answer, or is not ready; the message contains its reason.
    """
    import os
    from urllib.error import HTTPError, URLError
    from urllib.request import ProxyHandler, build_opener

    from faceup.core import Malformed
    from faceup.server.process.settings import load_settings

    settings = load_settings({}, os.environ, arguments.config).settings
    if settings.port == 0:
        raise Malformed("port cannot be 0 here: set the port on which the server listens", what="0", where="port")
    host = _LOOPBACK.get(settings.bind_address, settings.bind_address)
    address = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}{settings.base_path}/api/ready"
    try:
        with build_opener(ProxyHandler({})).open(address, timeout=5):
            pass
    except HTTPError as error:
        with error:
            raise OSError(f"{address} answered {error.code}: {error.read(1000).decode('utf-8', 'replace')}") from None
    except URLError as error:
        raise OSError(f"{address} does not answer: {error.reason}") from None
    except OSError as error:  # such as a timeout while reading
        raise OSError(f"{address} does not answer: {error}") from None
    print_answer(arguments, {"ready": True, "address": address}, f"{address}: ready.")


_LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- compared, not bound
"""The address to connect to, for each address that means all network interfaces."""
