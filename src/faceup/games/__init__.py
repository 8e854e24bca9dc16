"""The games, a folder each, found by name (`faceup.core.find_game`)."""
