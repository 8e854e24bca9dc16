import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE } from "../live/api.js";
import { say } from "../words/say.js";
import { narrow, sheet } from "./sheet.js";

/** How others come to a table: its five letters, its link, a code for cameras. */
export class ShareTable extends LitElement {
  static properties = { table: {}, code: {}, link: {}, copied: { state: true }, wide: { state: true } };
  static styles = [
    sheet,
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
        font: 800 clamp(1.7rem, 7.5vw, 2.6rem) / 1 var(--figures);
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
        flex: none;
      }
      img {
        display: block;
        width: clamp(96px, 25vw, 150px);
        height: auto;
        image-rendering: pixelated;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
        grid-column: 1 / -1;
      }
      .link {
        flex: 1 1 12rem;
        min-width: 0;
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
    narrow,
  ];

  constructor() {
    super();
    this.table = "";
    this.code = "";
    this.link = "";
    this.copied = false;
    this.wide = false;
  }

  async #copy() {
    const field = /** @type {HTMLInputElement} */ (this.renderRoot.querySelector(".link"));
    try {
      await navigator.clipboard.writeText(this.link);
      this.copied = true;
    } catch {
      field.select(); // plain http has no clipboard: the old way, or the person's own
      this.copied = document.execCommand("copy");
    }
    if (this.copied) setTimeout(() => (this.copied = false), 2500);
  }

  #share() {
    void navigator.share({ title: "faceup", text: say("shell.share.text"), url: this.link }).catch(() => {});
  }

  /** @param {boolean} open */
  #show(open) {
    const dialog = /** @type {HTMLDialogElement} */ (this.renderRoot.querySelector("dialog"));
    if (open) dialog.showModal();
    else dialog.close();
  }

  render() {
    const picture = `${BASE}/api/tables/${this.table}/link.svg`;
    return html`<section class="panel" aria-label=${say("shell.share.title")}>
      <div>
        <h2>${say("shell.share.title")}</h2>
        <p class="code" role="img" aria-label=${say("shell.share.code", { code: [...this.code].join(" ") })}>
          ${[...this.code].map((letter) => html`<span aria-hidden="true">${letter}</span>`)}
        </p>
        <p class="soft small">${say("shell.share.how")}</p>
      </div>
      <button class="qr" @click=${() => this.#show(true)} aria-label=${say("shell.share.larger")}>
        <img src=${picture} alt=${say("shell.share.qr")} width="168" height="168">
      </button>
      <div class="row">
        <input class="link" readonly .value=${this.link} aria-label=${say("shell.share.link")}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}>
        <button @click=${this.#copy}>${this.copied ? say("shell.share.copied") : say("shell.share.copy")}</button>
        ${"share" in navigator ? html`<button @click=${this.#share}>${say("shell.share.send")}</button>` : nothing}
      </div>
      ${/^https?:\/\/(localhost|127\.|\[::1\])/.test(this.link) ? html`<p class="soft small local">${say("shell.share.local")}</p>` : nothing}
      <span class="seen-by-readers-alone" role="status">${this.copied ? say("shell.share.copied") : ""}</span>
      <dialog autofocus aria-label=${say("shell.share.qr")} @click=${() => this.#show(false)}>
        <img src=${picture} alt=${say("shell.share.qr")}>
      </dialog>
    </section>`;
  }
}
customElements.define("share-table", ShareTable);
