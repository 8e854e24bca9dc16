export default `
Zwei Spieler, ein Spiel mit 52 Karten, und nichts zu entscheiden: Die Karten kämpfen allein. Die Zwei ist die niedrigste, das Ass die höchste; Farben zählen nicht. Jeder bekommt die Hälfte der gemischten Karten als Stapel, in den niemand schaut.

## Eine Runde

Beide decken die oberste Karte ihres Stapels auf. **Die höhere gewinnt**, und wem sie gehört, der nimmt beide: Sie kommen unter den Stapel des Gewinners, die eigene zuerst.

\`\`\`cards
[Kh] 9s # Der König gewinnt beide Karten.
\`\`\`

## Krieg

Gleiche Karten heißen Krieg. Beide legen vier Karten dazu: drei verdeckt und eine letzte offen. Die beiden letzten werden verglichen, und die höhere nimmt alles, was in der Runde gespielt wurde. Wieder gleich: wieder Krieg.

\`\`\`cards
8c ?? ?? ?? [Qd] # Die Dame nimmt alle zehn Karten.
8h ?? ?? ?? 5s
\`\`\`

Wer weniger als vier Karten hat, legt, was da ist, die letzte offen; wer keine mehr hat, kämpft mit der offenen weiter. Hat niemand mehr eine Karte und sind die letzten gleich, wird alles neu gemischt und verteilt.

## Das Ende

Nach jeder Runde, in dieser Reihenfolge:

1. Wer **alle Karten** hat, gewinnt.
2. Nach Runde 5000 gewinnt der **größere Stapel**. Sind beide gleich groß, entscheidet der **plötzliche Tod**: Wer noch eine Runde gewinnt, gewinnt das Spiel.
3. Sonst werden nach jeder 100. Runde beide Stapel **neu gemischt**, jeder für sich.

## Was ein Tisch festlegen kann

- **collect**: wessen Karten zuerst unter den Stapel kommen, oder dass der Zufall sie ordnet.
- **reshuffle**: die Runden zwischen zwei Mischungen; 0 ist nie.
- **cap**: die Runde, nach der der größere Stapel gewinnt.
- **sudden_death**, **redeal**: ausgeschaltet ist unentschieden, was sie entscheiden würden.
- **per_suit**, **suits**, **down**: weniger Karten, und wie viele im Krieg verdeckt liegen.
`;
