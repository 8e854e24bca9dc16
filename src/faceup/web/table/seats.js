import { LitElement, css, html } from "../vendor/lit/index.js";
import { face } from "../art/faces.js";
import { LanguageController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { idle } from "../ui/idle.js";
import { baseStyles, lowScreen } from "../ui/styles.js";
import { joinTexts } from "../i18n/format.js";
import { playerName } from "../i18n/players.js";
import { t } from "../i18n/translate.js";
import { bubbleStyles, fly, renderBubbles } from "./bubbles.js";
import { isMuted } from "./muting.js";
import { isMarkedAsViewer } from "../i18n/seat-names.js";

/** @import { TableView } from "../api/types.js" */
/** @import { SeatStanding } from "../games/registry.js" */

/**
 * The seats with the name, score and status of each seat. Secret choices are never shown.
 *
 * Events: "aim" (detail: the seat of another player that was tapped).
 */
export class TableSeats extends LitElement {
  static properties = {
    room: { attribute: false },
    standing: { attribute: false },
    reactions: { attribute: false },
    disconnected: { attribute: false },
    wide: { type: Boolean, reflect: true },
    television: { type: Boolean, reflect: true },
    drawn: { state: true },
  };
  static styles = [
    baseStyles,
    bubbleStyles,
    css`
      ul {
        display: grid;
        --gap: var(--space-1);
        --share: calc((100% - (var(--columns) - 1) * var(--gap)) / var(--columns));
        grid-template-columns: repeat(auto-fill, minmax(max(50px, var(--share)), 1fr));
        gap: var(--space-2) var(--gap);
      }
      li {
        position: relative;
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        justify-items: center;
        align-content: start;
        gap: 4px;
        min-width: 0;
        color: var(--ink);
      }
      .token {
        position: relative;
        width: 2.375rem;
        height: 2.375rem;
        border-radius: 50%;
        background: var(--colour);
        box-shadow: var(--low), 0 0 0 2px var(--colour);
        transition: filter var(--move) var(--ease);
      }
      .token .face {
        border-radius: 50%;
      }
      .score {
        position: absolute;
        top: 1.375rem;
        right: calc(50% + 6px);
        min-width: 1.375rem;
        padding: 0 5px;
        border-radius: 99px;
        font: 800 var(--text--1) / 1.25rem var(--figures);
        font-variant-numeric: tabular-nums;
        text-align: center;
        color: var(--surface);
        background: var(--ink);
        box-shadow: 0 0 0 2px var(--paper);
      }
      .away .token {
        filter: grayscale(1);
      }
      .name {
        display: flex;
        max-width: 100%;
        font-size: var(--text--2);
        line-height: 1.35;
        white-space: pre;
      }
      .name span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .me .name {
        font-weight: 700;
      }
      .what {
        display: none;
        font-size: var(--text--2);
        line-height: 1.3;
      }
      .badge {
        position: absolute;
        right: -7px;
        bottom: -4px;
        width: 1.25rem;
        height: 1.25rem;
        border-radius: 50%;
        background: var(--raised);
        box-shadow: var(--low);
      }
      .badge.done {
        color: var(--on-accent);
        background: var(--good);
        animation: arrive var(--move) var(--ease);
      }
      .badge.lost {
        color: #2a1a00;
        background: #ffc940;
        animation: arrive var(--move) var(--ease);
      }
      .badge.thinks svg {
        animation: think 1.6s ease-in-out 3; /* not for as long as a player thinks: a page that waits must rest */
      }
      .crown {
        position: absolute;
        left: -7px;
        top: -6px;
        width: 1.25rem;
        height: 1.25rem;
        border-radius: 50%;
        color: #3a2a00;
        background: #ffc940;
        box-shadow: var(--low);
      }
      @media (max-height: 43.75em) {
        :host(:not([wide])) .score {
          top: 1rem;
        }
        :host(:not([wide])) ul {
          row-gap: var(--space-1);
        }
        :host(:not([wide])) .token {
          width: 2rem;
          height: 2rem;
        }
        :host(:not([wide])) .name {
          line-height: 1.2;
        }
        :host(:not([wide])) .badge,
        :host(:not([wide])) .crown {
          scale: 0.85;
        }
      }
      @media (max-width: 19.99em) {
        :host(:not([wide])) .token {
          width: 1.5rem;
          height: 1.5rem;
        }
        :host(:not([wide])) .score {
          top: 0.75rem;
          min-width: 1rem;
          padding: 0 2px;
          font-size: 0.625rem;
          line-height: 0.8rem;
        }
        :is(.badge, .crown) {
          width: 0.8rem;
          height: 0.8rem;
        }
      }
      /* A line for each seat, next to the board, whose tray has the same lines. */
      @media ${lowScreen} {
        :host(:not([wide])) ul {
          grid-template: repeat(var(--count), minmax(0, 1fr)) / minmax(0, 1fr);
          gap: 0;
          height: var(--stage);
          padding-block: 6px;
        }
        :host(:not([wide])) li {
          --token: clamp(22px, (var(--stage, 300px) - 12px) / var(--count) - 7px, 28px);
          grid-template-columns: auto minmax(0, 1fr) auto;
          align-items: center;
          align-content: center;
          justify-items: start;
          column-gap: 8px;
          padding-inline-start: 2px;
        }
        :host(:not([wide])) .token {
          width: var(--token);
          height: var(--token);
        }
        :host(:not([wide])) .score {
          position: static;
          min-width: 1.7em;
          padding: 0;
          color: inherit;
          background: none;
          box-shadow: none;
          text-align: end;
        }
        :host(:not([wide])) .badge,
        :host(:not([wide])) .crown {
          scale: 0.7;
        }
        @media (min-height: 18em) {
          :host(:not([wide])) .few li {
            --token: 38px;
            grid-template: "token score" auto "name name" auto / auto minmax(0, 1fr);
            row-gap: 2px;
          }
          .few .token {
            grid-area: token;
          }
          .few .score {
            grid-area: score;
            justify-self: start;
            font-size: var(--text-0);
          }
          .few .name {
            grid-area: name;
          }
        }
        :host(:not([wide])) .bubble {
          left: calc(24px + 12px * var(--nth));
          top: calc(50% - 20px);
        }
        :host(:not([wide])) .speech {
          left: calc(var(--token) + 4px);
          top: calc(50% - 1em);
          translate: none;
        }
      }
      :host([wide]) ul {
        grid-template-columns: minmax(0, 1fr);
        gap: var(--space-1);
      }
      :host([wide]) li {
        grid-template-columns: auto minmax(0, 1fr);
        grid-template-rows: auto auto;
        justify-items: start;
        column-gap: var(--space-3);
        align-items: center;
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius);
        transition: background var(--move) var(--ease), box-shadow var(--move) var(--ease);
      }
      :host([wide]) .me {
        background: var(--surface);
        box-shadow: var(--low);
      }
      :host([wide]) .token {
        grid-row: 1 / 3;
        width: var(--target);
        height: var(--target);
      }
      :host([wide]) .score {
        top: auto;
        right: auto;
        bottom: 4px;
        left: 4px;
      }
      :host([wide]) .name {
        font-size: var(--text-0);
        align-self: end;
      }
      :host([wide]) .what {
        display: block;
        align-self: start;
      }
      :host([wide]) .bubble {
        left: calc(3rem + 12px * var(--nth));
        top: 4px;
      }
      :host([wide]) .speech {
        left: 4rem;
        top: 8px;
        translate: none;
      }
      /* Read from four metres: names and scores have at least 3 % of the height of the screen. */
      :host([television][wide]) ul {
        gap: 0;
      }
      :host([television][wide]) li {
        --line: min(12vh, (100vh - 3rem) / var(--count));
        grid-template: var(--line) / auto minmax(0, 1fr) auto;
        padding-block: 0;
      }
      :host([television][wide]) .token {
        grid-row: 1;
        width: calc(var(--line) * 0.72);
        height: calc(var(--line) * 0.72);
      }
      :host([television][wide]) .name {
        align-self: center;
        font-size: calc(var(--line) * 0.33);
      }
      :host([television][wide]) .score {
        position: static;
        min-width: 1.4em;
        padding: 0;
        color: inherit;
        background: none;
        box-shadow: none;
        font: 800 calc(var(--line) * 0.42) / 1 var(--figures);
        text-align: end;
      }
      :host([television][wide]) :is(.bubble, .speech) {
        font-size: calc(var(--line) * 0.33);
        left: calc(var(--line) * 0.8);
        top: calc(var(--line) * 0.2);
      }
      :host([television][wide]) .bubble {
        width: calc(var(--line) * 0.7);
        height: calc(var(--line) * 0.7);
      }
      :host([television][wide]) .what {
        display: none;
      }
      :host([television][wide]) .badge,
      :host([television][wide]) .crown {
        scale: 1.4;
      }
      @keyframes arrive {
        from {
          transform: scale(0);
        }
      }
      @keyframes think {
        50% {
          opacity: 0.25;
        }
      }
    `,
  ];

  /** Whether drawings of faces are loaded, which takes browsers longer than all else at the seats. */
  static #drawn = false;

  constructor() {
    super();
    this.drawn = TableSeats.#drawn;
    if (!this.drawn) void idle().then(() => (this.drawn = TableSeats.#drawn = true));
    /** @type {TableView | null} */
    this.room = null;
    /** @type {SeatStanding[]} */
    this.standing = [];
    /** @type {readonly import("./bubbles.js").ShownReaction[]} */
    this.reactions = [];
    /** @type {number[]} seats of players who have lost their connection */
    this.disconnected = [];
    this.wide = false;
    this.television = false;
    new LanguageController(this);
  }

  /** Render updates in a task of their own, after that of the board. */
  async scheduleUpdate() {
    if (this.hasUpdated) await new Promise((done) => setTimeout(done));
    super.scheduleUpdate();
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (!changed.has("reactions")) return;
    for (const shown of this.reactions) if (!changed.get("reactions")?.includes(shown)) fly(this.renderRoot, shown);
  }

  render() {
    const { room } = this;
    if (!room) return "";
    const count = room.seats.length;
    const columns = count <= 5 ? Math.max(count, 4) : Math.ceil(count / 2);
    return html`<ul class=${count > 5 ? "" : "few"} aria-label=${t("table.seats")} .style=${`--columns: ${columns}; --count: ${count}`}>
      ${room.seats.map((_, seat) => this.#renderSeat(room, seat, (seat % columns) / Math.max(columns - 1, 1)))}
    </ul>`;
  }

  /**
   * @param {TableView} room
   * @param {number} seat
   * @param {number} across the place in its line, from 0 for the first to 1 for the last
   */
  #renderSeat(room, seat, across) {
    const who = room.seats[seat];
    const name = who ? playerName(who) : t("table.seat", { number: seat + 1 });
    const standing = this.standing[seat];
    const away = room.away.includes(seat) || this.disconnected.includes(seat);
    const states = this.#states(room, seat);
    const doing = this.#badgeNames(room, seat);
    return html`<li class="${seat === room.seat ? "me" : ""} ${away ? "away" : ""} ${standing?.leads ? "leads" : ""}" .style=${`--colour: var(--player-${seat}); --across: ${across}`}
      @click=${seat === room.seat || !who ? null : () => this.dispatchEvent(new CustomEvent("aim", { detail: seat }))}>
      <span class="token" aria-hidden="true">
        ${face(who, seat, this.drawn)}${standing?.leads ? html`<span class="crown centred">${icon("star", 14)}</span>` : ""}${this.#renderBadge(room, seat)}
      </span>
      <bdi class="name" title=${name} aria-hidden="true">${shortened(name)}</bdi>
      ${standing ? html`<span class="score" aria-hidden="true">${standing.score}</span>` : ""}
      <span class="what soft" aria-hidden="true">${states.join(" · ")}</span>
      <span class="visually-hidden">${joinTexts([name, ...states, ...doing])}</span>
      ${renderBubbles(room, this.reactions, seat)}
    </li>`;
  }

  /**
   * Return the states of a seat in words, the most important state first.
   *
   * @param {TableView} room
   * @param {number} seat
   */
  #states(room, seat) {
    const who = room.seats[seat];
    const standing = this.standing[seat];
    const words = [];
    if (isMarkedAsViewer(room, seat)) words.push(t("table.you"));
    if (standing) words.push(standing.words);
    if (standing?.leads && room.status === "active") words.push(t("table.leads"));
    if (!who) words.push(t("table.empty"));
    else if (who.kind !== "person" || who.program) words.push(t("table.bot"));
    if (room.away.includes(seat)) words.push(t("table.away"));
    else if (this.disconnected.includes(seat)) words.push(t("table.reconnecting"));
    if (isMuted(room, seat) && who?.kind === "person") words.push(t("table.muted"));
    if (seat === room.host && room.seats.filter((player) => player?.kind === "person").length > 1) words.push(t("table.host"));
    return words;
  }

  /**
   * Return the accessible name of a seat's badge.
   *
   * @param {TableView} room
   * @param {number} seat
   */
  #badgeNames(room, seat) {
    if (room.chosen.includes(seat)) return [t("table.chosen")];
    return isThinking(room, seat) ? [t("table.thinking")] : [];
  }

  /**
   * @param {TableView} room
   * @param {number} seat
   */
  #renderBadge(room, seat) {
    if (room.status !== "active") return "";
    if (this.disconnected.includes(seat)) return html`<span class="badge lost centred soft">${icon("offline", 14)}</span>`;
    if (room.chosen.includes(seat)) return html`<span class="badge done centred soft">${icon("check", 14)}</span>`;
    if (room.away.includes(seat)) return html`<span class="badge centred soft">${icon("moon", 14)}</span>`;
    if (isThinking(room, seat)) return html`<span class="badge thinks centred soft">${icon("dots", 14)}</span>`;
    return "";
  }
}

/**
 * Truncate a name, but keep a number at its end, so that "Comp… 2" and "Comp… 3" differ.
 *
 * @param {string} name
 */
function shortened(name) {
  const [, head, number] = /^(.*\S)(\s\d{1,2})$/u.exec(name) ?? ["", name, ""];
  return html`<span>${head}</span>${number}`;
}

/**
 * @param {TableView} room
 * @param {number} seat
 */
function isThinking(room, seat) {
  return room.status === "active" && room.paused === undefined && (room.view.to_act ?? []).includes(seat);
}
customElements.define("table-seats", TableSeats);
