import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { say } from "../words/say.js";

/** @import { Sight } from "../live/types.js" */

const ROUND = 2 * Math.PI * 19;
/** Below so many milliseconds the clock is urgent: in shape (a filled disc that beats), in size, and in colour. */
export const URGENT = 6_000;

/** From here on somebody who cannot see the clock should know. */
const SOON = 10_000;

/** The time that is left, as a ring and in seconds; by the server's time, which `now` tells. Event "soon", once a decision. */
export class TableClock extends LitElement {
  static properties = { sight: { attribute: false }, now: { attribute: false }, left: { state: true } };
  static styles = css`
    :host {
      display: block;
      width: 46px;
      height: 46px;
      flex: none;
      color: inherit;
    }
    :host([hidden]) {
      display: none;
    }
    svg {
      display: block;
      width: 100%;
      height: 100%;
      overflow: visible;
    }
    .track {
      fill: none;
      stroke: currentColor;
      opacity: 0.22;
      stroke-width: 4;
    }
    .ring {
      fill: none;
      stroke: currentColor;
      stroke-width: 4;
      stroke-linecap: round;
      transform: rotate(-90deg);
      transform-origin: 23px 23px;
      transition: stroke-dashoffset 260ms linear;
    }
    text {
      font: 700 16px/1 var(--figures);
      fill: currentColor;
      text-anchor: middle;
      font-variant-numeric: tabular-nums;
    }
    .disc {
      fill: none;
    }
    .urgent .disc {
      fill: var(--warn);
    }
    .urgent text {
      fill: var(--surface);
      font-size: 21px;
    }
    .urgent .ring,
    .urgent .track {
      stroke: var(--warn);
    }
    .urgent {
      animation: beat 1s var(--ease) infinite;
      transform-origin: 23px 23px;
    }
    @keyframes beat {
      0%,
      60% {
        transform: scale(1);
      }
      12% {
        transform: scale(1.09);
      }
    }
    @media (prefers-reduced-motion: reduce) {
      .urgent {
        animation: none;
      }
      .ring {
        transition: none;
      }
    }
  `;

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** The deadline for which "soon" was said. */
  #warned = -1;

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    this.now = () => 0;
    this.left = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#tick(), 250);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  #tick() {
    const { due, paused } = this.sight ?? {};
    if (due === undefined || document.visibilityState !== "visible") return;
    this.left = Math.max(0, due - (paused ?? this.now()));
    if (this.left > SOON || this.left < SOON - 1000 || this.#warned === due || paused !== undefined) return;
    this.#warned = due;
    this.dispatchEvent(new Event("soon"));
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("sight")) this.#tick();
    this.hidden = this.sight?.due === undefined || this.sight.status !== "active";
  }

  render() {
    const { sight, left } = this;
    if (!sight || this.hidden) return "";
    const whole = (sight.opening.terms.clock ?? left) * (sight.seat === undefined ? 1 : sight.times[sight.seat] ?? 1);
    const rest = Math.min(1, left / Math.max(whole, 1));
    const seconds = Math.ceil(left / 1000);
    const shown = seconds < 100 ? `${seconds}` : `${Math.floor(seconds / 60)}′`;
    const waits = sight.seat === undefined || sight.choice !== undefined;
    const urgent = left < URGENT && sight.paused === undefined && !waits;
    return html`<svg viewBox="0 0 46 46" role="timer" aria-label=${say("table.clock", { seconds, count: seconds })}>
      <g class=${urgent ? "urgent" : ""}>
        <circle class="disc" cx="23" cy="23" r="15.5" />
        <circle class="track" cx="23" cy="23" r="19" />
        <circle class="ring" cx="23" cy="23" r="19" stroke-dasharray=${ROUND} stroke-dashoffset=${ROUND * (1 - rest)} />
        ${sight.paused === undefined
          ? svg`<text x="23" y=${urgent ? 30 : 28.5}>${shown}</text>`
          : svg`<path d="M18.5 16v14M27.5 16v14" stroke="currentColor" stroke-width="4" stroke-linecap="round" />`}
      </g></svg>`;
  }
}
customElements.define("table-clock", TableClock);
