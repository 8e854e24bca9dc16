import { LitElement, css, html, nothing } from "../vendor/lit/index.js";
import { isOutcomeUnknown } from "../api/http.js";
import { asPlayer, face } from "../art/faces.js";
import { gameTitle } from "../i18n/games.js";
import { listedPerson } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { LanguageController } from "../ui/controllers.js";
import { announce } from "../ui/live-region.js";
import { navigate } from "../ui/navigation.js";
import { runRequest } from "../ui/run-request.js";
import { baseStyles } from "../ui/styles.js";
import { floatingStyles } from "../ui/toast-styles.js";
import { playAfterCountdown, sitOut, startCountdown } from "./requests.js";

/** @import { PartyView } from "../api/http-types.js" */
/** @import { PartySource } from "./requests.js" */

/** Milliseconds after the end of a countdown for which the page goes to its table. A device that slept does not. */
const LATE = 5000;

/** Milliseconds after its end at which a countdown is over. The server keeps it for longer, so that the last request counts. */
const OVER = 15_000;

/** Milliseconds between two attempts to start the game while the server does not answer. */
const RETRY = 2000;

/**
 * The countdown to the next game of a party, in which everyone takes part who has the page open: who starts it, who
 * plays, and a button to sit out. At its end, the page goes to the table. It is empty without a countdown.
 */
export class PartyCountdown extends LitElement {
  static properties = { source: { attribute: false }, left: { state: true }, busy: { state: true }, error: { state: true } };
  static styles = [
    baseStyles,
    floatingStyles,
    css`
      .tile {
        padding: var(--space-4);
      }
      .aligned {
        gap: var(--space-3);
      }
      em {
        display: grid;
        place-items: center;
        flex: none;
        width: 3.5rem;
        aspect-ratio: 1;
        border-radius: 50%;
        font: 800 var(--text-4) / 1 var(--figures);
        color: #3a2a00;
        background: #ffc940;
      }
      h2 {
        overflow-wrap: anywhere;
        unicode-bidi: isolate;
        font-size: var(--text-1);
      }
      .foot {
        justify-content: space-between;
        margin-top: var(--space-3);
      }
      .faces {
        display: flex;
        flex-wrap: wrap;
        gap: 4px;
      }
      .faces .face {
        width: 2rem;
      }
      .error {
        color: #ffd0ca;
      }
    `,
  ];

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #announced = "";
  /** The end of the countdown for which this page has sent a request, so that it was awake. @type {number | undefined} */
  #tried;
  /** The last table of the party, if this page waits for the next one. @type {string | null | undefined} */
  #before;
  #onChange = () => this.#tick();

  constructor() {
    super();
    /** @type {PartySource | null} */
    this.source = null;
    /** Seconds until the game starts. */
    this.left = 0;
    this.busy = false;
    this.error = "";
    new LanguageController(this);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("source")) return;
    /** @type {PartySource | null | undefined} */ (changed.get("source"))?.removeEventListener("change", this.#onChange);
    this.source?.addEventListener("change", this.#onChange);
    this.#tick();
  }

  disconnectedCallback() {
    this.source?.removeEventListener("change", this.#onChange);
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  #tick() {
    clearTimeout(this.#timer);
    this.requestUpdate();
    const { party, countdownEnds } = this.source ?? {};
    const { countdown } = party ?? {};
    if (party && !countdown) this.#follow(party);
    if (!party || !countdown || countdownEnds === undefined) return;
    this.#before = countdown.out ? undefined : party.room;
    if (this.#announced !== `${countdown.ends_at}`) announce(this.#words);
    this.#announced = `${countdown.ends_at}`;
    const left = countdownEnds - performance.now();
    this.left = Math.max(0, Math.ceil(left / 1000));
    if (left > 0) this.#timer = setTimeout(() => this.#tick(), Math.max(16, left % 1000));
    else if (left > -OVER && !countdown.out && !this.busy && (left > -LATE || this.#tried === countdown.ends_at)) void this.#play(party);
  }

  /** Start the game, or find the table that another page has started. @param {PartyView} party */
  async #play(party) {
    this.#tried = party.countdown?.ends_at;
    await runRequest(this, async () => {
      try {
        const table = await playAfterCountdown(party);
        this.#before = undefined;
        navigate(`/t/${table}`);
      } catch (error) {
        if (!isOutcomeUnknown(error)) throw error;
        this.#timer = setTimeout(() => this.#tick(), RETRY);
      }
    }, "sit");
    if (this.source?.party && !this.source.party.countdown) this.#follow(this.source.party);
  }

  /** Go to the table if another page has started the game before this one saw the end of the countdown. @param {PartyView} party */
  #follow({ room, table }) {
    if (this.busy || this.#before === undefined) return;
    const started = room !== this.#before && table?.place === "seat";
    this.#before = undefined;
    if (started) navigate(`/t/${room}`);
  }

  /** Whether the game can no longer start: the server did not answer for too long. */
  get #isOver() {
    return (this.source?.countdownEnds ?? 0) < performance.now() - OVER;
  }

  get #words() {
    const { party } = this.source ?? {};
    const starter = party?.members.find(({ handle }) => handle === party.countdown?.by);
    const game = gameTitle(party?.countdown?.game ?? "");
    return starter && !starter.you ? t("party.countdown.by", { name: listedPerson(starter), game }) : t("party.countdown", { game });
  }

  /** @param {() => Promise<unknown>} work */
  #run(work) {
    return runRequest(this, async () => {
      await work();
      await this.source?.reload();
    });
  }

  render() {
    const { party } = this.source ?? {};
    const { countdown } = party ?? {};
    if (!party || !countdown || this.#isOver) return nothing;
    const own = party.members.find(({ you }) => you)?.handle === countdown.by;
    const players = party.members.filter(({ handle }) => countdown.players.includes(handle));
    return html`<section class="tile"><div class="aligned"><em role="timer" aria-live="off">${this.left}</em>
        <div class="grow"><h2>${this.#words}</h2><p class="small">${t("party.countdown.players", { count: players.length })}</p></div></div>
      <div class="foot cluster"><div class="faces" aria-hidden="true">${players.map((member) => face(asPlayer(member)))}</div>
      ${countdown.out
        ? html`<button class="gold" ?disabled=${this.busy} @click=${() => this.#run(() => startCountdown(party, null))}>${t("party.countdown.in")}</button>`
        : html`<button ?disabled=${this.busy} @click=${() => this.#run(() => sitOut(party))}>${t(own ? "party.countdown.stop" : "party.countdown.out")}</button>`}</div>
      ${this.error ? html`<p class="error" role="alert">${this.error}</p>` : nothing}</section>`;
  }
}
customElements.define("party-countdown", PartyCountdown);
