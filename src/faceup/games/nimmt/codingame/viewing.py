"""What a bot was told, as the view that any policy of 6 nimmt! takes."""

from faceup.games.nimmt.codingame.recall import Known
from faceup.games.nimmt.state import Turn, View


def as_view(known: Known) -> View:
    """The view under the rules `nimmt:arena`; equal to the referee's, as far as the protocol tells."""
    told = known._asdict()
    return View(**told | {"log": tuple([Turn(turn.plays, turn.row) for turn in known.log])})
