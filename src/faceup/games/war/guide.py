"""The rules of War for players."""

from typing import Final

GUIDE: Final = """\
# War

Two players, one deck of 52 cards, no decisions. Two is the lowest rank and ace the highest;
suits make no difference. The deck is shuffled and each player gets half of it as a draw pile, face down.

## A round

Both turn up the top card of their draw pile. The higher card wins, and its owner collects both: they go to the bottom
of the winner's draw pile, the winner's own card first.

## War

Equal cards mean war. Each player adds four cards: three face down, and a last one face up. The two last cards are
compared, and the higher one collects everything that was played in the round. If they are equal, there is another war.

A player with fewer than four cards adds all of them, the last one face up. A player with none left keeps the card that
is already face up.

If neither has a card left and the last cards are equal, the round is undecided: the whole deck is shuffled and dealt
again, and the game continues.

## The end

After each round, in this order:

1. A player with **all the cards** wins.
2. After round 5,000 the **larger draw pile** wins. If they are equal, there is **sudden death**: the winner of one more
   round wins the game.
3. Otherwise, after every 100th round, both draw piles are **reshuffled** separately.

## Options

- **collect**: `winner_first` as above; `loser_first`, the loser's cards go under first; or `shuffled`, in random
  order.
- **reshuffle**: the number of rounds between reshuffles; 0 is never.
- **cap**: the round after which the larger pile wins.
- **sudden_death**: if off, equal piles at the cap are a draw.
- **redeal**: if off, an undecided round is a draw. If on, it is a draw only after a hundred redeals.
- **per_suit**, **suits**, **down**: a smaller deck, and how many cards go face down in a war.
"""
