"""`faceup verify`: whether the deals of a record are those that the server and the players made together."""

import re
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from faceup.cli.options import Commands, add_json, command

if TYPE_CHECKING:
    from faceup.core.record import Record
    from faceup.table import Verdict


def register(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands,
        "verify",
        "check that a record's deals follow from what the server and the players sealed beforehand",
        verify,
        examples=(
            "faceup verify GAME.json",
            "faceup verify https://games.example/t/TABLE",
            "faceup verify GAME.json --commitment 29a964c5e1fa...",
        ),
    )
    parser.add_argument("record", metavar="RECORD|URL", help="a record of a table with fair deals, or the table's link")
    parser.add_argument(
        "--commitment",
        metavar="HASH",
        help="what your own page showed before anything was dealt, or its beginning; repeatable for several rounds",
        action="append",
        default=[],
    )
    add_json(parser)


def verify(arguments: Namespace) -> None:
    """Check, say so, and leave with status 1 if it is not as claimed."""
    from faceup.table import verify as verdict_on

    record = _fetched(arguments.record) if "://" in arguments.record else _read(arguments.record)
    verdict = verdict_on(record)
    seen = [*verdict.faults, *_unlike(verdict, arguments.commitment)]
    if arguments.json:
        import msgspec

        answer = {"fair": not seen, **msgspec.to_builtins(verdict), "faults": seen}
        print(msgspec.json.encode(answer).decode())
    else:
        _say(verdict, seen, noted=bool(arguments.commitment))
    if seen:
        sys.exit(1)


def _unlike(verdict: "Verdict", commitments: list[str]) -> list[str]:
    """What was seen at the table and does not stand in the record."""
    return [
        f"you saw the commitment {seen}, and the record has none that begins so"
        for seen in commitments
        if not any(true.startswith(seen.lower().rstrip(".")) for true in verdict.commitments)
    ]


def _say(verdict: "Verdict", faults: list[str], *, noted: bool) -> None:
    if faults:
        print("Not as claimed:")
        for fault in faults:
            print(f"  {fault}")
        return
    *void, last = verdict.commitments or ("",)
    count = verdict.outcomes
    chance = "1 outcome of chance follows" if count == 1 else f"{count} outcomes of chance follow"
    who = ", ".join(verdict.contributors)
    made = f"the server and {who} sealed" if who else "the server alone sealed"
    print(f"As claimed: {chance} from what {made} before anything was dealt.")
    print(f"The server's commitment: {last}")
    for commitment in void:
        print(f"Of a round that came to nothing: {commitment}")
    for names, what in (
        (verdict.left_out, "did not open in time, and was left out of a new round"),
        (verdict.silent, "contributed nothing"),
    ):
        for name in names:
            print(f"{name} {what}.")
    if not verdict.finished:
        print("The record stops before the game is over.")
    if not who:
        print("Nobody but the server had a part in it: that proves only that it kept to its own secret.")
    elif noted:
        print("That is the one which you saw, so nobody picked what was dealt.")
    else:
        print("If that is the one which your page showed before the deal, nobody picked what was dealt.")


def _read(path: str) -> "Record":
    from pathlib import Path

    from faceup.terminal import load_record

    return load_record(Path(path))


def _fetched(url: str) -> "Record":
    from faceup.cli.fetching import fetched
    from faceup.core.record import loads

    table = re.fullmatch(r"(https?://.*)/(?:t|api/tables)/([A-Za-z0-9_-]{22})/?", url)
    if table is not None:  # the link that players pass on
        url = f"{table[1]}/api/tables/{table[2]}/record"
    return loads(fetched(url, "a finished table's record"))
