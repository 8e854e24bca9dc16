"""What the feature declares about its tables."""

from faceup.server.friends.feature import FEATURE
from faceup.server.friends.invitations import DAYS_EXPIRES, PARTY_EXPIRES, TABLE_EXPIRES
from faceup.server.friends.schema import invitations
from faceup.server.rooms.config import DAY


def test_no_invitation_is_stored_longer_than_declared() -> None:
    [declared] = [personal.until for personal in FEATURE.tables if personal.table is invitations]
    days, unit, *_ = declared.split()
    assert unit == "days"
    assert max(TABLE_EXPIRES, DAYS_EXPIRES, PARTY_EXPIRES) <= int(days) * DAY
