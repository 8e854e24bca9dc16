"""The rules of War for people."""

from typing import Final

GUIDE: Final = """\
# War

Two players, one deck of 52 cards, no decisions: the cards do the fighting. Two is the lowest rank and ace the highest;
suits make no difference. The deck is shuffled and each player gets half of it as a draw pile, which nobody looks at.

## A round

Both turn up the top card of their draw pile. The higher card wins, and its owner collects both: they go to the bottom
of the winner's draw pile, the winner's own card first.

## War

Equal cards mean war. Each player adds four cards: three face down, and a last one face up. The two last cards are
compared, and whoever has the higher collects everything that was played in the round. Equal again: war again.

A player with fewer than four cards adds what there is, the last of them face up. A player with none left fights on with
the card that is already up.

If neither has a card left and the last cards are equal, the round is undecided: the whole deck is shuffled and dealt
anew, and the game goes on.

## The end

After each round, in this order:

1. Whoever holds **all the cards** wins.
2. After round 5,000 the **larger draw pile** wins. If they are equal, there is **sudden death**: the winner of one more
   round wins the game.
3. Otherwise, after every 100th round, both draw piles are **reshuffled**, each for itself.

## Options

- **collect**: `winner_first` as above; `loser_first`, the loser's cards go under first; or `shuffled`, chance orders
  them.
- **reshuffle**: the number of rounds between reshuffles; 0 is never.
- **cap**: the round after which the larger pile wins.
- **sudden_death**: switched off, equal piles at the cap are a draw.
- **redeal**: switched off, an undecided round is a draw. Switched on, it is one too after a hundred redeals.
- **per_suit**, **suits**, **down**: a smaller deck, and how many cards go face down in a war.
"""
