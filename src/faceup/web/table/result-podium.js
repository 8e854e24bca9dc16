import { BULL_HEAD } from "../art/heads.js";
import { bull } from "../art/bull.js";
import { medal } from "../art/celebration.js";
import { face } from "../art/faces.js";
import { t } from "../i18n/translate.js";
import { LanguageController, WidthController } from "../ui/controllers.js";
import { icon } from "../ui/icons.js";
import { revealSpeed, skipsAnimation } from "../ui/settings.js";
import { baseStyles } from "../ui/styles.js";
import { LitElement, css, html, svg } from "../vendor/lit/index.js";
import { nameOf } from "../i18n/seat-names.js";

/** @import { TableView } from "../api/types.js" */

/** Milliseconds for which scores count up. */
const COUNT = 1100;
/** Smallest and largest width of a point in a pile, in rem; most lines of a pile; and the space next to it, which is less in narrow lists. */
const PILE = { least: 0.78, most: 1.125, lines: 4, aside: 11.25, asideNarrow: 2 };
/** Width in rem up to which a list is narrow, as on phones with text of twice the size. */
const NARROW = 16;
/** Scores above this are drawn as a bar. */
const MOST = 150;

/** What a point looks like, by game, in a 24 by 24 square. */
const PIECES = /** @type {Record<string, unknown>} */ ({
  nimmt: svg`<path d=${BULL_HEAD}/>`,
  niuniu: svg`<path d="M6 3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3zM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM16 14a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"/>`,
  war: svg`<path d="M7 2h10a2.5 2.5 0 0 1 2.5 2.5v15a2.5 2.5 0 0 1-2.5 2.5H7a2.5 2.5 0 0 1-2.5-2.5v-15A2.5 2.5 0 0 1 7 2zM12 7l-4 5 4 5 4-5z"/>`,
});
const OTHER = svg`<circle cx="12" cy="12" r="9"/>`;

/** The final places: for each seat its medal, face, name, and its score as a pile that counts up. A sole last seat groans. */
export class ResultPodium extends LitElement {
  static properties = { room: { attribute: false }, standing: { attribute: false }, counted: { state: true }, space: { state: true } };
  static styles = [
    baseStyles,
    css`
      :host {
        container-type: inline-size;
      }
      ol {
        display: grid;
        gap: 6px;
      }
      li {
        display: grid;
        grid-template-columns: 2.75rem 2.5rem minmax(0, 1fr) auto;
        align-items: center;
        gap: 2px var(--space-2);
        min-height: var(--least-place, 3.5rem);
        padding: 4px var(--space-3) 4px var(--space-2);
        border-radius: var(--radius);
        background: var(--raised);
        box-shadow: var(--low);
        --from: 14px;
        animation: enter calc(var(--move) * 1.4) var(--ease) calc(var(--at) * var(--move) / 5) backwards;
      }
      li.me {
        box-shadow: inset 0 0 0 2.5px var(--accent), var(--low);
      }
      li.first {
        background: linear-gradient(100deg, color-mix(in srgb, #ffc940 32%, var(--raised)), var(--raised) 75%);
      }
      .place {
        position: relative;
        display: grid;
      }
      .medal,
      .bull {
        width: 2.75rem;
        height: 2.75rem;
      }
      .bull {
        width: 3.375rem;
        height: 3.375rem;
        margin: -6px -5px -4px;
        animation: groan 1.4s ease-in-out calc(var(--move) * 3) 3;
        transform-origin: 50% 80%;
      }
      .place b {
        position: absolute;
        right: -5px;
        bottom: -3px;
        min-width: 19px;
        padding: 0 4px;
        border-radius: 10px;
        text-align: center;
        font: 800 12px / 19px var(--figures);
        color: var(--ink);
        background: var(--raised);
        box-shadow: var(--low);
      }
      .face {
        width: 2.5rem;
      }
      .who {
        gap: var(--space-1);
        min-width: 0;
        font-weight: 650;
        line-height: 1.3;
      }
      .who svg,
      .you {
        flex: none;
      }
      .who svg {
        color: var(--ink-soft);
      }
      .you {
        padding: 0 7px;
        border-radius: 10px;
        font-size: var(--text--2);
        color: var(--on-accent);
        background: var(--accent);
      }
      .score {
        width: 3ch;
        height: 1em;
        contain: layout size; /* counting up lays out nothing else */
        text-align: end;
        white-space: nowrap;
        font: 800 var(--text-3) / 1 var(--figures);
        font-variant-numeric: tabular-nums;
      }
      .pile {
        display: var(--piles, grid);
        gap: 1px;
        color: var(--tone);
      }
      .line {
        overflow: hidden;
        width: calc(var(--count) * var(--piece));
      }
      .line svg {
        display: block;
        width: 100%;
        animation: march 900ms steps(var(--steps), jump-end) calc(var(--move) * 1.5) backwards;
      }
      .bar {
        height: 10px;
        border-radius: 5px;
        background: var(--tone);
        transform-origin: left;
        transform: scaleX(var(--part));
      }
      .none {
        line-height: 1.2;
      }
      hand-statistics {
        grid-column: 1 / -1;
      }
      @container (min-width: 35rem) {
        li {
          grid-template-columns: 2.75rem 2.75rem minmax(0, 1fr) auto;
          padding-inline: var(--space-3) var(--space-4);
        }
        .face {
          width: 2.75rem;
        }
        hand-statistics {
          grid-column: 3 / -1;
        }
      }
      /* Names and piles are below the faces, and names are never cut. */
      @container (max-width: ${NARROW}rem) {
        li {
          grid-template-columns: 2.75rem minmax(0, 1fr) auto;
          padding-inline: var(--space-3);
        }
        .who {
          flex-wrap: wrap;
        }
        .who .cut {
          white-space: normal;
          overflow-wrap: anywhere;
        }
        .face ~ div {
          grid-area: 2 / 1 / auto / -1;
        }
        .score {
          width: auto;
          min-width: 3ch;
          contain: none;
        }
      }
      @media (prefers-reduced-motion: reduce) {
        * {
          animation: none !important;
        }
      }
      @keyframes march {
        from {
          transform: translateX(-100%);
        }
      }
      @keyframes groan {
        0%,
        100% {
          transform: rotate(0);
        }
        20%,
        60% {
          transform: rotate(-9deg);
        }
        40%,
        80% {
          transform: rotate(9deg);
        }
      }
    `,
  ];

