"""The rules of War for players. Terminal, page and documentation show this text; the page has translations."""

from typing import Final

GUIDE: Final = """\
# War

War is a game of pure chance for two players with one deck of 52 cards. Two is the lowest rank and ace the highest;
suits do not count. Each player gets half of the shuffled deck as a face-down draw pile.

## A round

Both reveal the top card of their pile. **The higher card wins**, and its owner collects both: they go to the bottom of
the winner's pile, the winner's card first.

```cards
[Kh] 9s # The king wins both cards.
```

## War

Equal cards mean war. Each player adds four cards: three face down, and a last one face up. The last cards are compared,
and the higher one wins all cards of the round. If they are equal, there is another war.

```cards
8c ?? ?? ?? [Qd] # The queen collects all ten cards.
8h ?? ?? ?? 5s
```

A player with fewer than four cards adds all remaining cards, the last one face up. For a player without cards, the card
that is already face up counts again. If neither player has a card left and the last cards are equal, the whole deck is
shuffled and dealt again.

## The end

After each round, in this order:

1. A player with **all the cards** wins.
2. After round 5,000 the **larger pile** wins. If they are equal, there is **sudden death**: the winner of one more
   round wins the game.
3. Otherwise, after every 100th round, each pile is **reshuffled**.

## Table settings

- **Which cards go under the pile first** (`collect`): the winner's, the loser's, or a random order.
- **Rounds between reshuffles** (`reshuffle`): 0 for never.
- **Maximum rounds** (`cap`): after this round, the larger pile wins.
- **Sudden death** (`sudden_death`) and **redeal** (`redeal`): if off, the game is a draw instead. After a hundred
  redeals it is a draw in any case.
- **Cards per suit** (`per_suit`), **suits** (`suits`) and **cards face down in a war** (`down`): for shorter or longer
  games.
"""
