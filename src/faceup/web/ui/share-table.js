import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../api/http.js";
import { SITE } from "../api/site.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "./controllers.js";
import { copyText, share } from "./share.js";
import { narrowStyles, baseStyles } from "./styles.js";

/** Invitation to a table or a tournament: code (only a table has one), link and QR code. */
export class ShareTable extends LitElement {
  static properties = { path: {}, code: {}, link: {}, copied: { state: true }, wide: { state: true }, television: { type: Boolean, reflect: true } };
  static styles = [
    baseStyles,
    css`
      .panel {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: var(--space-4) var(--space-5);
        align-items: center;
        background: radial-gradient(120% 140% at 20% 0%, var(--felt), var(--felt-deep));
        color: var(--on-felt);
        padding: var(--space-5);
        box-shadow: var(--high);
      }
      .soft {
        color: var(--on-felt-soft);
      }
      .code {
        display: flex;
        gap: 0.18em;
        font: 800 clamp(1.2rem, 7.5vw, 2.6rem) / 1 var(--figures);
        margin: var(--space-2) 0 var(--space-3);
      }
      .code span {
        background: var(--card);
        color: var(--card-ink);
        border-radius: 0.2em;
        padding: 0.16em 0 0.12em;
        width: 1.06em;
        text-align: center;
        box-shadow: 0 2px 0 var(--card-edge), 0 6px 14px rgb(0 0 0 / 0.28);
      }
      .qr {
        background: #fff;
        border-radius: var(--radius);
        padding: 0;
        box-shadow: var(--high);
        overflow: hidden;
      }
      img {
        display: block;
        width: clamp(96px, 25vw, 150px);
        height: auto;
        image-rendering: pixelated;
      }
      /* Readable for a phone across the room. */
      :host([television]) .panel {
        grid-template-columns: 1fr;
        justify-items: center;
        text-align: center;
      }
      :host([television]) .code {
        justify-content: center;
      }
      :host([television]) .qr {
        order: -1;
        width: min(42vh, 100%);
      }
      :host([television]) .qr img {
        width: 100%;
      }
      :host([television]) .row {
        justify-self: stretch;
      }
      :host([television]) .row button {
        display: none;
      }
      :host([television]) .link {
        font: 700 max(1em, 3vh) / 1.4 var(--figures);
        text-align: center;
      }
      .row {
        grid-column: 1 / -1;
      }
      .link {
        flex: 1 1 12rem;
        background: rgb(0 0 0 / 0.24);
        color: var(--on-felt);
        text-overflow: ellipsis;
      }
      .local {
        grid-column: 1 / -1;
        margin: 0;
      }
      dialog {
        padding: var(--space-4);
        background: #fff;
        line-height: 0;
      }
      dialog img {
        width: min(80vw, 70vh);
        display: block;
      }
      @media (max-width: 26rem) {
        .panel {
          padding: var(--space-4);
        }
      }
    `,
    narrowStyles,
  ];

  constructor() {
    super();
    /** Path of what the link leads to, below `/api`: "tables/ID". */
    this.path = "";
    this.code = "";
    this.link = "";
    this.copied = false;
    this.wide = false;
    this.television = false;
    new LanguageController(this);
  }

  /** A link that is short enough to type. */
  get #typed() {
    return this.code ? this.link.replace(/\/t\/[^/]+$/, `/${this.code}`) : this.link;
  }

  async #copy() {
    this.copied = await copyText(this.link);
    if (this.copied) setTimeout(() => (this.copied = false), 2500);
  }

  #share() {
    void share({ title: SITE.name, text: t("shell.share.text"), url: this.link });
  }

  /** @param {boolean} open */
  #show(open) {
    const dialog = /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector("dialog"));
    if (open) dialog.showModal();
    else dialog.close();
  }

  render() {
    const picture = `${BASE}/api/${this.path}/link.svg`;
    return html`<section class="panel" aria-label=${t("shell.share.title")}>
      <div>
        <h2>${t("shell.share.title")}</h2>
        ${this.code
          ? html`<p class="code" role="img" aria-label=${t("shell.share.code", { code: [...this.code].join(" ") })}>
              ${[...this.code].map((letter) => html`<span aria-hidden="true">${letter}</span>`)}
            </p>`
          : nothing}
        <p class="soft small">${t(this.code ? "shell.share.how" : "shell.share.how.link")}</p>
      </div>
      <button class="qr rigid" @click=${() => this.#show(true)} aria-label=${t("shell.share.larger")}>
        <img src=${picture} alt=${t("shell.share.qr")} width="168" height="168">
      </button>
      <div class="row cluster">
        <input class="link" readonly .value=${this.television ? this.#typed : this.link} aria-label=${t(this.code ? "shell.share.link" : "shell.share.link.tournament")}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}>
        <button @click=${this.#copy}>${this.copied ? t("shell.share.copied") : t("shell.share.copy")}</button>
        ${"share" in navigator ? html`<button @click=${this.#share}>${t("shell.share.send")}</button>` : nothing}
      </div>
      ${/^https?:\/\/(localhost|127\.|\[::1\])/.test(this.link) ? html`<p class="soft small local">${t("shell.share.local")}</p>` : nothing}
      <span class="visually-hidden" role="status">${this.copied ? t("shell.share.copied") : ""}</span>
      <dialog autofocus aria-label=${t("shell.share.qr")} @click=${() => this.#show(false)}>
        <img src=${picture} alt=${t("shell.share.qr")}>
      </dialog>
    </section>`;
  }
}
customElements.define("share-table", ShareTable);
