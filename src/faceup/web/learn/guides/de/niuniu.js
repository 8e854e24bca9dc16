export default `
Alle werfen gleichzeitig fünf Würfel. **Die meisten Punkte gewinnen den Wurf**, und wer die meisten Würfe gewinnt, gewinnt die Partie.

## Was ein Wurf wert ist

Such drei Würfel, die zusammen 10 ergeben (oder 20 oder 30, wenn die Würfel mehr Seiten haben). Dann zähl die anderen zwei zusammen: Die letzte Ziffer dieser Summe ergibt die Punkte.

\`\`\`dice
[6] [1] [3] 5 5 # 6 + 1 + 3 = 10, und 5 + 5 = 10: Die letzte Ziffer ist 0. Das ist Niu Niu, 10 Punkte, der beste Wurf.
[2] [6] [2] 3 5 # 2 + 6 + 2 = 10, und 3 + 5 = 8: Niu 8.
1 1 2 2 3 # Keine drei ergeben 10: kein Niu, 0 Punkte.
\`\`\`

- Ergeben keine drei Würfel 10, hat der Wurf **kein Niu** und zählt 0 Punkte.
- Sonst zählt die letzte Ziffer der Summe der anderen zwei, **Niu 1** bis **Niu 9**.
- Ist diese Ziffer 0, ist es **Niu Niu** und zählt 10 Punkte.

## Gewinnen

Die meisten Punkte gewinnen den Wurf. Haben mehrere die meisten, ist der Wurf zwischen ihnen unentschieden, und alle anderen haben ihn verloren.

Wer die meisten Würfe gewinnt, gewinnt die Partie. Bei gleich vielen gewonnenen Würfen entscheidet die Zahl der unentschiedenen; ist auch sie gleich, teilen sich die Spieler den Platz. Ein einziger Wurf mit 5, 10 und 10 Punkten ergibt zum Beispiel die Plätze 3, 1 und 1.

## Statistik

Jeder Wurf bringt außerdem Statistikpunkte, die keinen Einfluss auf das Ergebnis haben:

| Wurf | Punkte |
| --- | --- |
| *Baozi*: drei gleiche Würfel oder mehr, mit Niu oder ohne | 5 |
| Niu Niu | 3 |
| Niu 7, 8 oder 9 | 2 |
| ein kleineres Niu | 1 |
| kein Niu | 0 |

## Einstellungen am Tisch

- **Würfe in einer Partie**: 1 bis 1000.
- **Höchste Zahl auf dem Würfel**: 2 bis 100.
- **Gleiche Würfel für einen Baozi**: normalerweise 3.
`;
