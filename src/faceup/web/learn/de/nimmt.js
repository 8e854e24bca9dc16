export default `
Halte dir die Hornochsen vom Leib: **Wer am Ende die wenigsten Ochsenköpfe hat, gewinnt.**

## Die Karten

Es gibt 104 Karten, 1 bis 104. Auf jeder sind Ochsenköpfe, und sie zählen gegen dich: auf den meisten einer, auf einigen mehr.

\`\`\`heads
7 15 20 33 55
\`\`\`

| Karten | Ochsenköpfe |
| --- | --- |
| 55 | 7 |
| die anderen Vielfachen von 11 | 5 |
| Vielfache von 10 | 3 |
| die anderen Vielfachen von 5 | 2 |
| alle übrigen | 1 |

Du bekommst zehn Karten. Vier weitere eröffnen die vier Reihen auf dem Tisch.

## Ein Zug

Alle wählen heimlich eine Karte. Haben alle gewählt, werden die Karten zugleich aufgedeckt und **von der niedrigsten zur höchsten** angelegt. Jede kommt in die Reihe, deren letzte Karte **am nächsten unter ihr** liegt.

\`\`\`rows
5 # Gewählt wurden 7, 37, 44 und 104.
6 [7] # Die 7: am nächsten unter ihr liegt die 6, nicht die 5.
88 [104] # Die 104 kommt hinter die 88,
29 [37] [44] # die 37 hinter die 29, und die 44 folgt ihr dort.
\`\`\`

## Wann du Karten nimmst

**Die sechste Karte.** Eine Reihe fasst fünf. Wäre deine die sechste, nimmst du die fünf, und deine Karte beginnt die Reihe neu.

\`\`\`rows
(33) (42) (50) (57) (64) [88] # Die 88 ist die sechste: Du nimmst fünf Karten mit 11 Ochsenköpfen.
\`\`\`

**Zu niedrig.** Liegt deine Karte unter der letzten Karte jeder Reihe, suchst du dir eine Reihe aus, nimmst sie, und deine Karte wird zu dieser Reihe. Du siehst dabei schon, was alle gespielt haben.

\`\`\`rows
(5) [3] # Die 3 liegt unter 5, 7, 88 und 29: Du nimmst die Reihe, die dir am liebsten ist, hier für 2 Ochsenköpfe.
6 7
88
29
\`\`\`

Was du nimmst, liegt vor dir und kommt nie zurück auf die Hand.

## Das Ende

Nach zehn Zügen sind die Hände leer. Zählt die Ochsenköpfe: Die wenigsten gewinnen, und wer gleich viele hat, teilt sich den Platz.

## Die Varianten

| Variante | Spieler | was anders ist |
| --- | --- | --- |
| Cow Head King | 2 bis 10 | ein Spiel mit zehn Karten, 30 Sekunden für jede Wahl; es darf auch kürzer sein |
| 104 | 2 bis 10 | ein Spiel, ohne Uhr, wenn der Tisch keine stellt |
| Classic | 2 bis 10 | Spiel um Spiel, bis jemand 66 Ochsenköpfe hat |
| Tactical | 2 bis 10 | wie Classic, aber nur so viele der niedrigsten Karten sind im Spiel, wie verteilt werden: Was du nicht hast, hat jemand anders |
| Arena | 4 | fünf Spiele, zusammengezählt: so spielen Programme gegeneinander |
`;
