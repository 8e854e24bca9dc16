import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { BASE, request } from "../api/http.js";
import { joinTexts } from "../i18n/format.js";
import { gameTitle } from "../i18n/games.js";
import { language, loadNamespaces, t } from "../i18n/translate.js";
import { nameOf } from "../i18n/seat-names.js";
import { LanguageController } from "./controllers.js";
import { closeButton, closeOnBackdrop } from "./dialog-parts.js";
import { drawIcon, icon } from "./icons.js";
import { copyText, fetchPicture, share } from "./share.js";
import { segmentStyles } from "./segment-styles.js";
import { baseStyles } from "./styles.js";

/**
 * A picture: the address of a PNG, or a function that loads it. `label` names it if there are several; `tall` pictures
 * are made for phones.
 *
 * @typedef {{load: string | (() => Promise<Blob>), label?: string, tall?: boolean}} Picture
 *
 * A moment of a replay. `link` is the link to its table, which other devices can open.
 *
 * @typedef {{table: string, link: string, at: number, seat?: number}} Moment
 *
 * What to share.
 *
 * @typedef {object} Shared
 * @property {string} title title for the share sheet
 * @property {string} text a sentence for a message
 * @property {string} [hint] a sentence for the player who shares
 * @property {string} [url] the link; a record from a file has none
 * @property {Picture[]} pictures pictures to choose from, at least one
 * @property {Moment} [embed] a moment of a replay to embed in other pages
 * @property {string} [record] address of the record to download
 */

const ICONS = {
  download: svg`<path d="M12 4.5v10M7.5 10.5 12 15l4.5-4.5M5 19.5h14"/>`,
  code: svg`<path d="m8.5 7.5-5 4.5 5 4.5M15.5 7.5l5 4.5-5 4.5"/>`,
  picture: svg`<rect x="3.5" y="5" width="17" height="14" rx="2"/><path d="m4 16.5 4.8-4.6 3.7 3.6 2.7-2.4 4.5 3.9"/><circle cx="15.5" cy="9.5" r="1.4"/>`,
};

/** Dialog that shares a table, a result or a moment: link, picture, system share sheet, code to embed. */
export class ShareDialog extends LitElement {
  static properties = {
    shared: { attribute: false },
    chosen: { state: true },
    picture: { state: true },
    failed: { state: true },
    message: { state: true },
    embedding: { state: true },
  };
  static styles = [
    baseStyles,
    segmentStyles,
    css`
      dialog {
        width: min(33rem, calc(100vw - 1.5rem));
      }
      dialog[open],
      .parts,
      .controls {
        display: grid;
        align-content: start; /* otherwise WebKit uses the maximum height */
        gap: var(--space-4);
      }
      .controls {
        min-width: 0;
        gap: var(--space-3);
      }
      header {
        margin: calc(-1 * var(--space-2)) calc(-1 * var(--space-2)) calc(-1 * var(--space-2)) 0;
      }
      figure {
        place-items: center;
      }
      .frame {
        width: 100%;
        aspect-ratio: 1200 / 630;
        border-radius: var(--radius-small);
        background: linear-gradient(160deg, var(--felt), var(--felt-deep));
        color: var(--on-felt-soft);
        overflow: hidden;
        box-shadow: var(--low);
      }
      .frame.tall {
        width: min(100%, 34dvh);
        aspect-ratio: 1080 / 1350;
      }
      .frame img {
        display: block;
        width: 100%;
        height: 100%;
        object-fit: contain;
        animation: appear var(--move) var(--ease);
      }
      .row > * {
        flex: 1 1 auto;
      }
      .link {
        flex: 1 1 12rem;
        text-overflow: ellipsis;
      }
      summary {
        padding: 0 var(--space-3);
        font-weight: 600;
        list-style: none;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      summary .turn {
        display: flex;
        margin-inline-start: auto;
        transition: transform var(--quick) var(--ease);
      }
      details[open] .turn {
        transform: rotate(90deg);
      }
      .embed {
        display: grid;
        gap: var(--space-3);
        padding: 0 var(--space-3) var(--space-3);
      }
      textarea {
        width: 100%;
        min-height: 9.5rem;
        font: 0.8125rem / 1.45 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace;
        background: var(--surface);
        resize: vertical;
      }
      faceup-replay {
        height: 26rem;
        border-radius: var(--radius-small);
        overflow: auto;
        background: var(--paper);
      }
      .message {
        color: var(--good);
        font-weight: 600;
      }
      .message:empty {
        margin-top: calc(-1 * var(--space-3)); /* a region that is not displayed would not be announced */
      }
      /* A phone in landscape. */
      @media (max-height: 30rem) and (min-width: 40rem) {
        dialog {
          width: min(56rem, calc(100vw - 1.5rem));
          padding: var(--space-4);
        }
        .parts {
          grid-template-columns: 1.15fr 1fr;
        }
        .frame.tall {
          width: min(100%, 46dvh);
        }
      }
    `,
  ];

