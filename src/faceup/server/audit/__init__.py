"""The audit log: what operators and hosts did."""

from faceup.extras import require

require("server", __name__)
