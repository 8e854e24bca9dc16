"""`faceup arena`: programs against each other."""

from faceup.cli.arena.group import register

__all__ = ["register"]
