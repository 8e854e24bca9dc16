export default `
Two players, one deck of 52 cards, and no decisions: the cards do the fighting. Two is the lowest rank and ace the highest; suits make no difference. Each player gets half of the shuffled deck as a draw pile, which nobody looks at.

## A round

Both turn up the top card of their pile. **The higher card wins**, and its owner collects both: they go to the bottom of the winner's pile, the winner's own card first.

\`\`\`cards
[Kh] 9s # The king wins both cards.
\`\`\`

## War

Equal cards mean war. Each player adds four cards: three face down, and a last one face up. The two last cards are compared, and the higher collects everything that was played in the round. Equal again: war again.

\`\`\`cards
8c ?? ?? ?? [Qd] # The queen collects all ten cards.
8h ?? ?? ?? 5s
\`\`\`

A player with fewer than four cards adds what there is, the last of them face up; one with none left fights on with the card that is up already. If neither has a card left and the last cards are equal, the whole deck is shuffled and dealt anew.

## The end

After each round, in this order:

1. Whoever holds **all the cards** wins.
2. After round 5,000 the **larger pile** wins. If they are equal, there is **sudden death**: the winner of one more round wins the game.
3. Otherwise, after every 100th round, both piles are **reshuffled**, each for itself.

## What a table may set

- **collect**: whose cards go under first, or that chance orders them.
- **reshuffle**: the rounds between reshuffles; 0 is never.
- **cap**: the round after which the larger pile wins.
- **sudden_death**, **redeal**: switched off, what they would decide is a draw.
- **per_suit**, **suits**, **down**: a smaller deck, and how many cards go face down in a war.
`;
