"""Live tables of one process, used through `TableHub`: commands, subscriptions, presence, deadlines and autoplay."""

from faceup.extras import needs

with needs("server", __name__):
    from faceup.server.live.command_queue import Ack
    from faceup.server.live.hub import MAX_COMMAND_ID_LENGTH, TableHub
    from faceup.server.live.new_tables import Created
    from faceup.server.live.subscription import Subscription
    from faceup.server.live.timeouts import Timeouts
    from faceup.server.rooms.errors import TableNotFoundError

__all__ = [
    "MAX_COMMAND_ID_LENGTH",
    "Ack",
    "Created",
    "Subscription",
    "TableHub",
    "TableNotFoundError",
    "Timeouts",
]
