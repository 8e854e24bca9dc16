import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { Connection } from "../api/connection.js";
import { BASE } from "../api/http.js";
import { serverInfo } from "../api/server-info.js";
import { formatDateTime } from "../i18n/format.js";
import { dateLocale, hasTranslation, loadNamespaces, t } from "../i18n/translate.js";
import { readStored, writeStored } from "../api/storage.js";
import { EventController, LanguageController } from "./controllers.js";
import "./keep-focus.js"; // in the same bundle, since all pages have it, and the footer
import "./site-footer.js";
import { baseStyles } from "./styles.js";

/** Notices above any page, for an announcement of the server, an update of the page, and a deletion of the account. */
export class AnnouncementBar extends LitElement {
  static properties = { read: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host {
        display: block;
      }
      div {
        display: flex;
        align-items: center;
        justify-content: center;
        gap: var(--space-3);
        padding: 0 var(--space-4);
        background: var(--ink);
        color: var(--paper);
      }
      p {
        flex: 0 1 auto;
        overflow-wrap: anywhere;
      }
      button,
      a {
        padding: 0 var(--space-2);
        color: inherit;
        text-decoration: underline;
      }
      @media (max-width: 30rem) {
        div {
          padding: 0 var(--space-2) 0 var(--space-3);
          font-size: var(--text--1);
          line-height: 1.25;
        }
      }
    `,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** Notifies tables how much lower they are. */
  #resize = new ResizeObserver(() => document.documentElement.style.setProperty("--controls-height", `${this.offsetHeight}px`));

  constructor() {
    super();
    this.read = "";
    new LanguageController(this);
    new EventController(this, serverInfo, "change", () => this.#onServerChange());
  }

  connectedCallback() {
    super.connectedCallback();
    this.#resize.observe(this);
    this.#onServerChange(); // the server info may have been loaded before this module
  }

  #onServerChange() {
    clearInterval(this.#timer);
    this.requestUpdate();
    if (!serverInfo.newerBuild) {
      if (serverInfo.player?.deleted_at) void loadNamespaces("shell");
      return;
    }
    this.#reload();
    this.#timer = setInterval(() => this.#reload(), 1000);
  }

  /**
   * Reload the page for a newer build when the user is idle. Reload once per build, because a reload may bring the old
   * build.
   */
  #reload() {
    if (Connection.hasOpenDecision() || document.visibilityState !== "visible" || typing()) return;
    clearInterval(this.#timer);
    if (readStored("faceup.reloaded", "sessionStorage") === serverInfo.newerBuild) return;
    // Without storage, the page reloads only when the user presses the button.
    if (writeStored("faceup.reloaded", serverInfo.newerBuild, "sessionStorage")) location.reload();
  }

  render() {
    const announcement = serverInfo.announcement;
    const deletedAt = hasTranslation("shell.data.keep") ? serverInfo.player?.deleted_at : null;
    const when = announcement?.at ? new Date(announcement.at).toLocaleTimeString(dateLocale(), { hour: "2-digit", minute: "2-digit" }) : "";
    return html`
      ${announcement && announcement.id !== this.read
        ? html`<div role="status">
            <p>${when ? t("ui.announcement.dated", { text: announcement.text, when }) : announcement.text}</p>
            <button class="flat rigid" @click=${() => (this.read = announcement.id)}>${t("ui.announcement.dismiss")}</button>
          </div>`
        : nothing}
      ${deletedAt
        ? html`<div role="status">
            <p>${t("shell.data.deleted_at", { when: formatDateTime(deletedAt) })}</p>
            <a class="rigid" href="${BASE}/me#data">${t("shell.data.keep")}</a>
          </div>`
        : nothing}
      ${serverInfo.newerBuild
        ? html`<div role="status">
            <p>${t("ui.update.available")}</p>
            <button class="flat rigid" @click=${() => location.reload()}>${t("ui.update.reload")}</button>
          </div>`
        : nothing}`;
  }
}
customElements.define("announcement-bar", AnnouncementBar);

/** Return whether the user has typed something. */
function typing() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at instanceof HTMLInputElement && !at.readOnly && at.value !== "";
}
