import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { gameTitle } from "../i18n/games.js";
import { formatList, labelled } from "../i18n/format.js";
import { listedName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { announce } from "../ui/live-region.js";
import { baseStyles } from "../ui/styles.js";
import { floatingStyles, toastStyles } from "../ui/toast-styles.js";

/** @import { GameToWatch } from "../api/http-types.js" */

/** Seconds after which the next game is shown. */
const CONTINUES_AFTER = 12;

/** Message at the end of a game: the next one follows after a countdown, or there is none. Events: "watch" and "stay". */
export class WatchNext extends LitElement {
  static properties = { game: { attribute: false }, left: { state: true } };
  static styles = [
    baseStyles,
    floatingStyles,
    toastStyles,
    css`
      span {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
      }
    `,
  ];

  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  constructor() {
    super();
    /** @type {GameToWatch | null} the next game; null if there is none yet */
    this.game = null;
    this.left = CONTINUES_AFTER;
    new LanguageController(this);
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (!this.game) return;
      this.left -= 1;
      if (this.left <= 0) this.#emit("watch");
    }, 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("game") || (this.game && changed.get("game"))) return; // another game has become the next one
    announce(this.game ? t("watch.next.in", { count: this.left }) : t("watch.next.none"));
  }

  /** @param {"watch" | "stay"} what */
  #emit(what) {
    clearInterval(this.#timer);
    this.dispatchEvent(new Event(what));
  }

  render() {
    const { game } = this;
    const names = (game?.seats ?? []).flatMap((seat) => (seat ? [listedName(seat)] : []));
    return html`<section class="cluster aligned tile" aria-label=${t("watch.next")}>
      ${game
        ? html`<p><span>${labelled(gameTitle(game.game), formatList(names))}</span><small class="block small">${t("watch.next.in", { count: Math.max(0, this.left) })}</small></p>`
        : html`<p>${t("watch.next.none")}</p>`}
      <div>
        <button class="quiet words" @click=${() => this.#emit("stay")}>${t("watch.stay")}</button>
        ${game ? html`<button class="gold" @click=${() => this.#emit("watch")}>${t("watch.now")}</button>` : nothing}
      </div>
    </section>`;
  }
}
customElements.define("watch-next", WatchNext);
