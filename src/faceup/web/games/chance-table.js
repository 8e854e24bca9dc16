import { face } from "../art/faces.js";
import { LanguageController } from "../ui/controllers.js";
import { onShortcut } from "../ui/shortcuts.js";
import { css, html, LitElement } from "../vendor/lit/index.js";
import { RevealQueue } from "./reveal-queue.js";

/** Shared styles of tables of games of chance: felt, seats, caption and the action button. */
export const chanceTableStyles = css`
  .felt {
    display: flex;
    flex-direction: column;
    gap: var(--space-3);
    padding: var(--space-3);
    border-radius: calc(var(--radius) + 6px);
    color: var(--on-felt);
    background: radial-gradient(120% 90% at 50% 0, color-mix(in srgb, var(--felt), white 9%), var(--felt) 45%, var(--felt-deep));
    box-shadow: inset 0 2px 10px rgb(0 0 0 / 0.25), inset 0 -1px 0 rgb(255 255 255 / 0.08), var(--low);
  }
  .caption {
    justify-content: space-between;
    gap: 0 var(--space-4);
    min-height: 1.5em;
    padding: 0 var(--space-1);
    line-height: 1.3;
    color: var(--on-felt-soft);
  }
  .caption strong {
    color: var(--on-felt);
    --from: 6px;
    animation: enter var(--move) var(--ease);
  }
  .lane {
    position: relative;
    border-radius: var(--radius);
    background: rgb(0 0 0 / 0.17);
    box-shadow: inset 0 2px 6px rgb(0 0 0 / 0.22), inset 0 -1px 0 rgb(255 255 255 / 0.07);
    min-width: 0;
  }
  .lane.won,
  .lane.shared {
    background: rgb(255 246 214 / 0.17);
  }
  .lane:is(.won, .shared)::after {
    content: "";
    position: absolute;
    inset: 0;
    border-radius: inherit;
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.25), 0 0 0 2px #f0c75e, 0 8px 26px rgb(0 0 0 / 0.3);
    pointer-events: none;
    animation: appear var(--move) var(--ease);
  }
  .lane.shared::after {
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.25), 0 0 0 2px rgb(255 255 255 / 0.5);
  }
  .who {
    min-width: 0;
    font-weight: 600;
  }
  .who .face {
    width: 1.5rem;
    height: 1.5rem;
    padding: 0;
    border-radius: 50%;
    font-size: 0.8125rem;
    font-weight: 800;
    color: var(--colour);
    background: var(--surface);
    box-shadow: var(--low);
  }
  .crown {
    width: 1.375rem;
    fill: #f0c75e;
    filter: drop-shadow(0 1px 1px rgb(0 0 0 / 0.4));
  }
  .actions {
    position: sticky;
    bottom: calc(var(--space-2) + var(--foot, 0px));
    z-index: 1;
    justify-content: center;
  }
  .actions .action {
    flex: 1 1 8rem;
    max-width: 26rem;
    min-height: 3.5rem;
    transition: none; /* that of a shadow would draw each frame on the main thread, in a reveal */
    font-size: var(--text-1);
    color: #3a2500;
    background: linear-gradient(#ffd978, #f0b93f);
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.6), 0 6px 16px rgb(0 0 0 / 0.35);
  }
  .actions .action:disabled {
    opacity: 1;
    color: var(--on-felt-soft);
    background: color-mix(in srgb, var(--felt-deep), black 22%);
    box-shadow: none;
  }
  /* On small screens, nothing overlaps the content. */
  @media (max-height: 28rem) {
    .actions {
      position: static;
    }
  }
`;

/** Render a seat's face and name. @param {import("../art/faces.js").Player | null} player @param {number} seat @param {string} name */
export function seatLabel(player, seat, name) {
  return html`<span class="who aligned">${face(player, seat)}<bdi class="cut">${name}</bdi></span>`;
}

