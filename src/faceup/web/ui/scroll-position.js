/**
 * Restore the scroll position of a page to which the user returns, or which is reloaded. The browser restores it at once,
 * but most pages show their contents only when these have been loaded.
 */

/** Milliseconds within which the contents must have been loaded. */
const LIMIT = 10_000;

/** Ends the wait for the contents. @type {(() => void) | null} */
let stopWaiting = null;

/** Whether the address is already that of the next page. A scroll of the last one can still end then. */
let leaving = false;

function restore() {
  leaving = false;
  stopWaiting?.();
  const { top = 0, height = 0 } = history.state ?? {};
  if (!top) return;
  const observer = new ResizeObserver(() => {
    const { scrollHeight } = document.documentElement;
    if (scrollHeight >= top + innerHeight) scrollTo({ top, behavior: "instant" });
    if (scrollHeight >= height) stopWaiting?.(); // until then, contents can still come above the position
  });
  const ended = new AbortController();
  stopWaiting = () => {
    observer.disconnect();
    ended.abort();
    stopWaiting = null;
  };
  observer.observe(document.body);
  // A user who scrolls wants to be elsewhere.
  for (const input of ["wheel", "touchstart", "pointerdown", "keydown"]) addEventListener(input, stopWaiting, { signal: ended.signal, passive: true });
  AbortSignal.timeout(LIMIT).addEventListener("abort", stopWaiting, { signal: ended.signal });
}

/** Store the position in the history, unless it is that of another page, or of one whose contents are still missing. */
function store() {
  if (!leaving && !stopWaiting) history.replaceState({ ...history.state, top: scrollY, height: document.documentElement.scrollHeight }, "");
}

addEventListener("scrollend", store);
addEventListener("popstate", () => (leaving = true));
addEventListener("page", restore);
