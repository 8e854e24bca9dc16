/**
 * Restore the scroll position of a page to which the user returns, or which is reloaded. The browser restores it at once,
 * but most pages show their contents only when these have been loaded.
 */

/** Milliseconds within which more of the contents must have been loaded. */
const LIMIT = 10_000;

/** Milliseconds after which a new position is stored, because browsers limit how often a page may change the history. */
const DELAY = 200;

/** Ends the wait for the contents. @type {(() => void) | null} */
let stopWaiting = null;

/** Whether the page at the address is not displayed yet. A scroll of the last page can still end then. */
let leaving = true;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function restore() {
  leaving = false;
  stopWaiting?.();
  const { top = 0, height = 0 } = history.state ?? {};
  if (!top) return;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let limit;
  const observer = new ResizeObserver(() => {
    const { scrollHeight } = document.documentElement;
    if (scrollHeight >= top + innerHeight) scrollTo({ top, behavior: "instant" });
    clearTimeout(limit);
    if (scrollHeight >= height) stopWaiting?.(); // until then, contents can still come above the position
    else limit = setTimeout(() => stopWaiting?.(), LIMIT);
  });
  const ended = new AbortController();
  stopWaiting = () => {
    observer.disconnect();
    clearTimeout(limit);
    ended.abort();
    stopWaiting = null;
  };
  observer.observe(document.body);
  // A user who scrolls wants to be elsewhere.
  for (const input of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(input, stopWaiting, { signal: ended.signal, passive: true });
}

/** Store the position in the history, unless it is that of another page, or of one whose contents are still missing. */
function store() {
  if (leaving || stopWaiting) return;
  const { top = 0, height = 0 } = history.state ?? {};
  const { scrollHeight } = document.documentElement;
  if (scrollY !== top || (top && scrollHeight !== height)) history.replaceState({ ...history.state, top: scrollY, height: scrollHeight }, "");
}

function storeSoon() {
  clearTimeout(timer);
  timer = setTimeout(store, DELAY);
}

addEventListener("scrollend", store);
// Contents that come above the position move it, without a `scrollend`. Those below it change only the height.
addEventListener("scroll", storeSoon);
new ResizeObserver(storeSoon).observe(document.documentElement);
addEventListener("popstate", () => (leaving = true));
addEventListener("page", restore);
