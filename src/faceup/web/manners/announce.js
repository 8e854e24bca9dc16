/** What a screen reader says next: one polite region for the whole page, a paragraph for each thing that is said. */

/** @type {HTMLElement | null} */
let region = null;

function place() {
  if (region?.isConnected) return region;
  region = document.createElement("div");
  region.id = "announcements";
  region.className = "announcements";
  region.setAttribute("role", "log");
  region.setAttribute("aria-live", "polite");
  document.body.append(region);
  return region;
}

/**
 * Say something once.
 *
 * @param {string} text
 */
export function announce(text) {
  if (!text) return;
  const here = place();
  const line = document.createElement("p");
  line.textContent = text;
  here.append(line);
  while (here.children.length > 60) here.firstElementChild?.remove();
}

place();
