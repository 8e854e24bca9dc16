"""Replays and reviews of finished tables and uploaded records. `html` works without the server extra."""
