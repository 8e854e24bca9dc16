export default `
Krieg ist ein reines Glücksspiel für zwei Spieler mit 52 Karten. Die Zwei ist die niedrigste Karte, das Ass die höchste; Farben zählen nicht. Jeder bekommt die Hälfte der gemischten Karten als verdeckten Stapel.

## Eine Runde

Beide decken die oberste Karte ihres Stapels auf. **Die höhere gewinnt**, und ihr Besitzer nimmt beide: Sie kommen unter seinen Stapel, die eigene zuerst.

\`\`\`cards
[Kh] 9s # Der König gewinnt beide Karten.
\`\`\`

## Krieg

Gleiche Karten bedeuten Krieg. Beide legen vier Karten dazu: drei verdeckt und die letzte offen. Die letzten Karten werden verglichen, und die höhere gewinnt alle Karten der Runde. Sind sie wieder gleich, gibt es noch einen Krieg.

\`\`\`cards
8c ?? ?? ?? [Qd] # Die Dame nimmt alle zehn Karten.
8h ?? ?? ?? 5s
\`\`\`

Wer weniger als vier Karten hat, legt alle übrigen dazu, die letzte offen. Hat ein Spieler keine Karte mehr, gilt seine offene Karte noch einmal. Haben beide keine Karte mehr und sind die letzten gleich, werden alle Karten neu gemischt und ausgeteilt.

## Das Ende

Nach jeder Runde, in dieser Reihenfolge:

1. Wer **alle Karten** hat, gewinnt.
2. Nach Runde 5000 gewinnt der **größere Stapel**. Sind beide gleich groß, folgt eine **Entscheidungsrunde**: Wer sie gewinnt, gewinnt das Spiel.
3. Sonst werden nach jeder 100. Runde beide Stapel **neu gemischt**, jeder für sich.

## Einstellungen am Tisch

- **Wessen Karten zuerst unter den Stapel kommen**: die des Gewinners, die des Verlierers oder gemischt.
- **Runden bis zum nächsten Mischen**: 0 für nie.
- **Höchstzahl der Runden**: Nach dieser Runde gewinnt der größere Stapel.
- **Entscheidungsrunde** und **neu austeilen**: Wenn ausgeschaltet, endet das Spiel stattdessen unentschieden.
- **Karten pro Farbe**, **Farben** und **verdeckte Karten im Krieg**: für kürzere oder längere Spiele.
`;
