/** @import { Catalogue } from "../translate.js" */

/** @type {Catalogue} */
export default {
  "about.title": "Über {site}",
  "about.program": "Dieser Server läuft mit faceup {version}, freier Software.",
  "about.source": "Quelltext",
  "about.age": { one: "Konten sind für Personen ab {count} Jahr.", other: "Konten sind für Personen ab {count} Jahren." },
  "about.trade_marks": "Marken",
  "about.trade_marks.text": "6 nimmt! ist eine Marke der AMIGO Spiel + Freizeit GmbH; das Spiel ist von Wolfgang Kramer. faceup steht mit beiden in keiner Verbindung. Es setzt die Regeln um und verwendet keine ihrer Grafiken.",
  "about.licences": "Lizenzen",
  "about.licences.text": "faceup steht unter der Lizenz {licence}. Die Seite enthält diese Werke anderer:",
};
