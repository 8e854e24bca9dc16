"""A PostgreSQL behind a line that can be cut at the worst moments."""

import socket
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, Self, TypeAlias

When: TypeAlias = Literal["never", "before the commit", "after the commit", "before a commit that comes late"]


class Line:
    """Passes on what a client and a server say.

    Attributes:
        cut: when the line is cut the next time: once, and it is whole again for the next connection. Before the commit
            reaches the server; or after it has, and before its answer reaches the client; or before, and the server
            hears of the commit when the client has long given it up.
        refuses: take no further connections.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self.folder = folder
        self.cut: When = "never"
        self.refuses = False
        self._server = server / ".s.PGSQL.5432"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self.refuses:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                for way in ((client, server), (server, client)):
                    threading.Thread(target=self._pass_on, args=(*way, way[0] is client), daemon=True).start()

    def _pass_on(self, speaker: socket.socket, hearer: socket.socket, asks: bool) -> None:
        with closing(speaker), closing(hearer), suppress(OSError):
            while said := speaker.recv(65536):
                if asks and b"COMMIT" in said and self.cut != "never":
                    how, self.cut = self.cut, "never"
                    speaker.shutdown(socket.SHUT_RDWR)  # the answer finds nobody
                    if how == "before a commit that comes late":
                        time.sleep(0.3)
                    if how != "before the commit":
                        hearer.sendall(said)
                    break
                hearer.sendall(said)
            for end in (speaker, hearer):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