  #loading = 0;

  constructor() {
    super();
    /** @type {Shared | null} */
    this.shared = null;
    /** Number of the picture. */
    this.chosen = 0;
    /** @type {{blob: Blob, address: string} | null} */
    this.picture = null;
    this.failed = false;
    this.message = "";
    this.embedding = false;
    new LanguageController(this);
  }

  disconnectedCallback() {
    if (this.picture) URL.revokeObjectURL(this.picture.address);
    super.disconnectedCallback();
  }

  firstUpdated() {
    const phone = matchMedia("(orientation: portrait) and (max-width: 640px)").matches;
    if (phone) this.chosen = Math.max(0, this.shared?.pictures.findIndex(({ tall }) => tall) ?? 0);
    this.renderRoot.querySelector("dialog")?.showModal();
    void this.#load();
  }

  /** Load the picture before it is shared, because browsers open a share sheet only soon after a click. */
  async #load() {
    const number = ++this.#loading;
    const { load } = /** @type {Shared} */ (this.shared).pictures[this.chosen];
    this.failed = false;
    try {
      const blob = await (typeof load === "string" ? fetchPicture(load) : load());
      if (number !== this.#loading || !this.isConnected) return;
      if (this.picture) URL.revokeObjectURL(this.picture.address);
      this.picture = { blob, address: URL.createObjectURL(blob) };
    } catch {
      this.failed = number === this.#loading;
    }
  }