/** @import { TableView } from "../api/types.js" */

/** Milliseconds after which a press may be repeated if it had no result. */
const RESEND_AFTER = 1500;

/**
 * Base class for tables of games of pure chance, in which a seat has one action. A press sends the action, at most once
 * per decision, and skips the animation in progress.
 *
 * @template {object} Shown display state
 */
export class ChanceTable extends LitElement {
  static properties = {
    room: { attribute: false },
    quiet: { type: Boolean },
    speed: { type: Number },
    television: { type: Boolean, reflect: true },
    sending: { attribute: false },
    shown: { state: true },
    settled: { state: true },
  };

  reveal = new RevealQueue(this, () => this.pace);
  #decision = -1;
  #standing = "";
  #when = -RESEND_AFTER;
  #stopKeys = () => {};

  /** @param {string} action the action in notation */
  constructor(action) {
    super();
    this.action = action;
    /** @type {TableView | null} */
    this.room = null;
    this.quiet = false;
    this.speed = 1;
    this.television = false;
    this.sending = "";
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {TableView | null} The last view displayed completely; a reveal of later events may be in progress. */
    this.settled = null;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#stopKeys = onShortcut((key, event) => isPressKey(key, event) && this.pressed(key));
  }

  disconnectedCallback() {
    this.reveal.skip();
    this.#stopKeys();
    super.disconnectedCallback();
  }

  /** Speed of a reveal, as a multiple of normal. */
  get pace() {
    return this.speed;
  }

  /** @param {Shown} shown */
  display(shown) {
    this.shown = shown;
    const standing = JSON.stringify(this.standing);
    if (standing !== this.#standing) this.dispatchEvent(new Event("standing"));
    this.#standing = standing;
  }

  /** @returns {import("./registry.js").SeatStanding[]} */
  get standing() {
    return [];
  }

  /** Whether the action is available. */
  get canPress() {
    const { room } = this;
    return !this.quiet && room?.status === "active" && room.paused === undefined && room.actions.includes(this.action) && room.choice === undefined && !this.sending;
  }

  /** Whether to show the button, from the displayed view; it looks the same in every reveal, in which a press skips. */
  get hasButton() {
    return !this.quiet && this.settled?.seat !== undefined && this.settled.status === "active";
  }

  /** Whether the button is disabled. */
  get isDisabled() {
    return this.reveal.busy ? this.room?.choice !== undefined || this.sending !== "" : !this.canPress;
  }

  /** Milliseconds since the last accepted press. */
  get sincePress() {
    return performance.now() - this.#when;
  }

  /** Milliseconds until a press is accepted. */
  get resendIn() {
    return this.#decision === this.room?.decision ? Math.max(RESEND_AFTER - this.sincePress, 0) : 0;
  }

  /** Send the action, and skip a reveal; return whether this press was accepted. */
  press() {
    if (!this.canPress || this.resendIn) {
      if (this.hasButton) this.reveal.skip();
      return false;
    }
    this.#decision = this.room?.decision ?? -1;
    this.#when = performance.now();
    this.reveal.skip();
    this.dispatchEvent(new CustomEvent("choose", { detail: { action: this.action } }));
    return true;
  }

  /**
   * Handle a key as a press; return whether it was handled.
   *
   * @param {string} key
   * @returns {boolean}
   */
  pressed(key) {
    void key;
    return this.press();
  }
}

/**
 * Return whether a key counts as a press. Enter counts, and so does every printable key but `?` and the key of the log.
 * A button handles Enter and the space bar itself, so these keys do not count there.
 *
 * @param {string} key
 * @param {KeyboardEvent} event
 */
function isPressKey(key, event) {
  const [target] = event.composedPath();
  const native = target instanceof Element && target.matches("button, a, summary, [role=button]");
  return !event.repeat && /^(Enter|[^l?])$/iu.test(key) && !(native && /^(Enter| )$/.test(key));
}
