"""A table online as a value, without I/O: who owns which seat, who may do what, and what each viewer is sent.

>>> from faceup.core import generator
>>> rng = generator(1)
>>> append = opened(Opening(game="nimmt", options={"seats": 2, "hand": 2}), "ann-id", "Ann", rng)
>>> room = room_from([(append, None)])
>>> after = evolve(room, decide(room, Sit("Bo"), "bo-id", 9_000, rng), "command-1")
>>> after.status, viewer_of(after, "bo-id"), sight_for(after, 1).words
('active', 1, ('play 58', 'play 86'))
>>> Change(room, after).line(None)[:74]
b'{"v":2,"at":9000,"events":[{"event":"sat_down","seat":1,"name":"Bo","kind"'
"""

from faceup.server.rooms.commands import (
    AddBot,
    Bot,
    Choose,
    Close,
    Extend,
    HandOver,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    PersonCommand,
    Pledge,
    React,
    Rematch,
    Remove,
    Rename,
    Resume,
    Return,
    RoomCommand,
    Sit,
    StandIn,
    Start,
    Tick,
    Unchoose,
)
from faceup.server.rooms.contributing import fair_answer
from faceup.server.rooms.decide import MOST_REACTIONS, PERSON, decide, opened, step
from faceup.server.rooms.entries import (
    AnyRoomEntry,
    Append,
    Barred,
    Hosted,
    Reacted,
    Reaction,
    Reason,
    Released,
    Rematched,
    RoomClosed,
    RoomOpened,
    Seated,
    dumps,
    loads,
)
from faceup.server.rooms.events import NewHost, NextTable, PutOut, Says, SeatFree, Shut
from faceup.server.rooms.evolve import evolve, room_from, steps_of
from faceup.server.rooms.messages import Change, Message, Whole, whole
from faceup.server.rooms.names import free_name, handle_of, proper_name
from faceup.server.rooms.opening import CLOCK, SHORTEST_PACE, Opening
from faceup.server.rooms.past import past
from faceup.server.rooms.patch import after_line, apply_patch, diff, longer
from faceup.server.rooms.refusals import Closed, Full, Hidden, TooMany
from faceup.server.rooms.rematch import rematch_opening
from faceup.server.rooms.replays import hands_of, replayed, room_at
from faceup.server.rooms.room import (
    Room,
    RoomStatus,
    Seen,
    Viewer,
    may_watch,
    open_room,
    time_for,
    version_for,
    viewer_of,
)
from faceup.server.rooms.sight import RoomSeat, RoomSight, require_watching, sight_for, wire
from faceup.server.rooms.speaking import speaker

__all__ = [
    "CLOCK",
    "MOST_REACTIONS",
    "PERSON",
    "SHORTEST_PACE",
    "AddBot",
    "AnyRoomEntry",
    "Append",
    "Barred",
    "Bot",
    "Change",
    "Choose",
    "Close",
    "Closed",
    "Extend",
    "Full",
    "HandOver",
    "Hidden",
    "Hosted",
    "Leave",
    "Mark",
    "Message",
    "NewHost",
    "NextTable",
    "OpenPledge",
    "Opening",
    "Pace",
    "Pause",
    "PersonCommand",
    "Pledge",
    "PutOut",
    "React",
    "Reacted",
    "Reaction",
    "Reason",
    "Released",
    "Rematch",
    "Rematched",
    "Remove",
    "Rename",
    "Resume",
    "Return",
    "Room",
    "RoomClosed",
    "RoomCommand",
    "RoomOpened",
    "RoomSeat",
    "RoomSight",
    "RoomStatus",
    "Says",
    "SeatFree",
    "Seated",
    "Seen",
    "Shut",
    "Sit",
    "StandIn",
    "Start",
    "Tick",
    "TooMany",
    "Unchoose",
    "Viewer",
    "Whole",
    "after_line",
    "apply_patch",
    "decide",
    "diff",
    "dumps",
    "evolve",
    "fair_answer",
    "free_name",
    "handle_of",
    "hands_of",
    "loads",
    "longer",
    "may_watch",
    "open_room",
    "opened",
    "past",
    "proper_name",
    "rematch_opening",
    "replayed",
    "require_watching",
    "room_at",
    "room_from",
    "sight_for",
    "speaker",
    "step",
    "steps_of",
    "time_for",
    "version_for",
    "viewer_of",
    "whole",
    "wire",
]