  render() {
    const { shared, picture } = this;
    if (!shared) return "";
    return html`<dialog autofocus aria-labelledby="title" @close=${this.#onClose} @click=${closeOnBackdrop}>
      <header class="apart"><h2 id="title">${t("share.title")}</h2>${closeButton()}</header>
      <div class="parts">
      <figure class="tight">
        <div class="frame centred ${shared.pictures[this.chosen].tall ? "tall" : ""}">
          ${picture ? html`<img src=${picture.address} alt=${t("share.picture.alt", { title: shared.title })}>` : t(this.failed ? "share.picture.failed" : "share.picture.loading")}
        </div>
        ${shared.pictures.length > 1 ? this.#renderChoices(shared.pictures) : ""}
      </figure>
      <div class="controls">
      ${shared.hint ? html`<p class="soft">${shared.hint}</p>` : ""}
      ${shared.url ? html`<div class="row cluster">
        <input class="link" readonly .value=${shared.url} aria-label=${t("share.link")}
          @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}>
        <button class=${"share" in navigator ? "" : "main"} @click=${() => this.#copy(shared.url ?? "")}>${icon("link")}${t("share.copy")}</button>
      </div>` : ""}
      <div class="row cluster">
        ${"share" in navigator ? html`<button class="main" @click=${this.#share}>${icon("share")}${t("share.send")}</button>` : ""}
        ${picture ? html`<a class="button" href=${picture.address} download="faceup.png">${drawIcon(ICONS.picture)}${t("share.picture.save")}</a>` : ""}
        ${shared.record ? html`<a class="button" href=${shared.record} download>${drawIcon(ICONS.download)}${t("share.record")}</a>` : ""}
      </div>
      <p class="message" role="status">${this.message}</p>
      ${shared.embed ? this.#renderEmbed(shared.embed) : ""}
      </div>
      </div>
    </dialog>`;
  }

  /** @param {Picture[]} pictures */
  #renderChoices(pictures) {
    return html`<div class="segments" role="radiogroup" aria-label=${t("share.picture")}>
      ${pictures.map(({ label }, number) => html`<label><input type="radio" name="picture" .checked=${this.chosen === number}
        @change=${() => this.#choose(number)}>${label}</label>`)}
    </div>`;
  }

  /** @param {Moment} moment */
  #renderEmbed(moment) {
    const replay = `${BASE}/api/tables/${moment.table}/replay`;
    return html`<details class="sunken" @toggle=${this.#toggleEmbed}>
      <summary class="aligned">${drawIcon(ICONS.code)}${t("share.embed")}<span class="turn">${icon("next", 18)}</span></summary>
      <div class="embed">
        <p class="small soft">${t("share.embed.how")}</p>
        <textarea readonly spellcheck="false" aria-label=${t("share.embed.code")} .value=${embedCode(moment)}></textarea>
        <button @click=${() => this.#copy(embedCode(moment))}>${icon("link")}${t("share.embed.copy")}</button>
        ${this.embedding ? html`<faceup-replay src=${replay} at=${moment.at} .seat=${moment.seat} aria-label=${t("share.embed.preview")}></faceup-replay>` : ""}
      </div>
    </details>`;
  }

  /** @param {Event} event */
  async #toggleEmbed(event) {
    const { open } = /** @type {HTMLDetailsElement} */ (event.target);
    if (open && !this.embedding) await Promise.all([import("../table/faceup-replay.js"), loadNamespaces("replay")]);
    this.embedding ||= open;
  }

  /** @param {number} number */
  #choose(number) {
    this.chosen = number;
    void this.#load();
  }

  #onClose(/** @type {Event} */ event) {
    if (/** @type {Element} */ (event.target).localName === "dialog") this.remove();
  }

  /** @param {string} text */
  async #copy(text) {
    this.#report((await copyText(text)) ? "share.copied" : "share.copy_failed");
  }

  async #share() {
    const { title, text, url } = /** @type {Shared} */ (this.shared);
    const done = await share({ title, text, url, picture: this.picture?.blob });
    if (done === "copied") this.#report("share.copied");
    if (done === "failed") this.#report("share.copy_failed");
  }

  /** Show a status message. A message that is repeated is announced again. @param {string} key */
  async #report(key) {
    this.message = "";
    await this.updateComplete;
    this.message = t(key);
  }
}
customElements.define("share-dialog", ShareDialog);

/**
 * Return the HTML that shows a replay on another page.
 *
 * @param {Moment} moment
 */
function embedCode({ table, link, at, seat }) {
  const root = link.slice(0, -`/t/${table}`.length);
  const attributes = `src="${root}/api/tables/${table}/replay" at="${at}"${seat === undefined ? "" : ` seat="${seat}"`}`;
  return [
    `<link rel="stylesheet" href="${root}/embed/style.css">`,
    `<script type="module" src="${root}/embed/replay.js"></script>`,
    `<faceup-replay ${attributes}></faceup-replay>`,
  ].join("\n");
}

/**
 * Return the address of the picture of a table, or of a step of its replay.
 *
 * @param {string} table
 * @param {{at?: number, seat?: number, shape?: "tall"}} [what]
 */
function pictureAddress(table, { at, seat, shape } = {}) {
  const query = new URLSearchParams({ lang: language() });
  if (at !== undefined) query.set("at", `${at}`);
  if (seat !== undefined) query.set("seat", `${seat}`);
  if (shape) query.set("shape", shape);
  return `${BASE}/api/tables/${table}/picture.png?${query}`;
}

/**
 * Share a table as this player sees it. While the game is running, the first picture is what spectators see, so that no
 * one shows their hand by accident.
 *
 * @param {string} table
 * @param {import("../api/types.js").TableView} room
 */
export async function shareTable(table, room) {
  const [{ link }] = await Promise.all([request("GET", `/api/tables/${table}`), loadNamespaces("share")]);
  const game = gameTitle(room.config.game);
  const seat = room.seat;
  if (room.result) {
    const pictures = [
      { label: t("share.picture.wide"), load: pictureAddress(table) },
      { label: t("share.picture.tall"), load: pictureAddress(table, { shape: "tall" }), tall: true },
    ];
    const record = `${BASE}/api/tables/${table}/record`;
    return open({ title: game, text: resultText(room), url: link, pictures, ...(room.daily ? {} : { embed: { table, link, at: 0 }, record }) });
  }
  const own = { label: t("share.picture.own"), load: pictureAddress(table, { seat }) };
  const spectators = { label: t("share.picture.spectators"), load: `${BASE}/t/${table}/preview.png?lang=${language()}` };
  const secret = seat !== undefined && "hand" in room.view;
  const pictures = secret && room.config.spectators === "anyone" ? [spectators, own] : [own];
  return open({ title: game, text: t("share.text.table", { game }), url: link, pictures });
}

/**
 * Describe a result in one sentence: the game, and the players in the order of their places.
 *
 * @param {import("../api/types.js").TableView} room
 */
function resultText(room) {
  const { ranks = [], scores = [] } = room.result ?? {};
  const order = ranks.map((_, seat) => seat).sort((first, second) => ranks[first] - ranks[second]);
  const players = order.map((seat) => t("share.text.player", { place: ranks[seat], name: nameOf(room, seat), score: scores[seat] }));
  return t("share.text.result", { game: gameTitle(room.config.game), players: joinTexts(players) });
}

/**
 * Share a moment of a replay.
 *
 * @param {{table: string, game: string, at: number, seat?: number}} moment
 */
export async function shareMoment({ table, game, at, seat }) {
  const [{ link }] = await Promise.all([request("GET", `/api/tables/${table}`), loadNamespaces("share")]);
  const hash = new URLSearchParams({ at: `${at}`, seat: `${seat ?? ""}` });
  open({
    title: gameTitle(game),
    text: t("share.text.moment", { game: gameTitle(game) }),
    url: `${link}/replay#${hash}`,
    pictures: [{ load: pictureAddress(table, { at, seat }) }],
    embed: { table, link, at, seat },
    record: `${BASE}/api/tables/${table}/record`,
  });
}

/**
 * Share a picture of a moment of a record from a file, which has no link.
 *
 * @param {string} game
 * @param {() => Promise<Blob>} load
 */
export async function sharePicture(game, load) {
  await loadNamespaces("share");
  open({ title: gameTitle(game), text: t("share.text.moment", { game: gameTitle(game) }), pictures: [{ load }] });
}

/**
 * Share the link of a party, with its QR code as the picture.
 *
 * @param {import("../api/http-types.js").PartyView} party
 * @param {string} name
 */
export async function shareParty({ id, link }, name) {
  await loadNamespaces("share");
  open({ title: name, text: t("party.invite.text"), hint: t("party.invite.hint"), url: link, pictures: [{ load: () => drawnAsPng(`${BASE}/api/parties/${id}/link.svg`) }] });
}

/**
 * Share the podium of an evening or a tournament.
 *
 * @param {string} picture the path of its picture
 * @param {string} title
 * @param {string} text a sentence for a message
 * @param {string} [url] the link of a page that everyone can open
 */
export async function shareStandings(picture, title, text, url) {
  await loadNamespaces("share");
  const pictures = ["wide", "tall"].map((shape) => ({
    label: t(`share.picture.${shape}`),
    load: `${BASE}${picture}?${new URLSearchParams({ lang: language(), shape })}`,
    tall: shape === "tall",
  }));
  open({ title, text, url, pictures });
}

/** Draw a QR code as a PNG of the size of other pictures, because share sheets take no SVG. @param {string} address @returns {Promise<Blob>} */
async function drawnAsPng(address) {
  const source = URL.createObjectURL(await fetchPicture(address));
  const image = new Image();
  image.src = source;
  await image.decode().finally(() => URL.revokeObjectURL(source));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1200, 630];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#7c2f49";
  context.fillRect(0, 0, 1200, 630);
  context.fillStyle = "#fff";
  context.beginPath();
  context.roundRect(315, 30, 570, 570, 36);
  context.fill();
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 325, 40, 550, 550);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture")))));
}

/** @param {Shared} shared */
function open(shared) {
  const dialog = /** @type {ShareDialog} */ (document.createElement("share-dialog"));
  dialog.shared = shared;
  document.body.append(dialog);
}
