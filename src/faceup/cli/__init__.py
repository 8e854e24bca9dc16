"""Command-line interface."""

from faceup.cli.main import main

__all__ = ["main"]
