import { lowScreen } from "../../ui/styles.js";
import { css } from "../../vendor/lit/index.js";

/** Layout of Niu Niu: a tray for each seat, the viewer's the largest and nearest. */
export const styles = css`
  :host {
    container: niuniu / inline-size;
  }
  .felt {
    /* Five dice and their gap fit at any zoom. */
    --most: calc((100cqw - 3.1rem) / 6.25);
    --die: min(42px, var(--most));
  }
  /* The result has a fixed number of lines, so that it does not move the board; a long list of names is cut. */
  .caption {
    --lines-of-result: 1;
    flex-wrap: nowrap;
  }
  .caption span {
    flex: none;
  }
  .caption strong {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: var(--lines-of-result);
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .lanes {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 18.5rem), 1fr));
    gap: var(--space-3);
  }
  .lane {
    --gap: calc(var(--die) * 0.15);
    contain: layout style;
    position: relative;
    display: grid;
    grid-template: "who worth" auto "dice dice" auto "sums score" auto / minmax(0, 1fr) auto;
    gap: var(--space-1) var(--space-2);
    align-items: center;
    padding: var(--space-2) var(--space-3);
  }
  .mine {
    --die: min(46px, var(--most));
    grid-column: 1 / -1;
  }
  .who {
    grid-area: who;
  }
  .worth {
    grid-area: worth;
    justify-self: end;
    gap: 6px;
    min-height: 1.5em;
    font: 800 var(--text-1) / 1.25 var(--figures);
    white-space: nowrap;
  }
  .lost .worth {
    color: var(--on-felt-soft);
  }
  .dice {
    contain: size layout style; /* dice lay out nothing else */
    grid-area: dice;
    position: relative;
    height: calc(var(--die) * 1.22);
    width: calc(5 * var(--die) + 4 * var(--gap) + 0.5 * var(--die));
    margin: 0 auto;
  }
  .place {
    position: absolute;
    left: 0;
    top: calc(var(--die) * 0.11);
    width: var(--die);
    height: var(--die);
  }
  .sorted .place {
    transition: transform calc(var(--move) * 1.5) var(--ease), opacity calc(var(--move) * 1.5) var(--ease);
  }
  .place > .die {
    border-radius: 24%;
    box-shadow: 0 3px 4px rgb(0 0 0 / 0.32);
  }
  .sorted.no .place {
    opacity: 0.6;
  }
  .calm .sorted .place {
    transition: none;
  }
  .plate {
    position: absolute;
    top: 0;
    left: calc(var(--die) * -0.11);
    width: calc(3 * var(--die) + 2 * var(--gap) + 0.22 * var(--die));
    height: 100%;
    border-radius: calc(var(--die) * 0.32);
    background: rgb(255 255 255 / 0.2);
    opacity: 0;
    transform: scale(0.92);
  }
  .sorted .plate {
    transition: opacity calc(var(--move) * 1.5) var(--ease), transform calc(var(--move) * 1.5) var(--ease);
  }
  .plate.two {
    left: calc(3 * (var(--die) + var(--gap)) + 0.39 * var(--die));
    width: calc(2 * var(--die) + var(--gap) + 0.22 * var(--die));
    background: rgb(240 199 94 / 0.4);
  }
  .sorted.niu .plate {
    opacity: 1;
    transform: none;
  }
  .empty .place {
    border-radius: 24%;
    background: rgb(0 0 0 / 0.16);
    box-shadow: inset 0 2px 4px rgb(0 0 0 / 0.25), inset 0 -1px 0 rgb(255 255 255 / 0.08);
  }
  .air .die {
    animation: shake 320ms var(--wait) ease-in-out 16 alternate both;
  }
  .sums {
    grid-area: sums;
    gap: 0 var(--space-3);
    min-height: 1.35em;
    line-height: 1.35;
    color: var(--on-felt-soft);
  }
  .sums span:not(.none) {
    white-space: nowrap;
  }
  .sums b {
    color: var(--on-felt);
  }
  .score {
    grid-area: score;
    font-size: var(--text--2);
    color: var(--on-felt-soft);
    text-align: end;
    white-space: nowrap;
  }
  .crowd .air .die {
    animation: none;
  }
  .crowd .air {
    animation: shake 320ms ease-in-out 16 alternate both;
  }
  .many {
    --die: min(32px, var(--most));
  }
  .many .lanes {
    gap: var(--space-2);
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
  }
  .crowd {
    --die: min(30px, var(--most));
  }
  .crowd .sums,
  .crowd .score {
    font-size: 0.6875rem;
  }
  @container niuniu (max-width: 30rem) {
    .felt {
      padding: var(--space-2);
      gap: var(--space-2);
    }
    .lanes {
      gap: var(--space-2);
    }
    .caption {
      --lines-of-result: 2;
      min-height: 3.9em;
      flex-direction: column;
      justify-content: flex-start;
      font-size: var(--text--1);
    }
    .crowd .caption {
      --lines-of-result: 1;
      min-height: 2.6em;
    }
    .pairs {
      --die: min(23px, calc((50cqw - 2rem) / 6.25));
    }
    .pairs .lanes {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .pairs .mine {
      order: -1;
    }
    .pairs .lane:not(.mine) {
      padding: 6px var(--space-2);
      gap: 2px;
    }
    .pairs .lane:not(.mine) :is(.sums, .score) {
      display: none;
    }
    .pairs .lane:not(.mine) :is(.face, .crown) {
      width: 18px;
      height: 18px;
      font-size: 11px;
    }
    .pairs .lane:not(.mine) :is(.who, .worth) {
      font-size: var(--text--2);
    }
    /* The button covers no tray of a large table, because the viewer's is among the others and as small. */
    @media (max-height: 62.5em) {
      .crowd .lanes {
        gap: 6px;
      }
      .crowd .lane.lane {
        padding: 3px var(--space-2);
        gap: 0;
      }
      .crowd .mine {
        --die: inherit;
        grid-column: auto;
        outline: 2px solid rgb(255 255 255 / 0.4);
        outline-offset: -2px;
      }
      .crowd .mine :is(.sums, .score) {
        display: none;
      }
      .crowd .mine :is(.face, .crown) {
        width: 18px;
        height: 18px;
        font-size: 11px;
      }
      .crowd .mine :is(.who, .worth) {
        font-size: var(--text--2);
      }
    }
    /* On low phones, as many seats as possible are visible. */
    @media (max-height: 41.25em) {
      .felt {
        padding: 6px;
        gap: 6px;
      }
      .crowd .caption {
        min-height: 0;
      }
      .pairs .lanes {
        gap: 6px;
      }
      .pairs:not(.crowd) .mine {
        --die: min(36px, var(--most));
        gap: 0 var(--space-2);
        padding-block: var(--space-1);
      }
      .pairs .lane:not(.mine) {
        padding: 3px var(--space-2);
        gap: 0;
      }
      .crowd .caption strong {
        display: none;
      }
      .actions .action {
        min-height: 48px;
      }
    }
  }
  @container niuniu (min-width: 44rem) and (max-width: 70rem) {
    /* Four others in two lines of two. */
    .lanes:has(> :nth-child(5):last-child) {
      grid-template-columns: 1fr 1fr;
    }
    .crowd .lanes {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
    .crowd .lane.lane:not(.mine) {
      --die: min(2.375rem, (100cqw / 3 - 3rem) / 6.25);
    }
  }
  @container niuniu (max-width: 14rem) {
    .lane {
      grid-template: "who worth" auto "dice dice" auto "sums sums" auto "score score" auto / minmax(0, 1fr) auto;
    }
  }
  @container niuniu (min-width: 44rem) {
    .felt {
      --die: 3.375rem;
      padding: var(--space-5);
    }
    .mine {
      --die: 4rem;
    }
    .many .lane:not(.mine) {
      --die: 2.375rem;
    }
    .mine {
      grid-template: "who dice worth" auto "score dice sums" auto / minmax(0, 1fr) auto minmax(0, 1fr);
      column-gap: var(--space-5);
    }
    .mine .worth {
      font-size: var(--text-3);
    }
    .mine .sums {
      align-self: start;
      justify-content: flex-end;
    }
    .mine .score {
      text-align: start;
      align-self: start;
      font-size: var(--text--1);
    }
  }
  :host([television]) .lane {
    --die: 6.4cqw;
  }
  :host([television]) .lanes {
    grid-template-columns: 1fr 1fr;
  }
  @container niuniu (min-width: 30rem) {
    :host([television]) .crowd .lane.lane {
      --die: 4.3cqw;
    }
    :host([television]) .crowd .lanes {
      grid-template-columns: repeat(3, minmax(0, 1fr));
    }
  }
  :host([television]) .who {
    font-size: max(var(--text-1), 3vh);
  }
  :host([television]) .worth {
    font-size: var(--text-3);
  }
  /* All seats in a grid as high as the screen, and the button at the side. */
  @media ${lowScreen} {
    .felt.felt {
      --columns: 2;
      --lines: 2;
      --side: clamp(5.25rem, 15cqw, 8.75rem);
      --die: clamp(
        12px,
        min(
          ((100cqw - var(--side) - 30px) / var(--columns) - 26px) / 6.25,
          ((var(--stage, 100dvh - 110px) - 2.75rem) / var(--lines) - 3.625rem) / 1.22
        ),
        4rem
      );
      display: grid;
      grid-template: auto minmax(0, 1fr) / minmax(0, 1fr) auto;
      gap: 6px 8px;
      height: var(--stage, auto);
      padding: 6px 8px 8px;
    }
    .felt.many {
      --columns: 3;
    }
    .felt.crowd {
      --columns: 4;
      --lines: 3;
    }
    .caption.caption {
      --lines-of-result: 1;
      grid-column: 1 / 3;
      flex-flow: row nowrap;
      min-height: 0;
      font-size: var(--text--1);
    }
    .felt .lanes {
      grid-template-columns: repeat(var(--columns), minmax(0, 1fr));
      grid-auto-rows: minmax(0, 1fr);
      gap: 6px;
      min-height: 0;
    }
    .felt .lane.lane {
      --die: inherit;
      grid-template: "who worth" auto "dice dice" auto "sums score" auto / minmax(0, 1fr) auto;
      align-content: center;
      gap: 2px 6px;
      padding: 2px 8px;
    }
    .felt .mine {
      grid-column: auto;
      order: 0;
      outline: 2px solid rgb(255 255 255 / 0.4);
      outline-offset: -2px;
    }
    .felt .lane :is(.who, .worth) {
      font-size: var(--text--1);
      line-height: 1.3;
    }
    .felt .lane .face {
      width: 18px;
      height: 18px;
      font-size: 11px;
    }
    .felt .lane :is(.sums, .score) {
      align-self: auto;
      min-height: 0;
      font-size: 0.6875rem;
      white-space: nowrap;
      overflow: hidden;
    }
    .felt.many .face,
    .many .score,
    .crowd .sums {
      display: none;
    }
    .felt.many .lane.lane {
      grid-template: "who worth" auto "dice dice" auto "sums sums" auto / minmax(0, 1fr) auto;
    }
    .felt.crowd .lane.lane {
      grid-template: "who" auto "dice" auto "worth" auto / minmax(0, 1fr);
    }
    .felt.crowd .worth {
      justify-self: center;
    }
    .actions.actions {
      position: static;
      width: var(--side);
    }
    .actions .action {
      height: 100%;
      padding-inline: var(--space-2);
    }
  }
  @keyframes shake {
    from {
      transform: translateY(-8%) rotate(-9deg);
    }
    to {
      transform: translateY(8%) rotate(9deg);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .felt .air,
    .air .die {
      animation: none;
    }
  }
`;
