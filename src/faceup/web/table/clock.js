import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { DAY, formatDuration } from "../i18n/format.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";

/** @import { TableView } from "../api/types.js" */

const ROUND = 2 * Math.PI * 19;
/** Milliseconds below which the clock is urgent, and shown as a larger, filled, pulsing disc in another colour. */
export const URGENT = 6_000;

/** Milliseconds before the deadline at which a screen reader announces the deadline. */
const SOON = 10_000;

/** Milliseconds between two steps of the ring, which are longer for times of more than twice `LONG`. */
const STEP = 250;
const LONG = 100_000;

/**
 * The remaining time as a ring and in seconds, by the server's time, which `now` returns; `still` during a reveal, before
 * the time starts. Event: "soon", once per decision.
 */
export class TableClock extends LitElement {
  static properties = { room: { attribute: false }, now: { attribute: false }, still: { type: Boolean }, left: { state: true } };
  static styles = css`
    :host {
      display: block;
      width: var(--size, 46px);
      height: var(--size, 46px);
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
    }
    text {
      font: 700 16px/1 var(--figures);
      fill: currentColor;
      text-anchor: middle;
      font-variant-numeric: tabular-nums;
    }
    .long {
      font-size: 13px;
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
    }
  `;

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** Deadline for which "soon" was emitted. */
  #warned = -1;

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    this.now = () => 0;
    this.still = false;
    this.left = 0;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#tick(), STEP);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  #tick() {
    const { due, paused } = this.room ?? {};
    if (due === undefined || this.still || document.visibilityState !== "visible") return;
    const left = Math.max(0, due - (paused ?? this.now()));
    const step = STEP * 2 ** Math.max(0, Math.floor(Math.log2(left / LONG)));
    this.left = Math.ceil(left / step) * step; // days are not drawn four times a second
    if (this.left > SOON || this.left < SOON - 1000 || this.#warned === due || paused !== undefined) return;
    this.#warned = due;
    this.dispatchEvent(new Event("soon"));
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("room") || changed.has("still")) this.#tick();
    this.hidden = this.room?.due === undefined || this.room.status !== "active";
  }

  render() {
    const { room } = this;
    if (!room || this.hidden) return "";
    const total = (room.config.terms.clock ?? this.left) * (room.seat === undefined ? 1 : room.times[room.seat] ?? 1);
    const left = this.still ? total : this.left;
    const rest = Math.min(1, left / Math.max(total, 1));
    const seconds = Math.ceil(left / 1000);
    const long = seconds >= 6000;
    const shown = seconds < 100 ? `${seconds}` : long ? formatDuration(left, "narrow") : `${Math.floor(seconds / 60)}′`;
    const waits = room.seat === undefined || room.choice !== undefined;
    const urgent = !this.still && left < URGENT && room.paused === undefined && !waits;
    return html`<svg viewBox="0 0 46 46" role="timer" aria-label=${(room.config.terms.clock ?? 0) < DAY ? t("table.clock", { seconds, count: seconds }) : t("table.clock.left", { time: formatDuration(left) })}>
      <g class=${urgent ? "urgent" : ""}>
        <circle class="disc" cx="23" cy="23" r="15.5" />
        <circle class="track" cx="23" cy="23" r="19" />
        <circle class="ring" cx="23" cy="23" r="19" stroke-dasharray=${ROUND} stroke-dashoffset=${ROUND * (1 - rest)} />
        ${room.paused === undefined
          ? svg`<text class=${long ? "long" : ""} x="23" y=${urgent ? 30 : long ? 27.5 : 28.5}>${shown}</text>`
          : svg`<path d="M18.5 16v14M27.5 16v14" stroke="currentColor" stroke-width="4" stroke-linecap="round" />`}
      </g></svg>`;
  }
}
customElements.define("table-clock", TableClock);
