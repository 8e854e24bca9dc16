"""Command-line interface."""

import sys

try:
    from faceup.cli.main import main
except KeyboardInterrupt:  # Ctrl-C while the modules are imported, before `main` can catch it
    sys.exit(130)

__all__ = ["main"]
