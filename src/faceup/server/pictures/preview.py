"""Previews of links: the title, description and picture that chats and social networks show (Open Graph).

A preview of a table is made from what spectators see of it, with their delay, for all requests. A preview of a
table without spectators shows nothing of it.
"""

from functools import lru_cache
from html import escape
from typing import Final

import msgspec

from faceup.formatting import strip_control_characters
from faceup.server.pictures import SIZES
from faceup.server.pictures.words import all_game_titles, game_title, player_name, winners, word
from faceup.server.rooms.view import RoomSeat, RoomView
from faceup.server.site import SITE
from faceup.translations import Language, join_names
from faceup.web.assets import Asset, make_asset


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """The preview of a link.

    Attributes:
        title: the title.
        description: one or two sentences.
        picture: address of the picture, with the base path.
        page: address of the page, with the base path.
        language: the language of the text.
    """

    title: str
    description: str
    picture: str
    page: str
    language: Language


def page_preview(language: Language, page: str, address: str, base: str) -> Preview:
    """Return the preview of a page without a game.

    Args:
        language: the language of the text.
        page: one of `faceup.server.pictures.PAGES`.
        address: address of the page, without the base path.
        base: the server's base path.
    """
    about = page if page in {"daily", "table"} else "home"
    return Preview(
        title=SITE.get().name if page == "home" else word(language, f"page.{page}", site=SITE.get().name),
        description=word(language, f"page.{about}.description", games=all_game_titles(language)),
        picture=f"{base}/preview/{page}.png?lang={language}",
        page=f"{base}{address}",
        language=language,
    )


def table_preview(
    language: Language, table: str, room_view: RoomView | None, base: str, *, replay: bool = False
) -> Preview:
    """Return the preview of a table or of its replay.

    Args:
        language: the language of the text.
        table: the table's id.
        room_view: what spectators see of the table; None if they may see nothing.
        base: the server's base path.
        replay: whether the page is the replay.
    """
    address = f"/t/{table}/replay" if replay else f"/t/{table}"
    if room_view is None or room_view.status == "closed":
        return page_preview(language, "table", address, base)
    title, description = _describe(language, room_view)
    if replay and room_view.result:
        title = word(language, "table.replay", title=title)
    return Preview(
        title=title,
        description=description,
        # The number makes a site that keeps pictures get a new one.
        picture=f"{base}/t/{table}/preview.png?lang={language}&v={room_view.decision}",
        page=f"{base}{address}",
        language=language,
    )


def _describe(language: Language, room_view: RoomView) -> tuple[str, str]:
    """Return the title and the description of a table."""
    game = game_title(language, room_view.config.game)
    seats = [
        _shown_name(language, seat) if seat else word(language, "seat", number=number)
        for number, seat in enumerate(room_view.seats, 1)
    ]
    names = join_names(language, [name for name, seat in zip(seats, room_view.seats, strict=True) if seat])
    if room_view.result:
        order = sorted(zip(room_view.result.ranks, seats, room_view.result.scores, strict=True))
        standings = ", ".join(f"{name} {score}" for _, name, score in order)
        return winners(language, seats, room_view.result.ranks), word(
            language, "table.finished.description", game=game, standings=standings
        )
    if room_view.status == "active":
        return word(language, "table.active", game=game), word(language, "table.active.description", names=names)
    free = room_view.seats.count(None)
    kind = ".full" if not free else "" if names else ".empty"
    description = word(language, f"table.pending.description{kind}", names=names, free=free)
    return word(language, "table.pending", game=game), description


def _shown_name(language: Language, seat: RoomSeat) -> str:
    return strip_control_characters(player_name(language, seat.name, seat.kind, program=bool(seat.program)))


def with_preview(page: Asset, preview: Preview, origin: str, *, secret: bool) -> Asset:
    """Return the HTML page with the tags of a preview, and with its text for browsers without JavaScript.

    Args:
        page: the page.
        preview: the preview.
        origin: scheme and host of the addresses in the tags, which must be absolute.
        secret: whether the page is sent without compression, because it contains what only its viewer may see.
    """
    if secret:
        return Asset(page.kind, _insert(page.plain, preview, origin), {})
    return _compressed(page.plain, preview, origin)


@lru_cache(64)
def _compressed(plain: bytes, preview: Preview, origin: str) -> Asset:
    return make_asset("index.html", _insert(plain, preview, origin))


def _insert(plain: bytes, preview: Preview, origin: str) -> bytes:
    title, description, site = escape(preview.title), escape(preview.description), escape(SITE.get().name)
    width, height = SIZES["wide"]
    properties = {
        "og:type": "website",
        "og:site_name": site,
        "og:title": title,
        "og:description": description,
        "og:url": escape(origin + preview.page),
        "og:locale": word(preview.language, "locale"),
        "og:image": escape(origin + preview.picture),
        "og:image:type": "image/png",
        "og:image:width": str(width),
        "og:image:height": str(height),
        "og:image:alt": escape(word(preview.language, "picture", title=preview.title)),
    }
    tags = "".join(f'<meta property="{name}" content="{value}">\n' for name, value in properties.items())
    tags += '<meta name="twitter:card" content="summary_large_image">\n'
    for before, after in (
        (f"<title>{site}</title>", f"<title>{title}</title>"),
        ("</head>", f"{tags}</head>"),
        (_DESCRIPTION, f'<meta name="description" content="{description}">'),
        (f"<h1>{site}</h1>", f"<h1>{title}</h1>\n<p>{description}</p>"),
    ):
        plain = plain.replace(before.encode(), after.encode(), 1)
    return plain


_DESCRIPTION: Final = (
    '<meta name="description" content="Table games: everyone chooses in secret, all choices are revealed together.">'
)
