export default `
Alle werfen im selben Augenblick fünf Würfel. **Das beste Blatt gewinnt den Wurf**, und wer die meisten Würfe gewinnt, gewinnt die Partie.

## Was ein Wurf wert ist

Such drei Würfel, die zusammen 10 ergeben (oder 20 oder 30, wenn die Würfel mehr Seiten haben). Dann zähl die anderen zwei zusammen: Die letzte Ziffer dieser Summe ist, was der Wurf zählt.

\`\`\`dice
[6] [1] [3] 5 5 # 6 + 1 + 3 = 10, und 5 + 5 = 10: Die letzte Ziffer ist 0. Das ist Niu Niu, 10 Punkte, mehr gibt es nicht.
[2] [6] [2] 3 5 # 2 + 6 + 2 = 10, und 3 + 5 = 8: Niu 8.
1 1 2 2 3 # Keine drei ergeben 10: kein Niu, 0 Punkte.
\`\`\`

- Keine drei Würfel ergeben es: Der Wurf hat **kein Niu** und zählt 0.
- Drei ergeben es: Er zählt die letzte Ziffer der anderen zwei, **Niu 1** bis **Niu 9**.
- Ist diese Ziffer 0, ist es **Niu Niu** und zählt 10.

## Gewinnen

Die meisten Punkte gewinnen den Wurf. Haben mehrere die meisten, ist er unentschieden, und niemand gewinnt ihn. Wer am Ende gleich viele Würfe gewonnen hat, teilt sich die Partie.

## Statistik

Neben der Partie zählt jeder Wurf für die Statistik, die nichts entscheidet:

| Wurf | zählt |
| --- | --- |
| *Baozi*: drei gleiche Würfel oder mehr, mit Niu oder ohne | 5 |
| Niu Niu | 3 |
| Niu 7, 8 oder 9 | 2 |
| ein kleineres Niu | 1 |
| kein Niu | 0 |

## Was ein Tisch festlegen kann

- **throws**: wie viele Würfe eine Partie hat, 1 bis 1000.
- **faces**: Würfel mit 2 bis 100 Seiten.
- **baozi**: wie viele gleiche Würfel einer sind, 3, wenn nichts gesagt ist.
`;
