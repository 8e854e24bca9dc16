import { lowScreen } from "../ui/styles.js";
import { css } from "../vendor/lit/index.js";

/** Styles of the page of puzzles. */
export const puzzlesStyles = css`
  .all {
    max-width: 76rem;
    margin: 0 auto;
    padding: 0 var(--space-4) var(--space-7);
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(19rem, 24rem);
    grid-template-areas: "head head" "board side";
    gap: var(--space-3) var(--space-5);
    align-items: start;
    --controls-height: 5rem; /* height of the heading, for the size of the cards */
    --kept: 0px; /* keeps no room for a second line of the hand */
  }
  .head {
    grid-area: head;
    align-items: end;
    justify-content: space-between;
    gap: var(--space-1) var(--space-4);
  }
  .kicker {
    font-weight: 600;
  }
  h1 {
    font-size: var(--text-3);
    text-wrap: balance;
  }
  .mine {
    gap: var(--space-3);
    list-style: none;
    font-weight: 700;
  }
  .mine li {
    display: flex;
    align-items: center;
    gap: var(--space-1);
    padding: 2px 12px;
    min-height: 36px;
    border-radius: 99px;
    background: var(--surface);
    box-shadow: var(--low);
  }
  .mine small {
    font-weight: 600;
  }
  .flame {
    width: 22px;
  }
  .board {
    grid-area: board;
    min-width: 0;
  }
  .prompt {
    min-height: 1.5em;
    margin-top: var(--space-1);
    text-align: center;
  }
  .side {
    grid-area: side;
    display: grid;
    gap: var(--space-4);
    min-width: 0;
  }
  .side section {
    display: grid;
    gap: var(--space-3);
  }
  .verdict {
    --from: 12px;
    animation: enter var(--move) var(--ease) both;
    scroll-margin: var(--space-4);
  }
  .verdict h2 span {
    display: inline-grid;
    place-items: center;
    flex: none;
    width: 36px;
    height: 36px;
    border-radius: 50%;
    color: var(--surface);
    background: var(--warn);
  }
  .verdict.solved h2 span {
    background: var(--good);
  }
  .values {
    display: grid;
    gap: 2px;
  }
  .values li {
    display: grid;
    grid-template-columns: 4.5em minmax(0, 1fr) 5.5em;
    align-items: center;
    gap: var(--space-2);
    min-height: 28px;
    padding: 0 var(--space-2);
    border-radius: var(--radius-small);
    font-variant-numeric: tabular-nums;
  }
  .values .own {
    background: var(--sunken);
  }
  .values b {
    white-space: nowrap;
  }
  .values i {
    display: block;
    height: 10px;
    min-width: 3px;
    border-radius: 99px;
    background: var(--warn);
  }
  .values .best i {
    background: var(--good);
  }
  .values em {
    font-style: normal;
    text-align: end;
    white-space: nowrap;
  }
  .values .best em {
    font-weight: 700;
    color: var(--good);
  }
  .facts {
    display: grid;
    gap: var(--space-1);
  }
  .seats {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr));
    gap: 2px var(--space-3);
  }
  .seats li {
    display: flex;
    justify-content: space-between;
    gap: var(--space-2);
    padding: 2px var(--space-2);
    border-radius: var(--radius-small);
  }
  .seats .me {
    font-weight: 700;
    background: var(--sunken);
  }
  .next {
    min-height: 56px;
    font-size: var(--text-1);
  }
  .done,
  .failed {
    grid-column: 1 / -1;
    justify-self: center;
    margin-top: var(--space-6);
    padding: var(--space-6) var(--space-5);
  }
  .ghost {
    grid-column: 1 / -1;
    min-height: 30rem;
  }
  @media (max-width: 60rem) {
    .all {
      grid-template-columns: minmax(0, 1fr);
      grid-template-areas: "head" "board" "side";
      padding-inline: var(--space-2);
      --around: 15.875rem;
      --controls-height: 1.5rem;
    }
    .head {
      padding-inline: var(--space-1);
    }
    h1 {
      font-size: var(--text-2);
    }
  }
  @media (max-width: 60rem) and (max-height: 43.75em) {
    .all {
      --around: 11.125rem;
    }
  }
  /* Phones at 200 % zoom: only the board scrolls horizontally. */
  @media (max-width: 19.99em) {
    .board {
      overflow-x: auto;
    }
    nimmt-table {
      min-width: 304px;
    }
  }
  @media ${lowScreen} {
    .all {
      --controls-height: 0px;
      --kept: initial; /* the hand is a column, which needs its width */
    }
  }
`;
