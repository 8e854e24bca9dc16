import { card } from "../art/card.js";
import { die } from "../art/dice.js";
import { heads } from "../art/heads.js";
import { RANKS, back, playing } from "../art/playing.js";
import { css, html } from "../vendor/lit/index.js";

/**
 * A figure of a guide, from a few signs, so that it is the same in every language: the kind of block, and its lines.
 *
 * - rows: cards of 6 nimmt!. `[7]` has just been laid, `(5)` is taken, `.` is an empty place; behind `#` a caption.
 * - dice: five dice; `[3]` is one of the three that make the Niu.
 * - cards: cards of War, `Kh` or `10s`; `??` lies face down.
 *
 * @param {string} kind
 * @param {string} text
 */
export function figure(kind, text) {
  const draw = DRAWN[kind];
  if (!draw) return html`<pre>${text}</pre>`;
  return html`<figure class=${kind}>${text.split("\n").map((line) => {
    const [signs, caption = ""] = line.split("#").map((part) => part.trim());
    const drawn = signs.split(/\s+/).filter(Boolean);
    return html`<div class="line" role="img" aria-label=${drawn.join(" ")}>${drawn.map((sign) => draw(sign))}</div>
      ${caption ? html`<figcaption>${caption}</figcaption>` : ""}`;
  })}</figure>`;
}

/** @type {Record<string, (sign: string) => unknown>} */
const DRAWN = {
  rows: (sign) => html`<span class="card ${marked(sign)}">${sign === "." ? "" : card(Number(bare(sign)))}</span>`,
  heads: (sign) => html`<span class="card" title=${heads(Number(sign))}>${card(Number(sign))}</span>`,
  dice: (sign) => html`<span class="one ${marked(sign)}">${die(Number(bare(sign)))}</span>`,
  cards: (sign) => html`<span class="sheet ${marked(sign)}">${sign === "??" ? back() : playing(cardOf(bare(sign)))}</span>`,
};

/** @param {string} sign */
function marked(sign) {
  return sign === "." ? "empty" : sign.startsWith("[") ? "new" : sign.startsWith("(") ? "gone" : "";
}

/** @param {string} sign */
function bare(sign) {
  return sign.replace(/[[\]()]/g, "");
}

/** @param {string} sign `Kh` */
function cardOf(sign) {
  return 4 * RANKS.indexOf(sign.slice(0, -1)) + "cdhs".indexOf(sign.slice(-1));
}

export const figures = css`
  figure {
    margin: 0;
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
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: clamp(4px, 1.4vw, 10px);
  }
  figcaption {
    font-size: var(--text--1);
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
    animation: laid 600ms var(--ease) both;
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
  @keyframes laid {
    from {
      transform: translateY(-14px);
      opacity: 0;
    }
  }
`;
