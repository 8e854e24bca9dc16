/** The polite live region of the page, in which screen readers read each message from a paragraph of its own. */

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
 * Announce a message.
 *
 * @param {string} text
 */
export function announce(text) {
  if (!text) return;
  const region = place();
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.children.length > 60) region.firstElementChild?.remove();
}

place();
