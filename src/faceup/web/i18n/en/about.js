/** @import { Catalogue } from "../translate.js" */

/** @type {Catalogue} */
export default {
  "about.title": "About {site}",
  "about.program": "This server runs faceup {version}, which is free software.",
  "about.source": "Source code",
  "about.age": { one: "Accounts are for people of at least {count} year.", other: "Accounts are for people of at least {count} years." },
  "about.trade_marks": "Trade marks",
  "about.trade_marks.text": "6 nimmt! is a trade mark of AMIGO Spiel + Freizeit GmbH; the game is by Wolfgang Kramer. faceup is not connected with them. It implements the rules and uses none of their artwork.",
  "about.licences": "Licences",
  "about.licences.text": "faceup is under the licence {licence}. The page contains these works by others:",
};
