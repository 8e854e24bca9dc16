"""HEAD, at every address that answers GET: the same answer without its body, as proxies and monitors ask for it."""

import asyncio

from faceup.server.api.callers import Scope
from faceup.server.api.front import App, Message, Receive, Send


class Heads:
    """An ASGI application around another that knows no HEAD."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. What goes on and on, as a stream does, ends when its headers are out."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        out = asyncio.Event()

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
            elif not out.is_set():
                out.set()
                await send({"type": "http.response.body"})

        as_get = {**scope, "method": "GET"}
        answering = asyncio.ensure_future(self._app(as_get, receive, without_body))
        ended = asyncio.create_task(out.wait())
        try:
            await asyncio.wait({answering, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, ended):
                task.cancel()
            said, _ = await asyncio.gather(answering, ended, return_exceptions=True)
            scope["path_template"] = as_get.get("path_template")
        if isinstance(said, Exception):
            raise said
