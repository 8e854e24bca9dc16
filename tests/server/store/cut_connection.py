"""A proxy that closes PostgreSQL connections just before or after a commit."""

import socket
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, Self, TypeAlias

When: TypeAlias = Literal["never", "before the commit", "after the commit", "before a commit that comes late"]


class CommitProxy:
    """Forwards data between client and server.

    Attributes:
        cut: when to cut the next connection, once: before the commit reaches the server; after it has, but before the
            response reaches the client; or before, with the commit arriving 0.3 s later.
        reject_connections: accept no further connections.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self.folder = folder
        self.cut: When = "never"
        self.reject_connections = False
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
                if self.reject_connections:
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._forward, args=(*pair, pair[0] is client), daemon=True).start()

    def _forward(self, source: socket.socket, destination: socket.socket, from_client: bool) -> None:
        with closing(source), closing(destination), suppress(OSError):
            while data := source.recv(65536):
                if from_client and b"COMMIT" in data and self.cut != "never":
                    when, self.cut = self.cut, "never"
                    source.shutdown(socket.SHUT_RDWR)  # the response is lost
                    if when == "before a commit that comes late":
                        time.sleep(0.3)
                    if when != "before the commit":
                        destination.sendall(data)
                    break
                destination.sendall(data)
            for end in (source, destination):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
