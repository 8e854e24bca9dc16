import { html } from "../../vendor/lit/index.js";
import { say } from "../../words/say.js";
import { PIP } from "./pip.js";
import { leading } from "./shown.js";

/** @import { Shown } from "./shown.js" */

/**
 * What a deal has cost everybody, before the next one.
 *
 * @param {Shown} shown
 * @param {readonly string[]} names
 */
export function over(shown, names) {
  const { heads, match } = shown.over ?? { heads: [], match: [] };
  const leads = leading(shown);
  const order = match.map((_, seat) => seat).sort((one, other) => match[one] - match[other]);
  return html`<div class="over">
    <h3>${say("nimmt.over", { deal: shown.deal })}</h3>
    <ol>
      ${order.map(
        (seat) => html`<li class=${leads.includes(seat) ? "leads" : ""} .style=${`--whose: var(--seat-${seat})`}>
          <bdi class="name">${names[seat]}</bdi><span class="plus">+${heads[seat]}</span><span class="heads">${match[seat]}${PIP}</span>
        </li>`,
      )}
    </ol>
  </div>`;
}