  constructor() {
    super();
    /** @type {TableView | null} */
    this.room = null;
    /** @type {import("../games/registry.js").SeatStanding[]} */
    this.standing = [];
    /** The part of the scores that is shown while they count up, from 0 to 1. */
    this.counted = 1;
    /** Width for piles, in rem. */
    this.space = 10;
    new LanguageController(this);
    new WidthController(this, (_, rem) => (this.space = spaceIn(rem)));
  }

  firstUpdated() {
    if (skipsAnimation(revealSpeed())) return;
    const start = performance.now();
    const count = () => {
      this.counted = Math.min(1, (performance.now() - start) / COUNT);
      if (this.counted < 1 && this.isConnected) requestAnimationFrame(count);
    };
    count();
  }

  render() {
    const { room } = this;
    if (!room?.result) return "";
    const { scores, ranks } = room.result;
    const most = Math.max(1, ...scores);
    const last = Math.max(...ranks);
    const soleLast = last > 1 && ranks.filter((rank) => rank === last).length === 1;
    const order = ranks.map((_, seat) => seat).sort((first, second) => ranks[first] - ranks[second]);
    return html`<ol>${order.map((seat, at) => {
      const [player, rank, score] = [room.seats[seat], ranks[seat], scores[seat]];
      const isOwn = seat === room.seat;
      return html`<li class="${rank === 1 ? "first" : ""} ${isOwn ? "me" : ""}" .style=${`--tone: var(--player-${seat}); --at: ${at}`}>
        <span class="place"><span class="visually-hidden">${t("table.result.place", { place: rank })}</span>
          ${soleLast && rank === last ? html`${bull("groaning")}<b aria-hidden="true">${rank}</b>` : medal(rank)}</span>
        ${face(player, seat)}
        <div>
          <span class="who aligned"><bdi class="cut">${nameOf(room, seat)}</bdi>
            ${player && (player.kind !== "person" || player.program) ? html`${icon("robot", 16)}<span class="visually-hidden">${t("table.bot")}</span>` : ""}
            ${isOwn ? html`<span class="you">${t("table.you")}</span>` : ""}</span>
          ${this.#renderPile(room.config.game, seat, score, most)}
        </div>
        <span class="score" aria-hidden="true">${Math.round(score * this.counted)}</span>
        <span class="visually-hidden">${this.standing[seat]?.words ?? score}</span>
        ${this.standing[seat]?.hands ? html`<hand-statistics .totals=${this.standing[seat].hands}></hand-statistics>` : ""}
      </li>`;
    })}</ol>`;
  }

  /**
   * Render a score as a pile of pieces, the lowest line of which is filled first.
   *
   * @param {string} game
   * @param {number} seat
   * @param {number} score
   * @param {number} most highest score
   */
  #renderPile(game, seat, score, most) {
    if (score === 0) return html`<div class="none soft small">${game === "nimmt" ? t("result.no_heads") : ""}</div>`;
    if (most > MOST || score < 0 || !Number.isInteger(score)) return html`<div class="bar" aria-hidden="true" .style=${`--part: ${Math.max(0, score / most)}`}></div>`;
    const lines = Math.min(PILE.lines, Math.ceil((most * PILE.least) / this.space));
    const per = Math.ceil(most / lines);
    const counts = Array.from({ length: lines }, (_, line) => Math.min(per, score - line * per)).filter((count) => count > 0).reverse();
    return html`<div class="pile" aria-hidden="true" .style=${`--piece: ${Math.min(PILE.most, this.space / per)}rem`}>${counts.map((count, line) => html`<div class="line" .style=${`--count: ${count}; --steps: ${count}`}>
      <svg viewBox="0 0 ${count * 24} 24"><pattern id="piece-${seat}-${line}" width="24" height="24" patternUnits="userSpaceOnUse" fill="var(--tone)">${PIECES[game] ?? OTHER}</pattern>
        <rect width=${count * 24} height="24" fill="url(#piece-${seat}-${line})"/></svg></div>`)}</div>`;
  }
}
customElements.define("result-podium", ResultPodium);

/** Return the width for piles in a list, both in rem. @param {number} width */
function spaceIn(width) {
  return Math.max(6, width - (width > NARROW ? PILE.aside : PILE.asideNarrow));
}
