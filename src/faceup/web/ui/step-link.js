import { BASE } from "../api/http.js";
import { html } from "../vendor/lit/index.js";

/**
 * Render a link to a step of the replay, which shows the table after the reveal of a decision. A page that shows the
 * replay itself handles and cancels the event "seek" (detail: the step).
 *
 * @param {string} table id; "" if the game has no page
 * @param {{decision: number, seat: number}} step
 * @param {unknown} content
 */
export function stepLink(table, step, content) {
  const page = table ? `${BASE}/t/${table}/replay` : "";
  /** @param {Event} event */
  const follow = (event) => {
    const seek = new CustomEvent("seek", { detail: step, bubbles: true, composed: true, cancelable: true });
    if (!event.currentTarget?.dispatchEvent(seek)) event.preventDefault();
  };
  return html`<a class="step" href="${page}#at=${step.decision + 1}&seat=${step.seat}" @click=${follow}>${content}</a>`;
}
