export default `
Everybody throws five dice at the same moment. **The best hand wins the throw**, and whoever wins the most throws wins the match.

## What a hand is worth

Look for three dice that add up to 10 (or to 20 or 30, with dice that have more faces). Then add up the other two: the last digit of that sum is what the hand counts.

\`\`\`dice
[6] [1] [3] 5 5 # 6 + 1 + 3 = 10, and 5 + 5 = 10: the last digit is 0. That is Niu Niu, 10 points, the best there is.
[2] [6] [2] 3 5 # 2 + 6 + 2 = 10, and 3 + 5 = 8: Niu 8.
1 1 2 2 3 # No three add up to 10: no Niu, 0 points.
\`\`\`

- No three dice make it: the hand has **no Niu**, and counts 0.
- Three do: it counts the last digit of the other two, **Niu 1** to **Niu 9**.
- If that digit is 0, it is **Niu Niu**, and counts 10.

## Winning

The most points win the throw. If several share the most, it is a draw and nobody wins it. Who has won equally many throws at the end, shares the match.

## Statistics

Beside the match, every hand adds to the statistics, which decide nothing:

| hand | counts |
| --- | --- |
| *baozi*: three dice alike or more, Niu or not | 5 |
| Niu Niu | 3 |
| Niu 7, 8 or 9 | 2 |
| a lesser Niu | 1 |
| no Niu | 0 |

## What a table may set

- **throws**: how many make a match, 1 to 1,000.
- **faces**: dice with 2 to 100 faces.
- **baozi**: how many dice alike make one, 3 unless set.
`;
