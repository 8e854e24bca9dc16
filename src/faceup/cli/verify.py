"""`faceup verify`: verify the fair deals of a record."""

import re
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.options import Commands, add_json, add_language, command
from faceup.cli.output import print_json
from faceup.cli.words import text

if TYPE_CHECKING:
    from faceup.core.record import Record
    from faceup.table.verification import Verification


def register(commands: Commands) -> None:
    """Add the command `verify`."""
    parser = command(
        commands,
        "verify",
        "verify that a record's deals follow from the secrets committed before the game",
        verify,
        examples=(
            "faceup verify GAME.json",
            "faceup verify https://games.example/t/TABLE",
            "faceup verify GAME.json --commitment 29a964c5e1fa...",
        ),
    )
    parser.add_argument("record", metavar="RECORD|URL", help="a record with fair deals, or the table's link")
    parser.add_argument(
        "--commitment",
        metavar="HASH",
        help="the commitment your page showed before the deal, or its first digits; repeatable",
        action="append",
        default=[],
    )
    add_language(parser)
    add_json(parser)


def verify(arguments: Namespace) -> None:
    """Verify the record, print the result, and exit with status 1 if the record fails the verification."""
    from faceup.table import verify as verify_record

    record = _fetch(arguments.record) if "://" in arguments.record else _read(arguments.record)
    verdict = verify_record(record)
    faults = [*verdict.faults, *_missing_commitments(verdict, arguments.commitment)]
    if arguments.json:
        import msgspec

        answer = {"fair": not faults, **msgspec.to_builtins(verdict), "faults": faults}
        print_json(answer)
    else:
        _print_verdict(verdict, faults, compared=bool(arguments.commitment))
    if faults:
        sys.exit(1)


def _missing_commitments(verdict: "Verification", commitments: list[str]) -> list[str]:
    """Return a message for each given commitment that the record does not contain."""
    return [
        text("verify.missing", commitment=commitment)
        for commitment in commitments
        if not any(true.startswith(commitment.lower().rstrip(".")) for true in verdict.commitments)
    ]


def _print_verdict(verdict: "Verification", faults: list[str], *, compared: bool) -> None:
    if faults:
        print(text("verify.failed"))
        for fault in faults:
            print(f"  {fault}")
        return
    from faceup.translations import join_names
    from faceup.translations.environment import environment_language

    *void, last = verdict.commitments or ("",)
    people = "people" if verdict.contributors else ""
    names = join_names(environment_language(), [text("verify.server"), *verdict.contributors])
    print(text("verify.verified", count=verdict.outcomes, names=names, context=people))
    print(text("verify.commitment", commitment=last))
    for commitment in void:
        print(text("verify.abandoned", commitment=commitment))
    for key, players in (("left_out", verdict.left_out), ("silent", verdict.silent)):
        for name in players:
            print(text(f"verify.{key}", name=name))
    if not verdict.finished:
        print(text("verify.unfinished"))
    proof = "server_only" if not people else "seen" if compared else "compare"
    print(text(f"verify.{proof}"))


def _read(path: str) -> "Record":
    from pathlib import Path

    from faceup.terminal import load_record

    return load_record(Path(path))


def _fetch(url: str) -> "Record":
    from faceup.cli.online import fetch
    from faceup.core.record import loads

    table = re.fullmatch(r"(https?://.*)/(?:t|api/tables)/([A-Za-z0-9_-]{22})/?", url)
    if table is not None:  # the URL is the link that players share, so fetch the record of its table
        url = f"{table[1]}/api/tables/{table[2]}/record"
    return loads(fetch(url, "a finished table's record"))
