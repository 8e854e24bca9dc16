import { SITE } from "../api/site.js";

let about = () => "";
let turn = about;

/**
 * Set the document title, which changes with the language.
 *
 * @param {() => string} [page] returns the title of the page, such as "6 nimmt!"; "" shows only the name of the site
 */
export function setPageTitle(page = () => "") {
  about = page;
  show();
}

/**
 * Show in the title and by a dot on the icon that it is the player's turn, in words that change with the language.
 *
 * @param {() => string} [words] returns the text for the title; "" removes the text and the dot
 */
export function setTurnBadge(words = () => "") {
  turn = words;
  show();
}

function show() {
  const [page, badge] = [about(), turn()];
  const name = page ? `${page} · ${SITE.name}` : SITE.name;
  document.title = badge ? `● ${badge} · ${name}` : name;
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
  const drawing = new URL(badge ? "../icon-turn.svg" : "../icon.svg", import.meta.url).href;
  if (icon && icon.href !== drawing) icon.href = drawing; // browsers load it again even if it has not changed
}

addEventListener("language", show);
