"""Settings of Hypothesis for all tests."""

from hypothesis import settings

# How long an example takes depends on what else the machine does: by itself it is no failure.
settings.register_profile("faceup", deadline=None)
settings.load_profile("faceup")
