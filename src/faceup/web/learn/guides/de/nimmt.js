export default `
Nimm möglichst wenige Karten: **Wer am Ende die wenigsten Ochsenköpfe hat, gewinnt.**

## Die Karten

Es gibt 104 Karten mit den Zahlen 1 bis 104. Jede zeigt Ochsenköpfe, die gegen dich zählen: die meisten einen, einige mehr.

\`\`\`rows
7 15 20 33 55
\`\`\`

| Karten | Ochsenköpfe |
| --- | --- |
| 55 | 7 |
| die anderen Vielfachen von 11 | 5 |
| Vielfache von 10 | 3 |
| die anderen Vielfachen von 5 | 2 |
| alle anderen | 1 |

Du bekommst zehn Karten. Mit vier weiteren beginnen die vier Reihen auf dem Tisch.

## Ein Zug

Alle wählen heimlich eine Karte. Haben alle gewählt, werden die Karten gleichzeitig aufgedeckt und **von der niedrigsten zur höchsten** angelegt. Jede kommt in die Reihe, deren letzte Karte **am nächsten unter ihr** liegt.

\`\`\`rows
5 # Gewählt wurden 7, 37, 44 und 104.
6 [7] # Am nächsten unter der 7 liegt die 6, nicht die 5.
88 [104] # Die 104 kommt hinter die 88,
29 [37] [44] # die 37 hinter die 29, und die 44 hinter die 37.
\`\`\`

## Wann du Karten nimmst

**Die sechste Karte.** Eine Reihe fasst fünf. Wäre deine die sechste, nimmst du die fünf, und deine Karte beginnt eine neue Reihe.

\`\`\`rows
(33) (42) (50) (57) (64) [88] # Die 88 ist die sechste: Du nimmst fünf Karten mit 11 Ochsenköpfen.
\`\`\`

**Zu niedrig.** Ist deine Karte kleiner als die letzte Karte jeder Reihe, wählst du eine Reihe und nimmst sie, und deine Karte beginnt dort eine neue. Bevor du wählst, siehst du alle Karten dieses Zugs.

\`\`\`rows
(5) [3] # Die 3 ist kleiner als 5, 7, 88 und 29: Du wählst eine Reihe und nimmst sie, hier die mit 2 Ochsenköpfen.
6 7
88
29
\`\`\`

Genommene Karten liegen vor dir und kommen nie auf deine Hand.

## Das Ende

Nach zehn Zügen sind alle Karten gespielt. Wer die wenigsten Ochsenköpfe hat, gewinnt; Spieler mit gleich vielen teilen sich den Platz.

## Die Varianten

| Variante | Spieler | Unterschied |
| --- | --- | --- |
| Hornochsen\u00ADkönig | 2 bis 10 | ein Durchgang mit zehn Karten, 30 Sekunden pro Wahl; weniger Karten sind einstellbar |
| 104 | 2 bis 10 | ein Durchgang, ohne Zeitlimit, wenn der Tisch keins vorgibt |
| Klassisch | 2 bis 10 | so viele Durchgänge, bis jemand 66 Ochsenköpfe hat |
| Taktisch | 2 bis 10 | wie Klassisch, aber nur mit den niedrigsten Karten, genau so vielen, wie ausgeteilt werden: Jede Karte, die du nicht siehst, hat ein anderer Spieler auf der Hand |
| Arena | 4 | fünf Durchgänge, alle Ochsenköpfe zählen: das Format der Bot-Arena |
`;
