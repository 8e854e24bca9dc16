import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { ANIMALS, COLOURS, disc, face, faceOf } from "../art/faces.js";
import { request } from "../api/http.js";
import { savedName, serverInfo } from "../api/server-info.js";
import { EventController, LanguageController } from "./controllers.js";
import { closeButton, closeOnBackdrop } from "./dialog-parts.js";
import { icon } from "./icons.js";
import { baseStyles } from "./styles.js";
import { errorMessage } from "../i18n/errors.js";
import { t } from "../i18n/translate.js";

/**
 * Button with the face of this browser's player, and the dialog to choose another. With `offers`, that many faces are
 * there to tap, and a button for the dialog, until the player has chosen a face. Event: "change" after a change.
 */
export class FacePicker extends LitElement {
  static properties = { offers: { type: Number }, open: { state: true }, error: { state: true }, chosen: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host {
        flex: none;
        display: inline-block;
      }
      .offered {
        display: grid;
        grid-auto-columns: minmax(0, 48px);
        grid-auto-flow: column;
        justify-content: center;
        gap: var(--space-2);
      }
      .offered button {
        color: inherit;
        width: auto;
        height: auto;
        aspect-ratio: 1;
      }
      .current {
        padding: 0;
        width: 48px;
        min-width: 0;
        height: 48px;
        border-radius: 50%;
      }
      .offered .icon {
        margin: auto;
      }
      .offered [aria-pressed="true"] {
        outline: 3px solid var(--outline, var(--accent));
        outline-offset: 2px;
      }
      dialog {
        width: min(30rem, calc(100vw - 1.5rem));
      }
      header {
        margin: calc(-1 * var(--space-2)) calc(-1 * var(--space-2)) var(--space-3) 0;
      }
      .faces,
      .colours {
        grid-template-columns: repeat(auto-fill, minmax(48px, 1fr));
      }
      .colours {
        grid-template-columns: repeat(10, 1fr);
        margin-top: var(--space-4);
      }
      label {
        position: relative;
        display: block;
        aspect-ratio: 1;
        border-radius: 50%;
        cursor: pointer;
      }
      input {
        margin: 0;
        opacity: 0;
        cursor: pointer;
      }
      label:has(:checked) {
        outline: 3px solid var(--accent);
        outline-offset: 2px;
      }
      label:has(:focus-visible) {
        outline: 3px solid var(--ink);
        outline-offset: 2px;
      }
      .main {
        width: 100%;
        margin-top: var(--space-5);
      }
    `,
  ];

  constructor() {
    super();
    /** The number of faces to tap. */
    this.offers = 0;
    this.open = false;
    this.error = "";
    /** Chosen face that the server does not have yet. */
    this.chosen = "";
    new LanguageController(this);
    new EventController(this, serverInfo, "change");
  }

  /** Some faces in a random order, each with another animal and colour. @type {string[]} */
  #offered = [...ANIMALS]
    .map((animal) => ({ animal, order: Math.random() }))
    .sort((first, second) => first.order - second.order)
    .map(({ animal }, index) => `${animal}-${index % COLOURS}`);

  get #player() {
    const you = serverInfo.player;
    return { name: you?.name ?? (savedName() || "?"), kind: "person", handle: you?.handle ?? "", face: this.chosen || (you?.face ?? "") };
  }

  /** Store the chosen face. A visitor without a session becomes a guest. */
  async #store() {
    this.open = false;
    const face = this.chosen;
    if (!face || face === serverInfo.player?.face) return;
    try {
      const name = savedName();
      if (!serverInfo.player) await request("POST", "/api/session", name ? { name } : {});
      serverInfo.setPlayer(await request("PATCH", "/api/me", { face }));
      this.error = "";
      this.dispatchEvent(new Event("change"));
    } catch (error) {
      this.error = errorMessage(error);
    }
    this.chosen = "";
  }

  async #show() {
    this.open = true;
    await this.updateComplete;
    /** @type {HTMLDialogElement | null} */ (this.renderRoot.querySelector("dialog"))?.showModal();
  }

  /** @param {string} animal @param {number} colour */
  #choose(animal, colour) {
    this.chosen = `${animal}-${colour}`;
  }

  /** @param {string} offer */
  #take(offer) {
    this.chosen = offer;
    return this.#store();
  }

  #renderDialog() {
    const { drawing, colour } = faceOf(this.#player);
    return html`<dialog autofocus aria-labelledby="title" @close=${this.#store} @click=${closeOnBackdrop}>
      <header class="apart"><h2 id="title">${t("shell.face")}</h2>${closeButton()}</header>
      <div class="faces tight" role="radiogroup" aria-label=${t("shell.face.animals")}>
        ${ANIMALS.map((animal) => html`<label title=${t(`shell.animal.${animal}`)}>
          <svg class="face" viewBox="0 0 100 100" aria-hidden="true">${disc(animal, colour, animal)}</svg>
          <input class="covering" type="radio" name="animal" aria-label=${t(`shell.animal.${animal}`)} .checked=${animal === drawing} @change=${() => this.#choose(animal, colour)}></label>`)}
      </div>
      <div class="colours tight" role="radiogroup" aria-label=${t("shell.face.colours")}>
        ${Array.from({ length: COLOURS }, (_, number) => html`<label>
          <svg class="face" viewBox="0 0 100 100" aria-hidden="true">${svg`<circle cx="50" cy="50" r="50" .style=${`fill: var(--seat-${number})`} />`}</svg>
          <input class="covering" type="radio" name="colour" aria-label=${t("shell.face.colour", { number: number + 1 })} .checked=${number === colour} @change=${() => this.#choose(drawing, number)}></label>`)}
      </div>
      <form method="dialog"><button class="main">${t("shell.face.done")}</button></form>
    </dialog>`;
  }

  /** @param {string[]} faces */
  #renderOffers(faces) {
    const { face: current } = this.#player;
    return html`<div class="offered">
      ${faces.map((offer) => {
        const animal = t(`shell.animal.${offer.split("-")[0]}`);
        return html`<button type="button" class="current flat" aria-pressed="${offer === current}" aria-label=${animal} title=${animal}
          @click=${() => this.#take(offer)}>${face({ name: animal, kind: "person", face: offer })}</button>`;
      })}
      ${this.#renderButton(icon("more"))}
    </div>`;
  }

  /** @param {unknown} content */
  #renderButton(content) {
    return html`<button type="button" class="current flat" aria-label=${t("shell.face.change")} title=${t("shell.face.change")} @click=${this.#show}>${content}</button>`;
  }

  render() {
    const { face: current } = this.#player;
    const offers = this.#offered.slice(0, this.offers);
    return html`${offers.length && (!current || offers.includes(current)) ? this.#renderOffers(offers) : this.#renderButton(face(this.#player, 0))}
      ${this.open ? this.#renderDialog() : ""}
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : ""}`;
  }
}
customElements.define("face-picker", FacePicker);
