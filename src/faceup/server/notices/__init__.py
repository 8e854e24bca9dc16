"""Notices to players who are not on the page: that it is their turn at a game with days per move."""

from faceup.extras import needs

with needs("server", __name__):
    from faceup.server.notices.delivery import TurnDelivery
    from faceup.server.notices.mail import MailChannel, Mailer
    from faceup.server.notices.push_channel import PushChannel
    from faceup.server.notices.push_client import PushClient
    from faceup.server.notices.push_keys import PushKeys, create_push_keys, delete_push_keys, find_push_keys

__all__ = [
    "MailChannel",
    "Mailer",
    "PushChannel",
    "PushClient",
    "PushKeys",
    "TurnDelivery",
    "create_push_keys",
    "delete_push_keys",
    "find_push_keys",
]
