import pytest
from tests.server.results.played_games import play_game
from tests.server.rooms.room_log import IDS, NAMES, Play, nimmt

from faceup.core import generator
from faceup.server.rooms import Sit, create_entries, dumps, fold_log, loads
from faceup.server.rooms.anonymize import anonymize, people_of
from faceup.server.rooms.commands import Remove, Rename, TransferHost
from faceup.server.rooms.decide import rematch_entries
from faceup.server.rooms.entries import EntryBatch
from faceup.server.rooms.names import ERASED_NAME, handle_of

PSEUDONYMS = {IDS[0]: "pseudonym-0", IDS[1]: "pseudonym-1"}


def log_of(play: Play) -> list[tuple[EntryBatch, str | None]]:
    """Return a log with commands that are named as a hub names them."""
    return [(loads(entries), None if name is None else f"{IDS[0]}:{name}") for entries, name in play.log]


def text_of(log: list[tuple[EntryBatch, str | None]]) -> str:
    return "\n".join(f"{dumps(batch).decode()} {command}" for batch, command in log)


@pytest.mark.parametrize("seed", range(5))
def test_only_names_and_ids_of_erased_players_change(seed: int) -> None:
    log = log_of(play_game(3, seed=seed, config=nimmt(seats=4, hand=4, bots=("random",))))
    after = list(anonymize(log, PSEUDONYMS))
    text = text_of(log)
    for player, pseudonym in PSEUDONYMS.items():
        text = text.replace(player, pseudonym)
    names = (ERASED_NAME, f"{ERASED_NAME} 2")
    for name, new in zip(NAMES, names, strict=False):
        text = text.replace(f'"{name}"', f'"{new}"')
    assert text_of(after) == text
    before, now = fold_log(log), fold_log(after)
    assert (now.table.state, now.table.record.result) == (before.table.state, before.table.record.result)
    assert now.table.names[:2] == names
    assert now.table.names[2:] == before.table.names[2:]
    assert people_of(batch for batch, _ in after) == {"pseudonym-0", "pseudonym-1", IDS[2]}


def test_names_and_ids_of_hosts_renamed_and_removed_players_are_replaced() -> None:
    play = Play(nimmt(seats=4))
    for seat in (1, 2):
        play.send(Sit(NAMES[seat]), IDS[seat])
    play.send(Rename(1, "Bonaventura"), IDS[1])
    play.send(Remove(1), IDS[0])
    play.send(TransferHost(2), IDS[0])
    play.send(TransferHost(0), IDS[2])
    after = text_of(list(anonymize(log_of(play), PSEUDONYMS)))
    for trace in (*IDS[:2], '"Ada"', '"Bo"', "Bonaventura"):
        assert trace not in after
    assert IDS[2] in after
    room = fold_log(list(anonymize(log_of(play), PSEUDONYMS)))
    assert (room.host, room.barred) == ("pseudonym-0", ("pseudonym-1",))


def test_the_name_that_a_guest_gets_in_a_game_is_replaced() -> None:
    play = Play(nimmt(2), first=create_entries(nimmt(2), IDS[0], "Guest", generator(1))).seated()
    play.send(Rename(0, "Bonaventura", "fox-3"), IDS[0])
    log = list(anonymize(log_of(play), PSEUDONYMS))
    for trace in (IDS[0], "Guest", "Bonaventura", "fox-3"):
        assert trace not in text_of(log)
    assert fold_log(log).table.names == (ERASED_NAME, f"{ERASED_NAME} 2")


def test_reservations_and_scores_of_a_rematch_are_replaced() -> None:
    finished = play_game(2).room
    play = Play(first=rematch_entries(finished, IDS[1], Play().rng))
    log = list(anonymize(log_of(play), {IDS[0]: "pseudonym-0"}))
    text = text_of(log)
    for trace in (IDS[0], handle_of(IDS[0]), f'"{NAMES[0]}'):
        assert trace not in text
    room = fold_log(log)
    assert room.series is not None
    assert [player.name for player in room.series.players][:2] == [ERASED_NAME, NAMES[1]]
    assert room.reserved[0] == ""
