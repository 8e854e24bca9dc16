"""`faceup admin registration`, `announce` and `keep`: change the state shared by all servers of a database."""

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.admin.database import add_options, settings_of, with_database
from faceup.cli.options import Commands, command
from faceup.cli.output import print_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from faceup.server.store import Store


def register(commands: Commands) -> None:
    """Add the commands."""
    registering = command(
        commands,
        "registration",
        "show or set who may register: everyone, holders of a code, or no one",
        registration,
        examples=(
            "faceup admin registration                     show the current state",
            "faceup admin registration code --code sesame",
            "faceup admin registration default             use the server's settings",
        ),
    )
    registering.add_argument(
        "how",
        nargs="?",
        choices=("open", "code", "closed", "default"),
        help="the new state; default: the server's settings",
    )
    registering.add_argument("--code", metavar="WORD", help="the code (default: the one in the settings)")
    add_options(registering)
    announcing = command(
        commands,
        "announce",
        "show a message to all connected clients",
        announce,
        examples=(
            'faceup admin announce "The server restarts. All tables are saved." --in 10m',
            "faceup admin announce --off",
        ),
    )
    announcing.add_argument("text", nargs="?", metavar="TEXT", help="the message")
    announcing.add_argument(
        "--in", dest="within", metavar="TIME", help="time until the event, such as 10m; clients show a countdown"
    )
    announcing.add_argument("--off", action="store_true", help="withdraw the message")
    add_options(announcing)
    keeping = command(
        commands,
        "keep",
        "show or set how long data is kept, and delete older data",
        keep,
        examples=(
            "faceup admin keep                             show the current state",
            "faceup admin keep --finished 365d --guests 90d",
            "faceup admin keep --finished forever",
            "faceup admin keep --sweep                     delete now, not within the hour",
        ),
    )
    keeping.add_argument("--finished", metavar="TIME", help="keep finished tables for this long: 365d, or forever")
    keeping.add_argument(
        "--unfinished", metavar="TIME", help="keep other tables for this long after they were closed: 7d, or forever"
    )
    keeping.add_argument("--guests", metavar="TIME", help="keep inactive guests for this long: 90d, or forever")
    keeping.add_argument(
        "--guests-without-games", metavar="TIME", help="keep inactive guests who never played: 30d, or forever"
    )
    keeping.add_argument("--reports", metavar="TIME", help="keep reports about players for this long: 90d, or forever")
    keeping.add_argument(
        "--log", metavar="TIME", help="keep what operators and hosts did for this long: 365d, or forever"
    )
    keeping.add_argument("--sweep", action="store_true", help="delete older data now")
    add_options(keeping)


def registration(arguments: Namespace) -> None:
    """Show or set who may register."""
    from faceup.core import Malformed
    from faceup.server.accounts.server_state import registration_mode, set_registration
    from faceup.server.audit.log import record

    settings = settings_of(arguments)
    if arguments.how == "code" and not (arguments.code or settings.registration_code):
        raise Malformed(
            "`registration code` must be used with --code WORD, because the settings contain no code", where="code"
        )
    if arguments.code and arguments.how != "code":
        raise Malformed(
            "--code is allowed only with `code`: `faceup admin registration code --code WORD`", where="code"
        )

    async def work(store: "Store") -> str:
        if arguments.how:
            now = store.now()

            def change(connection: "Connection") -> None:
                set_registration(connection, arguments.how, arguments.code)
                record(connection, now, "registration")

            await store.write(change)
        return await store.query(lambda c: registration_mode(c, settings))

    how = with_database(arguments, work)
    if arguments.json:
        print_json({"registration": how})
    else:
        print(
            {"open": "Everyone may register.", "code": "Anyone with the code may register."}.get(
                how, "Registration is closed."
            )
        )


def announce(arguments: Namespace) -> None:
    """Show a message to all connected clients, or withdraw it."""
    from faceup.core import Malformed
    from faceup.server.accounts.server_state import announce as write
    from faceup.server.audit.log import record
    from faceup.server.process.settings import parse_duration

    if bool(arguments.text) == arguments.off:
        raise Malformed("name either TEXT or, to withdraw a message, --off", where="text")
    within = parse_duration(arguments.within) if arguments.within else None

    async def work(store: "Store") -> None:
        now = store.now()

        def change(connection: "Connection") -> None:
            write(connection, now, arguments.text, within)
            record(connection, now, "announce")

        await store.write(change)

    with_database(arguments, work)
    if arguments.json:
        print_json({"announced": arguments.text})
    else:
        print("Announcement withdrawn." if arguments.off else "Announced. Connected clients show it within seconds.")


def keep(arguments: Namespace) -> None:
    """Show or set how long data is kept, and delete older data if requested."""
    from faceup.server.admin.retention import sweep
    from faceup.server.audit.log import record
    from faceup.server.process.settings import parse_duration
    from faceup.server.retention_periods import change, retention_periods

    asked = {name: getattr(arguments, name) for name in _KEPT if getattr(arguments, name)}
    changes = {name: None if text == "forever" else parse_duration(text) for name, text in asked.items()}

    async def work(store: "Store") -> "tuple[dict[str, int | None], dict[str, int]]":
        if changes:
            now = store.now()

            def change_periods(connection: "Connection") -> None:
                change(connection, changes)
                record(connection, now, "keep")

            await store.write(change_periods)
        swept = await sweep(store) if arguments.sweep else {}
        return await store.query(retention_periods), swept

    times, swept = with_database(arguments, work)
    if arguments.json:
        print_json({"keep": times, "deleted": swept})
        return
    for name, time in times.items():
        duration = "forever" if time is None else f"for {time / 86_400_000:g} {'day' if time == 86_400_000 else 'days'}"
        print(f"{_KEPT[name]} are kept {duration}.")
    for name, count in swept.items():
        print(f"{_KEPT.get(name, 'Expired sessions')} deleted: {count:,}.")


_KEPT: Final = {
    "finished": "Finished tables",
    "unfinished": "Unfinished tables",
    "guests": "Inactive guests",
    "guests_without_games": "Inactive guests without games",
    "reports": "Reports",
    "log": "Acts of operators and hosts",
}
