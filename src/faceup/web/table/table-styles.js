import { lowScreen } from "../ui/styles.js";
import { css } from "../vendor/lit/index.js";

/** Layout of a table, which has one column on phones and several columns on wide screens. */
export const tableStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    min-width: 0;
  }
  .frame {
    flex: 1;
    display: grid;
    grid-template: "seats" auto "next" auto "board" 1fr "foot" minmax(var(--foot), auto) / minmax(0, 1fr);
    gap: var(--space-3);
    --edge: var(--space-3);
    padding: var(--space-2) var(--edge) var(--space-3);
    max-width: 47.5rem;
    width: 100%;
    margin: 0 auto;
  }
  .frame.wide {
    grid-template:
      "seats next foot" auto
      "seats board foot" 1fr / clamp(14.5rem, 14vw, 21rem) minmax(0, 1fr) clamp(18rem, 16vw, 26rem);
    gap: var(--space-4) var(--space-5);
    padding: var(--space-3) var(--space-5) var(--space-5);
    max-width: 150rem;
  }
  table-banner {
    grid-area: next;
    z-index: 3;
  }
  table-banner[info] {
    width: 100%;
    max-width: 47.5rem;
    margin: 0 auto;
    padding: var(--space-1) var(--space-3);
  }
  table-banner:not([words]) {
    display: none;
  }
  table-seats {
    grid-area: seats;
  }
  .next {
    grid-area: next;
    gap: var(--space-3);
    min-height: 3.625rem;
    padding: 6px var(--space-2);
  }
  .next p {
    flex: 1;
    font-size: var(--text-0);
    font-weight: 600;
    line-height: 1.3;
    padding-inline-start: var(--space-1);
    overflow-wrap: anywhere;
  }
  .next > :first-child[hidden] + p {
    padding-inline-start: var(--space-3);
  }
  /* A caption, and no button: only its words say that the viewer has to act. */
  .next.mine p {
    color: var(--accent);
    font-weight: 700;
  }
  .next.waiting,
  .next.spectating,
  .next.chosen {
    color: var(--ink-soft);
  }
  .next svg {
    margin-inline-start: var(--space-2);
  }
  /* The ox speaks in the place of the caption; the rows give it the height of a third line. */
  .next.taught {
    gap: var(--space-2);
    padding-inline-end: 0;
  }
  .taught .bull {
    width: 44px;
    margin: 0;
    filter: drop-shadow(0 2px 3px rgb(var(--shade) / 0.3));
  }
  .taught .quiet {
    padding: 0;
    color: var(--ink-soft);
  }
  .frame:not(.wide):has(.taught) {
    --controls-height: 26px;
  }
  .frame:not(.wide) .next.taught {
    min-height: 4.1rem;
  }
  .wide .next p {
    font-size: var(--text-1);
  }
  .wide table-clock {
    --size: 2.875rem;
  }
  .board {
    grid-area: board;
    position: relative;
    display: flex;
    flex-direction: column;
    gap: var(--space-4);
    min-width: 0;
    min-height: 0;
  }
  /* The place of a game whose element is being loaded. */
  .skeleton {
    flex: 1;
    min-height: 40dvh;
    border-radius: var(--radius);
    background: linear-gradient(var(--felt), var(--felt-deep));
    opacity: 0.35;
  }
  .game {
    min-width: 0; /* not stretched: a stretched container would be laid out, and its styles computed, twice */
  }
  /* Nothing is left to choose: no space is kept for a hand. */
  table-result ~ .game {
    --kept: 0px;
    --bar-display: none;
  }
  .foot {
    grid-area: foot;
    display: flex;
    gap: var(--space-2);
    min-width: 0;
  }
  .ticker {
    justify-content: flex-start;
    font-weight: 400;
    padding: 0 var(--space-2);
    text-align: start;
  }
  .ticker span {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    overflow-wrap: anywhere;
    line-height: 1.25;
    unicode-bidi: isolate;
  }
  .wide .foot {
    flex-direction: column;
    align-items: flex-end;
    position: sticky;
    top: var(--space-3);
    height: calc(100dvh - 5.625rem - var(--controls-height, 0px));
  }
  table-reactions {
    min-width: var(--target); /* as soon as the first picture, although the module is loaded later */
    min-height: var(--target);
  }
  .log {
    flex: 1;
    width: 100%;
    min-height: 0;
    display: flex;
    flex-direction: column;
    padding: var(--space-4) var(--space-2) var(--space-2);
  }
  .log h2 {
    font-size: var(--text-1);
    padding: 0 var(--space-3) var(--space-2);
  }
  table-log {
    flex: 1;
    min-height: 0;
  }
  dialog {
    --around: 15.875rem;
    padding: var(--space-4);
    background: var(--paper);
    width: min(46rem, calc(100vw - 1.5rem));
    flex-direction: column;
    gap: var(--space-3);
  }
  dialog[open] {
    display: flex;
  }
  dialog header {
    display: flex;
    align-items: center;
  }
  dialog header h2 {
    flex: 1;
  }
  /* Phones at 200 % zoom: only the board scrolls horizontally. */
  @media (max-width: 19.99em) {
    .frame {
      --edge: var(--space-2);
    }
    .board {
      overflow-x: auto;
    }
    .game {
      min-width: 304px;
    }
  }
  /* The ticker and the reactions stay visible; on low screens nothing overlaps the content. */
  .frame:not(.wide) {
    --foot: calc(var(--target) + var(--space-1));
    --around: 15.875rem; /* height of the page without the board */
  }
  .frame.many:not(.wide) {
    --around: 20.125rem; /* two lines of seats */
  }
  .frame:not(.wide) .foot {
    grid-row: board-start / foot-end; /* sticky elements stay within their grid area */
    align-self: end;
    position: sticky;
    bottom: var(--below, 0px);
    z-index: 9;
    margin: 0 calc(-1 * var(--edge)) calc(-1 * var(--space-3));
    padding: 0 var(--edge) var(--space-1);
    background: var(--paper);
    box-shadow: 0 -6px 10px var(--paper);
  }
  @media (max-height: 28rem) {
    .frame:not(.wide) {
      --foot: 0px;
    }
    .frame:not(.wide) .foot {
      grid-area: foot;
      position: static;
    }
  }
  @media (max-height: 43.75em) {
    .frame:not(.wide) {
      --around: 11.125rem;
      gap: 6px;
      padding-block: 0;
    }
    .frame.many:not(.wide) {
      --around: 15.25rem;
    }
    .frame:not(.wide) .next {
      min-height: var(--target);
      padding-block: 0;
    }
    .frame:not(.wide) .next p {
      line-height: 1.2;
    }
    /* The rows have their least height already, and the hand gives less. */
    .frame:not(.wide):has(.taught) {
      --controls-height: 44px;
    }
    .frame:not(.wide) .foot {
      margin-bottom: 0;
      padding-bottom: 0;
    }
  }
  @media (max-height: 43.75em) and (max-width: 24.99em) {
    .frame:not(.wide) .next p {
      font-size: var(--text--1);
    }
    .frame:not(.wide) .taught p {
      font-size: 0.8125rem;
    }
  }
  /* The status line, the log and the reactions share the first line with the buttons of the page, and the seats are at
     the side: all other height is for the board. */
  @media ${lowScreen} {
    .frame:not(.wide) {
      --stage: max(236px, calc(100dvh - var(--target) - 14px - var(--controls-height, 0px)));
      --tray-names: none;
      --edge: max(var(--space-2), env(safe-area-inset-left), env(safe-area-inset-right));
      grid-template: "next next foot" var(--target) "seats board board" 1fr / clamp(86px, 14vw, 168px) minmax(0, 1fr) auto;
      gap: var(--space-1) var(--space-2);
      padding: 2px var(--edge) var(--space-2);
      max-width: none;
    }
    .frame:not(.wide) table-seats {
      align-self: start;
    }
    .frame:not(.wide) .next {
      min-height: 0;
      padding: 0 var(--space-3) 0 var(--space-1);
      margin-inline-start: var(--bar-start, 0px);
    }
    .frame:not(.wide) .next p {
      font-size: var(--text--1);
      line-height: 1.2;
      max-height: 2.4em;
      overflow: hidden;
    }
    .frame:not(.wide) .next.mine:not(.taught) p {
      font-size: var(--text-0);
    }
    .frame:not(.wide):has(.taught) {
      --controls-height: 0px;
    }
    .frame:not(.wide) .next.taught {
      min-height: 0;
    }
    .frame:not(.wide) .next table-clock {
      --size: 40px;
    }
    .frame:not(.wide) .next button {
      min-height: 36px;
      padding-block: 0;
    }
    .frame:not(.wide) .foot {
      grid-area: foot;
      position: static;
      align-self: auto;
      margin: 0 var(--bar-end, 0px) 0 0;
      padding: 0;
      gap: 0;
      background: none;
      box-shadow: none;
    }
    /* Replays and the tutorial have a line of their own above the table. */
    :host([bare]) .frame:not(.wide) {
      grid-template: "seats board board" 1fr / clamp(86px, 14vw, 168px) minmax(0, 1fr) auto;
    }
    :host([bare]) .frame:not(.wide) .foot {
      display: none;
    }
    :host(:not([bare])) .frame:not(.wide) .ticker {
      justify-content: center;
      padding: 0;
    }
    :host(:not([bare])) .frame:not(.wide) .ticker span {
      position: absolute;
      width: 1px; /* a long sentence would widen the page */
      clip-path: inset(50%);
    }
    table-banner:not([info]) {
      margin-inline-start: var(--bar-start, 0px);
    }
    table-banner[info] {
      order: 1;
    }
  }
  @media ${lowScreen} and (max-width: 44.99em) {
    .frame:not(.wide) .taught p {
      font-size: var(--text--2);
      max-height: 3.6em;
    }
  }
  /* The result has the same seats, and needs the width. */
  @media ${lowScreen} and (max-width: 48.74em) {
    .frame:not(.wide):has(table-result) {
      grid-template: "next next foot" var(--target) "board board board" 1fr / minmax(0, 1fr) auto auto;
    }
    .frame:not(.wide):has(table-result) table-seats {
      display: none;
    }
  }
  :host([television]) .frame {
    --foot: 0px;
    padding-top: var(--space-2);
  }
  :host([television]) .foot {
    display: none;
  }
  :host([television]) .frame.wide {
    grid-template: "seats next" auto "seats board" 1fr / clamp(14.5rem, 26vw, 24rem) minmax(0, 1fr);
    max-width: none;
  }
  /* The result has the names and scores, and fills the screen. */
  :host([television]) .frame.wide:has(table-result) {
    grid-template: "board" 1fr / minmax(0, 1fr);
  }
  :host([television]) .board:has(table-result) {
    align-self: center;
  }
  :host([television]) .frame.wide:has(table-result) :is(table-seats, .next, .game) {
    display: none;
  }
`;
