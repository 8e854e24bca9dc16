/**
 * Scroll to a heading, and let keyboard and screen reader users continue there.
 *
 * @param {HTMLElement | null} heading
 */
export function showHeading(heading) {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "center" });
}
