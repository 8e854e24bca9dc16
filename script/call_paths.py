"""Draw the way of a choice, and of a feature from its button to the database, for docs/explanation/architecture.md.

The lists below name the steps. Each step is checked in the source code: its file must define the function, and the
function must contain the text after the arrow, which leads to the next step. So a picture cannot be out of date.
"""

import ast
import re
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

PACKAGE: Final = Path(__file__).resolve().parent.parent / "src" / "faceup"

CHOICE: Final = """
web/games/nimmt/hand.js renderHand -> tapped(
web/games/nimmt/nimmt-table.js NimmtTable.#onTap -> this.#confirm()
web/games/nimmt/nimmt-table.js NimmtTable.#confirm -> "choose"
web/table/faceup-table.js FaceupTable.#choose -> this.#send(
web/api/connection.js Connection.#transmit -> #socket.send(
server/http/websocket_protocol.py WebSocketProtocol._deliver -> self._take(
server/http/websocket.py _Connection._take -> parse_message(
server/http/websocket.py _Connection._execute -> hub.send(
server/live/hub.py TableHub.send -> room.send(
server/live/room_actor.py RoomActor.send -> queue.put(
server/live/command_queue.py CommandQueue._process -> self._decide(
server/live/command_queue.py CommandQueue._decide -> step(
server/rooms/decide.py step -> tables.step(
table/decide.py step -> _automatic_entry(
table/decide.py _reveal

server/live/command_queue.py CommandQueue._process -> store.append(
server/store/store.py Store.append -> _writer.add(
server/store/writer.py Writer._store -> _fast.store(
server/store/fast_append.py FastAppender.store -> commit()
server/store/schema.py log

server/live/command_queue.py CommandQueue._process -> self._advance(
server/live/room_actor.py RoomActor._on_advance -> _streams.broadcast(
server/live/subscriptions.py Subscriptions.broadcast -> self.flush
server/live/subscriptions.py Subscriptions.flush -> stream.broadcast(
server/live/subscriptions.py ViewerStream.broadcast -> change.line(
server/rooms/updates.py UpdateEncoder.line

server/live/subscriptions.py ViewerStream.broadcast -> reader.put(
server/http/websocket.py _Connection._write -> _transport.write(
web/api/connection.js Connection.#applyLine -> applyUpdate(
web/api/updates.js applyUpdate

web/api/connection.js Connection.#applyLine -> "update"
web/table/faceup-table.js FaceupTable.#apply -> game.show(
web/games/nimmt/nimmt-table.js NimmtTable.#animate -> animationSteps(
web/games/nimmt/animation-steps.js animationSteps
"""
"""A choice, from the tap to the log and to the reveal on every screen. A blank line starts at a step from before."""

PARTY: Final = """
web/parties/party-join.js PartyJoinPage.#renderInvitation -> @submit=${this.#join}
web/parties/party-join.js PartyJoinPage.#join -> joinParty(
web/parties/requests.js joinParty -> /api/party-links/
server/parties/routes.py use_party_link -> join_party,
server/parties/queries.py join_party -> _add_member(
server/parties/queries.py _add_member -> party_members,
server/parties/schema.py party_members

server/parties/queries.py _add_member -> announce_party(
server/accounts/revocations.py publish -> revocations)
server/accounts/schema.py revocations -> "subject"
server/http/auth.py AuthCache._poll_revocations -> _on_revoked(
server/http/services.py Services._handle_revocations -> changes.notify(
server/live/change_listeners.py ChangeListeners.notify

server/parties/routes.py use_party_link -> changes.notify(
server/live/change_listeners.py ChangeListeners.notify -> event.set()
server/http/long_poll.py long_poll -> await read()
server/parties/routes.py _party_view -> party_of,
server/parties/queries.py party_of -> _members(
server/parties/schema.py party_members

server/http/long_poll.py long_poll -> return state
web/parties/requests.js PartySource.#show -> "change"
web/parties/party.js PartyPage.render
"""
"""Someone joins a party by its link, and the pages of the other members show it."""


class Step(NamedTuple):
    """A function or a database table, and the text in the function that leads to the next step."""

    file: str
    name: str
    text: str

    @property
    def place(self) -> tuple[str, str]:
        """The step without what follows it."""
        return self.file, self.name


def read_steps(text: str) -> list[list[Step]]:
    """Return the chains of steps of one of the lists above.

    Raises:
        ValueError: the source code lacks a step.
    """
    chains = []
    for chain in text.strip().split("\n\n"):
        lines = [line.partition(" -> ") for line in chain.split("\n")]
        places = [place.partition(" ") for place, _, _ in lines]
        chains.append([Step(file, name, text) for (file, _, name), (_, _, text) in zip(places, lines, strict=True)])
    for step in [step for chain in chains for step in chain]:
        if step.text not in source_of(step.file, step.name):
            raise ValueError(f"{step.name} in src/faceup/{step.file} does not contain {step.text!r}")
    return chains


def source_of(file: str, name: str) -> str:
    """Return the source code of a function, method or table. Raises `ValueError` if the file does not define it."""
    text = (PACKAGE / file).read_text("utf-8")
    owner, _, member = name.rpartition(".")
    if file.endswith(".js"):
        indent, kind = ("  ", "(?:async |static )*") if owner else ("", "(?:export )?(?:async )?function ")
        match = re.search(rf"^{indent}{kind}{member}\(.*?^{indent}}}$", text, re.DOTALL | re.MULTILINE)
        if match and (not owner or f"class {owner} " in text):
            return match[0]
    else:
        body = ast.parse(text).body
        if owner:
            body = [
                part for node in body if isinstance(node, ast.ClassDef) and node.name == owner for part in node.body
            ]
        for node in body:
            names = [node.target] if isinstance(node, ast.AnnAssign) else []
            if member in (getattr(node, "name", ""), *map(ast.unparse, names)):
                return ast.get_source_segment(text, node) or ""
    raise ValueError(f"src/faceup/{file} does not define {name}")


def draw_steps(text: str) -> str:
    """Return a list of steps as a fenced Mermaid block, with a box around the steps of each folder."""
    chains = read_steps(text)
    numbers: dict[tuple[str, str], str] = {}
    for step in (step for chain in chains for step in chain):
        numbers.setdefault(step.place, f"step{len(numbers)}")
    lines = ["```mermaid", "flowchart TD"]
    for folder in dict.fromkeys(_folder(file) for file, _ in numbers):
        lines.append(f'  subgraph {folder.replace("/", "_")}["{folder}/"]')
        for (file, name), number in numbers.items():
            if _folder(file) == folder:
                left, right = ("[(", ")]") if file.endswith("schema.py") else ("[", "]")
                label = f"{file.removeprefix(f'{folder}/')}<br>{_escape(name)}"
                lines.append(f'    {number}{left}"{label}"{right}')
        lines.append("  end")
    arrows = [
        f'  {numbers[step.place]} -->|"{_escape(step.text)}"| {numbers[following.place]}'
        for chain in chains
        for step, following in pairwise(chain)
    ]
    return "\n".join([*lines, *dict.fromkeys(arrows), "```\n"])


def _folder(file: str) -> str:
    """Return the folder of the box that shows a file: all of the page, a folder of the server, or another package."""
    parts = file.split("/")
    return "/".join(parts[: 2 if parts[0] == "server" else 1])


def _escape(text: str) -> str:
    """Return a text as Mermaid needs it, without a bracket or comma at its end."""
    text = re.sub(r"[(),]+$", "", text)
    return re.sub(r'[#"<>{}()\[\]`|&]', lambda char: f"#{ord(char[0])};", text)
