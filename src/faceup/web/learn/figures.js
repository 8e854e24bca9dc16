import { card } from "../art/nimmt-card.js";
import { die } from "../art/dice.js";
import { RANKS, back, playingCard } from "../art/playing-card.js";
import { css, html } from "../vendor/lit/index.js";

/**
 * Render a figure of a guide from its kind and the lines of a compact notation, which is the same in every language.
 *
 * - rows: cards of 6 nimmt!. `[7]` was just placed, `(5)` is taken, `.` is an empty place; `#` starts a caption.
 * - dice: five dice; `[3]` belongs to the triple that makes the Niu.
 * - cards: cards of War, `Kh` or `10s`; `??` is face down.
 *
 * @param {string} kind
 * @param {string} text
 */
export function figure(kind, text) {
  const draw = FIGURE_KINDS[kind];
  if (!draw) return html`<pre>${text}</pre>`;
  return html`<figure class=${kind}>${text.split("\n").map((line) => {
    const [signs, caption = ""] = line.split("#").map((part) => part.trim());
    const drawn = signs.split(/\s+/).filter(Boolean);
    return html`<div class="line cluster aligned" role="img" aria-label=${drawn.join(" ")}>${drawn.map((sign) => draw(sign))}</div>
      ${caption ? html`<figcaption class="small">${caption}</figcaption>` : ""}`;
  })}</figure>`;
}

/** @type {Record<string, (sign: string) => unknown>} */
const FIGURE_KINDS = {
  rows: (sign) => html`<span class="card ${markClass(sign)}">${sign === "." ? "" : card(Number(stripMarks(sign)))}</span>`,
  dice: (sign) => html`<span class="one ${markClass(sign)}">${die(Number(stripMarks(sign)))}</span>`,
  cards: (sign) => html`<span class="sheet ${markClass(sign)}">${sign === "??" ? back() : playingCard(cardOf(stripMarks(sign)))}</span>`,
};

/** @param {string} sign */
function markClass(sign) {
  return sign === "." ? "empty" : sign.startsWith("[") ? "new" : sign.startsWith("(") ? "gone" : "";
}

/** @param {string} sign */
function stripMarks(sign) {
  return sign.replace(/[[\]()]/g, "");
}

/** @param {string} sign `Kh` */
function cardOf(sign) {
  return 4 * RANKS.indexOf(sign.slice(0, -1)) + "cdhs".indexOf(sign.slice(-1));
}

export const figures = css`
  figure {
    padding: var(--space-4);
    border-radius: var(--radius);
    background: radial-gradient(120% 160% at 50% 0, var(--felt), var(--felt-deep));
    box-shadow: inset 0 2px 10px rgb(0 0 0 / 0.25);
    color: var(--on-felt);
    display: grid;
    gap: var(--space-2);
    justify-items: start;
  }
  .line {
    gap: clamp(4px, 1.4vw, 10px);
  }
  figcaption {
    color: var(--on-felt-soft);
    margin-bottom: var(--space-2);
  }
  figcaption:last-child {
    margin-bottom: 0;
  }
  .line > span {
    display: block;
    border-radius: 8px;
    filter: drop-shadow(0 2px 3px rgb(0 0 0 / 0.35));
  }
  .line svg {
    display: block;
    width: 100%;
  }
  .card {
    width: clamp(42px, 12vw, 62px);
  }
  .line > .empty {
    aspect-ratio: 3 / 4;
    background: rgb(0 0 0 / 0.16);
    filter: none;
  }
  .line > .new {
    outline: 3px solid #ffd97a;
    outline-offset: 2px;
    --from: -14px;
    animation: enter 600ms var(--ease) both;
  }
  .line > .gone {
    opacity: 0.5;
    rotate: -4deg;
  }
  .one {
    width: clamp(38px, 11vw, 52px);
  }
  .one.new {
    border-radius: 14px;
  }
  .sheet {
    width: clamp(46px, 13vw, 70px);
  }
`;
