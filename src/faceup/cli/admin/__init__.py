"""`faceup admin`: looking after a server, while it runs or not."""

from faceup.cli.admin.group import register

__all__ = ["register"]
