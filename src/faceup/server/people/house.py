"""What whoever runs the server has decided for all of its processes, while they run."""

from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection, delete, insert, select

from faceup.server.people.schema import house

Registration: TypeAlias = Literal["open", "code", "closed"]

REGISTRATION: Final = "registration"
REGISTRATION_CODE: Final = "registration_code"
ANNOUNCEMENT: Final = "announcement"
"""What everybody is to read now, such as that there will be a restart."""


def decided(connection: Connection) -> dict[str, str]:
    """All that was decided; what is not in it is as the settings say."""
    return {row.key: row.value for row in connection.execute(select(house))}


def decide(connection: Connection, key: str, value: str | None) -> None:
    """Decide; None leaves it to the settings again."""
    connection.execute(delete(house).where(house.c.key == key))
    if value is not None:
        connection.execute(insert(house).values(key=key, value=value))
