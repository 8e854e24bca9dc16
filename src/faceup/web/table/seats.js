import { LitElement, css, html } from "../vendor/lit/index.js";
import { icon } from "../parts/icons.js";
import { sheet } from "../parts/sheet.js";
import { say } from "../words/say.js";
import { face } from "./faces.js";

/** @import { Sight } from "../live/types.js" */
/** @import { Standing } from "../games/index.js" */

/** Who sits here, how each stands, and what each is at: never what anybody has chosen. */
export class TableSeats extends LitElement {
  static properties = {
    sight: { attribute: false },
    standing: { attribute: false },
    says: { attribute: false },
    wide: { type: Boolean, reflect: true },
  };
  static styles = [
    sheet,
    css`
      ul {
        list-style: none;
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
        gap: 1px;
        min-width: 0;
        color: var(--ink);
      }
      .token {
        position: relative;
        display: grid;
        place-items: center;
        width: 38px;
        height: 38px;
        border-radius: 50%;
        font: 700 var(--text-0) / 1 var(--figures);
        font-variant-numeric: tabular-nums;
        color: var(--surface);
        background: var(--colour);
        background-image: radial-gradient(circle at 35% 25%, rgb(255 255 255 / 0.28), transparent 55%);
        box-shadow: var(--low), inset 0 -3px 5px rgb(0 0 0 / 0.16);
        transition: filter var(--move) var(--ease);
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
        color: var(--ink-soft);
        font-size: var(--text--2);
        line-height: 1.3;
      }
      .badge {
        position: absolute;
        right: -7px;
        bottom: -4px;
        display: grid;
        place-items: center;
        width: 20px;
        height: 20px;
        border-radius: 50%;
        color: var(--ink-soft);
        background: var(--raised);
        box-shadow: var(--low);
      }
      .badge.done {
        color: var(--on-accent);
        background: var(--good);
        animation: arrive var(--move) var(--ease);
      }
      .badge.thinks svg {
        animation: think 1.6s ease-in-out infinite;
      }
      .crown {
        position: absolute;
        left: -7px;
        top: -6px;
        display: grid;
        place-items: center;
        width: 20px;
        height: 20px;
        border-radius: 50%;
        color: #3a2a00;
        background: #ffc940;
        box-shadow: var(--low);
      }
      .bubble {
        position: absolute;
        z-index: 3;
        top: -14px;
        left: calc(50% + 4px);
        width: 40px;
        height: 40px;
        animation: say 4s var(--ease) both;
        pointer-events: none;
        filter: drop-shadow(0 3px 6px rgb(var(--shade) / 0.3));
      }
      @media (max-height: 660px) and (max-width: 999px) {
        ul {
          row-gap: var(--space-1);
        }
        .token {
          width: 32px;
          height: 32px;
        }
        .name {
          line-height: 1.2;
        }
        .badge,
        .crown {
          scale: 0.85;
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
        width: 44px;
        height: 44px;
        font-size: var(--text-1);
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
        left: 48px;
        top: 4px;
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
      @keyframes say {
        0% {
          transform: scale(0.2) translateY(10px);
          opacity: 0;
        }
        8% {
          transform: scale(1.15);
          opacity: 1;
        }
        14%,
        88% {
          transform: none;
          opacity: 1;
        }
        100% {
          opacity: 0;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        .bubble {
          animation: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {Sight | null} */
    this.sight = null;
    /** @type {Standing[]} */
    this.standing = [];
    /** @type {Record<number, {reaction: string, count: number}>} by seat, what it has just shown */
    this.says = {};
    this.wide = false;
  }

  render() {
    const { sight } = this;
    if (!sight) return "";
    const count = sight.seats.length;
    const columns = count <= 5 ? Math.max(count, 4) : Math.ceil(count / 2);
    return html`<ul aria-label=${say("table.seats")} .style=${`--columns: ${columns}`}>
      ${sight.seats.map((_, seat) => this.#seat(sight, seat))}
    </ul>`;
  }

  /**
   * @param {Sight} sight
   * @param {number} seat
   */
  #seat(sight, seat) {
    const who = sight.seats[seat];
    const name = who?.name ?? say("table.seat", { number: seat + 1 });
    const stands = this.standing[seat];
    const away = sight.away.includes(seat);
    const states = this.#states(sight, seat);
    const doing = this.#doing(sight, seat);
    const said = this.says[seat];
    const token = stands?.score ?? [...name][0]?.toUpperCase() ?? "?";
    return html`<li class="${seat === sight.seat ? "me" : ""} ${away ? "away" : ""}" .style=${`--colour: var(--seat-${seat % 10})`}>
      <span class="token" aria-hidden="true">
        <span>${token}</span>${stands?.leads ? html`<span class="crown">${icon("star", 14)}</span>` : ""}${this.#badge(sight, seat)}
      </span>
      <bdi class="name" title=${name} aria-hidden="true">${shortened(name)}</bdi>
      <span class="what" aria-hidden="true">${states.join(" · ")}</span>
      <span class="seen-by-readers-alone">${[name, ...states, ...doing].join(", ")}</span>
      ${said ? html`<span class="bubble" role="img" aria-label=${say(`table.react.${said.reaction}`)}>${face(said.reaction)}</span>` : ""}
    </li>`;
  }

  /**
   * What there is to say of a seat, the most important first.
   *
   * @param {Sight} sight
   * @param {number} seat
   */
  #states(sight, seat) {
    const who = sight.seats[seat];
    const stands = this.standing[seat];
    const words = [];
    if (seat === sight.seat) words.push(say("table.you"));
    if (stands) words.push(stands.words);
    if (stands?.leads) words.push(say("table.leads"));
    if (!who) words.push(say("table.empty"));
    else if (who.kind !== "person") words.push(say("table.bot"));
    if (sight.away.includes(seat)) words.push(say("table.away"));
    if (seat === sight.host && sight.seats.filter((each) => each?.kind === "person").length > 1) words.push(say("table.host"));
    return words;
  }

  /**
   * The badge in words.
   *
   * @param {Sight} sight
   * @param {number} seat
   */
  #doing(sight, seat) {
    if (sight.chosen.includes(seat)) return [say("table.chosen")];
    return thinks(sight, seat) ? [say("table.thinks")] : [];
  }

  /**
   * @param {Sight} sight
   * @param {number} seat
   */
  #badge(sight, seat) {
    if (sight.status !== "active") return "";
    if (sight.chosen.includes(seat)) return html`<span class="badge done">${icon("check", 14)}</span>`;
    if (sight.away.includes(seat)) return html`<span class="badge">${icon("moon", 14)}</span>`;
    if (thinks(sight, seat)) return html`<span class="badge thinks">${icon("dots", 14)}</span>`;
    return "";
  }
}

/**
 * A name of which the number at its end is always seen: "Comp… 2" is not "Comp… 3".
 *
 * @param {string} name
 */
function shortened(name) {
  const [, head, number] = /^(.*\S)(\s\d{1,2})$/u.exec(name) ?? [, name, ""];
  return html`<span>${head}</span>${number}`;
}

/**
 * @param {Sight} sight
 * @param {number} seat
 */
function thinks(sight, seat) {
  return sight.status === "active" && sight.paused === undefined && (sight.view.to_act ?? []).includes(seat);
}
customElements.define("table-seats", TableSeats);
