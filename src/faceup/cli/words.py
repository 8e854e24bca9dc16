"""The texts of commands for people who play, in the language of the environment."""

from faceup.translations import translate
from faceup.translations.environment import environment_language


def text(key: str, /, **values: object) -> str:
    """Return a message of the catalogue `cli`.

    >>> text("saved.resume", path="GAME.json")
    'Saved. Resume with: faceup resume GAME.json'
    """
    return translate(environment_language(), f"cli.{key}", **values)
