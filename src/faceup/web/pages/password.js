import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { BASE, ask } from "../live/api.js";
import { house } from "../live/house.js";
import { title } from "../manners/title.js";
import { narrow, sheet } from "../parts/sheet.js";
import "../parts/top-bar.js";
import { refused } from "../words/refused.js";
import { say } from "../words/say.js";
import { go } from "./go.js";

/** Where a one-time link for a new password leads. The key is taken out of the address at once. */
export class PasswordPage extends LitElement {
  static properties = { said: { state: true }, busy: { state: true } };
  static styles = [
    sheet,
    css`
      form {
        max-width: 26rem;
        margin: 8vh auto 0;
        padding: var(--space-4);
        display: grid;
        gap: var(--space-3);
      }
      .said {
        color: var(--danger);
        font-weight: 600;
      }
    `,
    narrow,
  ];

  #key = location.hash.slice(1);

  constructor() {
    super();
    this.said = "";
    this.busy = false;
    history.replaceState(null, "", `${BASE}/password`);
    title(say("shell.password"));
  }

  /** @param {Event} event */
  async #send(event) {
    event.preventDefault();
    if (this.busy) return;
    this.busy = true;
    this.said = "";
    const field = /** @type {HTMLInputElement} */ (this.renderRoot.querySelector("input"));
    try {
      house.is(await ask("POST", "/api/account/reset", { key: this.#key, new: field.value }));
      go("/me");
    } catch (error) {
      this.said = refused(error, "reset");
    } finally {
      this.busy = false;
    }
  }

  render() {
    return html`<top-bar></top-bar>
      <form @submit=${this.#send}>
        <h1>${say("shell.password")}</h1>
        ${this.#key
          ? html`<label for="new">${say("shell.password.new")}</label>
              <input id="new" type="password" autocomplete="new-password" minlength="8" maxlength="200" required>
              <button class="main" ?disabled=${this.busy}>${say("shell.password.take")}</button>
              <p class="soft small">${say("shell.password.says")}</p>`
          : html`<p>${say("shell.password.nokey")}</p>`}
        ${this.said ? html`<p class="said" role="alert">${this.said}</p>` : nothing}
      </form>`;
  }
}
customElements.define("password-page", PasswordPage);
