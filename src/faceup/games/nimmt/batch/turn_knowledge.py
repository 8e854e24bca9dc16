"""What was known before each turn of a deal, as the search and the networks store it."""

import numpy as np
import numpy.typing as npt

from faceup.games.nimmt.batch.fitted_policy import as_set
from faceup.games.nimmt.batch.kernels import row_word
from faceup.games.nimmt.cards import Row, total
from faceup.games.nimmt.placing import row_for
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import known_turns


def before_each_turn(
    rules: Rules, view: View
) -> tuple[list[list[int]], list[npt.NDArray[np.uint64]], list[int], list[tuple[int, ...]]]:
    """Return what was known before each of the `known_turns` of the deal.

    Returns:
        Four lists by turn: the rows, the set of cards that everyone has seen, the number of cards that each player has
        not seen, and each seat's heads in the match.
    """
    tables, seen_cards, counts, scores = [], [], [], []
    rows: list[Row] = [(card,) for card in view.opening]
    face_up = {*view.opening}
    heads = [now - total(taken) for now, taken in zip(view.heads, view.taken, strict=True)]
    turns = known_turns(view)
    for number, turn in enumerate(turns):
        tables.append([row_word(row) for row in rows])
        seen_cards.append(as_set({*range(128)} - {*range(1, rules.cards + 1)} | face_up))
        counts.append(rules.cards - len(face_up) - (len(view.hand) + len(turns) - number))
        scores.append((*heads,))
        for card in sorted({*turn.plays} - {0}):
            face_up.add(card)
            index = row_for(rows, card)
            if index < 0 and turn.row < 0:
                break  # the row is yet to be chosen
            takes = index < 0 or len(rows[index]) >= rules.capacity
            index = turn.row if index < 0 else index
            if takes:
                heads[turn.plays.index(card)] += total(rows[index])
            rows[index] = (card,) if takes else (*rows[index], card)
    return tables, seen_cards, counts, scores
