"""The folder for a user's data."""

import os
from pathlib import Path

from faceup.core import Malformed


def data_folder(kind: str) -> Path:
    """Return the folder for one kind of data, in `FACEUP_DATA` or the system's folder for user data.

    Args:
        kind: name of the subfolder, such as "saved" or "records".

    Raises:
        Malformed: the folder cannot be determined because the user has no home.
    """
    base = os.environ.get("FACEUP_DATA")
    if base:
        return Path(base) / kind
    from platformdirs import user_data_path  # noqa: PLC0415 -- many commands store nothing

    try:
        return user_data_path("faceup", appauthor=False) / kind
    except RuntimeError as error:
        raise Malformed(
            f"there is nowhere to keep games: {error}; set FACEUP_DATA to a folder", where="FACEUP_DATA"
        ) from None
