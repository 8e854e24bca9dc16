"""`faceup admin registration`, `announce`, `keep`: what holds for all servers of a database, while they run."""

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from faceup.cli.admin.database import add_options, settings_of, visit
from faceup.cli.admin.durations import milliseconds
from faceup.cli.admin.printing import print_json
from faceup.cli.options import Commands, command

if TYPE_CHECKING:
    from faceup.server.store import Store


def register(commands: Commands) -> None:
    """Add the commands."""
    registering = command(
        commands,
        "registration",
        "say who may become a player: anybody, whoever has the code, or nobody",
        registration,
        examples=(
            "faceup admin registration                     say how it is",
            "faceup admin registration code --code sesame",
            "faceup admin registration usual               as the server's settings have it",
        ),
    )
    registering.add_argument("how", nargs="?", choices=("open", "code", "closed", "usual"), help="from now on")
    registering.add_argument("--code", metavar="WORD", help="the code; without it, that of the settings")
    add_options(registering)
    announcing = command(
        commands,
        "announce",
        "tell everybody who is connected something, such as that there will be a restart",
        announce,
        examples=(
            'faceup admin announce "The server starts anew; every table goes on." --in 10m',
            "faceup admin announce --off",
        ),
    )
    announcing.add_argument("text", nargs="?", metavar="TEXT", help="a sentence or two")
    announcing.add_argument(
        "--in", dest="within", metavar="TIME", help="when it happens, such as 10m; clients count down"
    )
    announcing.add_argument("--off", action="store_true", help="take it back")
    add_options(announcing)
    keeping = command(
        commands,
        "keep",
        "say how long things are kept, and delete what is older",
        keep,
        examples=(
            "faceup admin keep                             say how it is",
            "faceup admin keep --finished 365d --guests 90d",
            "faceup admin keep --finished forever",
            "faceup admin keep --sweep                     now, and not within the hour",
        ),
    )
    keeping.add_argument("--finished", metavar="TIME", help="tables that were played to their end: 365d, or forever")
    keeping.add_argument("--closed", metavar="TIME", help="tables that were closed before their end: 30d")
    keeping.add_argument("--guests", metavar="TIME", help="guests who did not come back: 90d, or forever")
    keeping.add_argument("--sweep", action="store_true", help="delete what is older now")
    add_options(keeping)


def registration(arguments: Namespace) -> None:
    """Say or change who may become a player."""
    from faceup.core import Malformed
    from faceup.server.people.house import register_by, registration_of

    settings = settings_of(arguments)
    if arguments.how == "code" and not (arguments.code or settings.registration_code):
        raise Malformed("registration by code needs one: --code WORD", where="code")
    if arguments.code and arguments.how != "code":
        raise Malformed(
            "--code is for registration by code: `faceup admin registration code --code WORD`", where="code"
        )

    async def work(store: "Store") -> str:
        if arguments.how:
            await store.write(lambda c: register_by(c, arguments.how, arguments.code))
        return await store.query(lambda c: registration_of(c, settings))

    how = visit(arguments, work)
    if arguments.json:
        print_json({"registration": how})
    else:
        print(
            {"open": "Anybody may become a player.", "code": "Whoever has the code may become a player."}.get(
                how, "Nobody new may become a player."
            )
        )


def announce(arguments: Namespace) -> None:
    """Tell everybody, or take it back."""
    from faceup.core import Malformed
    from faceup.server.people.house import announce as write

    if bool(arguments.text) == arguments.off:
        raise Malformed("say what to announce, or --off to take it back", where="text")
    within = milliseconds(arguments.within) if arguments.within else None

    async def work(store: "Store") -> None:
        now = await store.now()
        await store.write(lambda c: write(c, now, arguments.text, within))

    visit(arguments, work)
    if arguments.json:
        print_json({"announced": arguments.text})
    else:
        print("Taken back." if arguments.off else "Everybody who is connected is told within seconds.")


def keep(arguments: Namespace) -> None:
    """Say or change how long things are kept, and sweep."""
    from faceup.server.admin.keeping import change, kept, sweep

    asked = {name: getattr(arguments, name) for name in _KEPT if getattr(arguments, name)}
    wanted = {name: None if text == "forever" else milliseconds(text) for name, text in asked.items()}

    async def work(store: "Store") -> "tuple[dict[str, int | None], dict[str, int]]":
        if wanted:
            await store.write(lambda c: change(c, wanted))
        swept = await sweep(store) if arguments.sweep else {}
        return await store.query(kept), swept

    times, swept = visit(arguments, work)
    if arguments.json:
        print_json({"keep": times, "deleted": swept})
        return
    for name, time in times.items():
        lasts = "for ever" if time is None else f"for {time / 86_400_000:g} days"
        print(f"{_KEPT[name]} are kept {lasts}.")
    for name, count in swept.items():
        print(f"{_KEPT.get(name, 'Sessions that open nothing any more')} deleted: {count:,}.")


_KEPT: Final = {"finished": "Finished tables", "closed": "Closed tables", "guests": "Guests who do not come back"}
