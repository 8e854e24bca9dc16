import { LitElement, css, html, nothing, svg } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { language, t } from "../i18n/translate.js";
import { LanguageController } from "./controllers.js";
import { drawIcon } from "./icons.js";
import { baseStyles } from "./styles.js";

/** @import { PushState } from "../api/http-types.js" */

const BELL = svg`<path d="M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5L19 18H5ZM10.3 20.5h3.4"/>`;

/** Whether this browser can show notices: only over https, and on iPhones only from the home screen. */
const AVAILABLE = isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Offer to notify this browser when it is the player's turn at a game with days per move; empty if that is not possible. */
export class TurnNotices extends LitElement {
  static properties = { state: { state: true }, problem: { state: true }, busy: { state: true } };
  static styles = [
    baseStyles,
    css`
      .cluster {
        gap: var(--space-2) var(--space-3);
      }
      :host([boxed]) div {
        padding: var(--space-2) var(--space-4);
        border-radius: var(--radius);
        background: var(--surface);
        box-shadow: var(--low);
      }
      span {
        flex: 1 1 12rem;
      }
      svg {
        color: var(--accent);
      }
      .error {
        flex-basis: 100%;
      }
    `,
  ];

  constructor() {
    super();
    /** @type {PushState | null} */
    this.state = null;
    this.problem = "";
    this.busy = false;
    this.hidden = true;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    if (AVAILABLE) request("GET", "/api/push").then((state) => (this.state = state), () => {}); // without an answer, offer nothing
  }

  /** @param {() => Promise<void>} work */
  async #run(work) {
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    try {
      await work();
    } catch {
      this.problem = t("shell.push.failed");
    } finally {
      this.busy = false;
    }
  }

  async #subscribe() {
    if ((await Notification.requestPermission()) !== "granted") {
      this.problem = t("shell.push.denied");
      return;
    }
    await navigator.serviceWorker.register(`${BASE}/service-worker.js`, { scope: `${BASE}/` });
    const { pushManager } = await navigator.serviceWorker.ready;
    const options = { userVisibleOnly: true, applicationServerKey: this.state?.key };
    // A subscription for this key is returned again, so that a repeated request is the same.
    const made = await pushManager.subscribe(options).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe(); // it was made for another key
      return pushManager.subscribe(options);
    });
    const { endpoint, keys } = made.toJSON();
    this.state = await request("POST", "/api/push", { endpoint, keys, language: language() });
  }

  async #unsubscribe() {
    this.state = await request("DELETE", "/api/push");
    const registration = await navigator.serviceWorker.getRegistration(`${BASE}/`);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  }

  willUpdate() {
    this.hidden = !this.state?.key;
  }

  render() {
    if (!this.state?.key) return nothing;
    const { subscribed } = this.state;
    return html`<div class="cluster aligned">${drawIcon(BELL)}<span>${t(subscribed ? "shell.push.on" : "shell.push.offer")}</span>
      <button class=${subscribed ? "quiet" : ""} ?disabled=${this.busy}
        @click=${() => this.#run(() => (subscribed ? this.#unsubscribe() : this.#subscribe()))}>${t(subscribed ? "shell.push.off" : "shell.push.notify")}</button>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}</div>`;
  }
}
customElements.define("turn-notices", TurnNotices);
