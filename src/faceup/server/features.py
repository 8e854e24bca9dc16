"""The features of the server, in the order in which they start."""

from typing import Final

from faceup.server.accounts import feature as accounts
from faceup.server.audit import feature as audit
from faceup.server.daily import feature as daily
from faceup.server.feature import Feature
from faceup.server.friends import feature as friends
from faceup.server.moderation import feature as moderation
from faceup.server.parties import feature as parties
from faceup.server.pictures import feature as pictures
from faceup.server.puzzles import feature as puzzles
from faceup.server.replays import feature as replays
from faceup.server.research import feature as research
from faceup.server.results import feature as results
from faceup.server.store import feature as store
from faceup.server.tables import feature as tables
from faceup.server.tournaments import feature as tournaments
from faceup.server.turns import feature as turns

FEATURES: Final[tuple[Feature, ...]] = (
    accounts.FEATURE,
    audit.FEATURE,
    tables.FEATURE,
    turns.FEATURE,
    tournaments.FEATURE,
    daily.FEATURE,
    puzzles.FEATURE,
    parties.FEATURE,
    friends.FEATURE,
    moderation.FEATURE,
    replays.FEATURE,
    pictures.FEATURE,
    research.FEATURE,
    store.FEATURE,
    results.FEATURE,  # last, because it takes the lock of all standings
)
