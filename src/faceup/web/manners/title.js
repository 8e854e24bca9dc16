const NAME = "faceup";
let about = "";
let turn = "";

/**
 * What the tab is called: of what this page is, and in front of it that somebody is waited for.
 *
 * @param {string} [page] "6 nimmt!"; "" is the name of all this alone
 */
export function title(page = "") {
  about = page;
  show();
}

/**
 * Say in the tab's title, and by a dot on its icon, that it is one's turn.
 *
 * @param {string} words "" is that it is not
 */
export function myTurn(words) {
  if (turn === words) return;
  turn = words;
  show();
}

function show() {
  const name = about ? `${about} · ${NAME}` : NAME;
  document.title = turn ? `● ${turn} · ${name}` : name;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  if (icon) icon.href = new URL(turn ? "../icon-turn.svg" : "../icon.svg", import.meta.url).href;
}
