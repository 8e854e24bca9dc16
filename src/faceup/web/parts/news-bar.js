import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { Connection } from "../live/connection.js";
import { house } from "../live/house.js";
import { language, need, say } from "../words/say.js";
import { sheet } from "./sheet.js";

/** What everybody is to read now, above any page: what is announced, and that the page is older than its server. */
export class NewsBar extends LitElement {
  static properties = { read: { state: true } };
  static styles = [
    sheet,
    css`
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: center;
        gap: var(--space-1) var(--space-3);
        padding: var(--space-2) var(--space-4);
        background: var(--ink);
        color: var(--paper);
      }
      p {
        flex: 0 1 auto;
        overflow-wrap: anywhere;
      }
      button {
        background: none;
        box-shadow: none;
        color: inherit;
        text-decoration: underline;
      }
    `,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #news = async () => {
    clearInterval(this.#timer);
    if (!house.newer && !house.announcement) return this.requestUpdate();
    await need("shell");
    this.requestUpdate();
    if (!house.newer) return;
    this.#reload();
    this.#timer = setInterval(() => this.#reload(), 1000);
  };

  constructor() {
    super();
    this.read = "";
  }

  connectedCallback() {
    super.connectedCallback();
    house.addEventListener("news", this.#news);
    addEventListener("language", this.#news);
  }

  /** Load the newer page when nobody is in the middle of something; once each, in case it should be no newer. */
  #reload() {
    if (Connection.choosing() || document.visibilityState !== "visible" || typing()) return;
    clearInterval(this.#timer);
    try {
      if (sessionStorage.getItem("faceup.reloaded") === house.newer) return;
      sessionStorage.setItem("faceup.reloaded", house.newer);
    } catch {
      return; // without storage, the button has to do
    }
    location.reload();
  }

  render() {
    const told = house.announcement;
    const when = told?.at ? new Date(told.at).toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit" }) : "";
    return html`
      ${told && told.id !== this.read
        ? html`<div role="status">
            <p>${when ? say("shell.news.at", { text: told.text, when }) : told.text}</p>
            <button @click=${() => (this.read = told.id)}>${say("shell.news.read")}</button>
          </div>`
        : nothing}
      ${house.newer
        ? html`<div role="status">
            <p>${say("shell.news.older")}</p>
            <button @click=${() => location.reload()}>${say("shell.news.reload")}</button>
          </div>`
        : nothing}`;
  }
}
customElements.define("news-bar", NewsBar);

/** Whether somebody has begun to write something. */
function typing() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLInputElement && !at.readOnly && at.value !== "";
}
