import { lowScreen } from "../../ui/styles.js";
import { css } from "../../vendor/lit/index.js";

/**
 * Styles of the whole table. Cards in the rows are so wide that five cards and a bull fit into a row, and so low that
 * the hand also fits on the screen.
 */
export const styles = css`
  :host {
    container-type: inline-size;
    /* Sized by its contents: flexible boxes of the frame would cause repeated layouts (20 ms a step). */
    flex: none !important;
    --widest: 190px;
  }
  :host([television]) {
    --widest: 400px;
  }
  .table {
    --gap: clamp(3px, 0.8cqw, 10px);
    --tall: 0.75;
    /* The hand: as wide as fits, and no higher than leaves room for the rows. */
    --line: var(--held);
    --lines: 1;
    --hh: clamp(64px, 14dvh, 220px);
    --shape: 0.75; /* width of a card of the hand, by its height */
    --hw: min((100cqw - 4px) / var(--line) - 6px, var(--hh) * var(--shape));
    --hands: calc((var(--hw) / var(--shape) + 6px) * var(--lines) + 4px);
    --row: 12px; /* height of a row beside its cards */
    --beside: 42px; /* width of a row beside its cards, without the texts */
    --rest: 32px; /* margins of the table */
    --bar: 3.875rem;
    /* The frame uses --around, and what is above the table uses --controls-height. */
    --lanes: calc(100dvh - var(--around, 9.375rem) - var(--controls-height, 0px) - var(--bar) - var(--hands) - var(--tray) - var(--rest));
    --side: 0px; /* width of a tray next to the rows */
    --tray: calc(var(--spot) / var(--tall) + 18px); /* height of a tray above the rows */
    --least: max(26px, min(1.625rem, 6cqw));
    --w: max(
      19px,
      min(
        var(--widest),
        (100cqw - var(--side) - var(--beside) - 3.4rem) / (var(--most) + 1) - var(--gap),
        max(var(--least), (var(--lanes) / var(--rows) - var(--row) - var(--tag)) * var(--tall))
      )
    );
    --h: calc(var(--w) / var(--tall));
    --spot: clamp(26px, min(5cqw, 7dvh, (100cqw - 20px) / var(--seats) - 6px), 90px);
    --tag: clamp(14px, 1.9dvh, 24px); /* height of the name above a card that was just played */
    display: grid;
    gap: var(--space-2);
    color: var(--ink);
  }
  .handless {
    --hands: 0px;
  }
  .size-squat {
    --tall: 1.0227;
  }
  .terse {
    --tag: 0px;
  }
  .flat {
    --shape: 1.0227;
  }
  .art,
  .bull,
  .pip {
    display: block;
  }
  .art {
    width: 100%;
    height: auto;
    border-radius: 9px;
    border-radius: 11% / calc(11% * var(--tall));
    box-shadow: var(--low);
    overflow: hidden;
  }
  .pip {
    display: inline-block;
    height: 0.9em;
    width: 0.9em;
    vertical-align: -0.06em;
    margin-left: 0.15em;
  }
  ol {
    margin: 0;
    padding: 0;
  }

  .felt {
    position: relative;
    padding: var(--space-2);
    border-radius: var(--radius);
    background: radial-gradient(120% 100% at 50% 0%, var(--felt), var(--felt-deep));
    color: var(--on-felt);
    box-shadow: var(--high), inset 0 2px 0 rgb(255 255 255 / 0.12), inset 0 -20px 40px rgb(0 0 0 / 0.12);
  }
  .shuffling {
    min-height: calc(var(--h) * 3);
  }

  .over {
    position: absolute;
    z-index: 8;
    inset: 0;
    display: grid;
    align-content: center;
    justify-items: center;
    gap: var(--space-3);
    border-radius: inherit;
    background: rgb(6 30 24 / 0.86);
    animation: appear var(--move) both;
  }
  .over ol {
    display: grid;
    gap: 2px;
    min-width: min(18em, 90%);
  }
  .over li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto 3.2em;
    gap: var(--space-3);
    padding: 2px var(--space-3);
    border-radius: var(--radius-small);
    line-height: 1.35;
  }
  .over .name {
    min-width: 0;
  }
  .over .leads {
    background: rgb(255 255 255 / 0.14);
  }
  .over .leads .heads {
    color: inherit;
  }
  .over .heads {
    text-align: right;
  }
  .over .plus {
    color: var(--on-felt-soft);
  }

  :host([television]) .table {
    --around: 6rem;
    --bar: 2.5rem;
  }

  @container (max-width: 34.99rem) {
    .table {
      --bar: 1.25rem;
      --row: 8px;
      --beside: 26px;
      --rest: 22px;
      --least: max(30px, min(1.875rem, 6cqw));
      gap: var(--space-1);
    }
    .long {
      --line: 5;
      --lines: 2;
      --hh: clamp(52px, (100dvh - var(--controls-height, 0px)) * 0.115, 110px);
    }
    .long.flat {
      --hh: clamp(44px, 8dvh, 60px);
    }
    @media (max-height: 37.5em) {
      .crowd .prompt {
        display: none;
      }
    }
    .felt {
      padding: 4px;
    }
    .many .over ol {
      grid-template-columns: 1fr 1fr;
      min-width: 100%;
      font-size: var(--text--1);
    }
    .many .over li {
      grid-template-columns: minmax(0, 1fr) auto auto;
      gap: var(--space-2);
      padding: 2px var(--space-2);
    }
  }

  /* From left to right: the tray, with a line for each seat, the rows, and the hand in two columns. */
  /* The tray is a column next to the rows. */
  @container (min-width: 37.5rem) {
    .table {
      --spot: clamp(24px, min(var(--lanes) / var(--seats) - 6px, 7cqw), 7.5rem);
      --side: calc(var(--spot) + 5.5rem);
      --tray: 0px;
    }
    :host([television]) .table {
      --side: calc(var(--spot) + 9.5rem);
    }
    .felt {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      align-items: center;
      gap: var(--space-2);
    }
  }

  @media ${lowScreen} {
    .table {
      --gap: 4px;
      --line: 2;
      --lines: 4;
      --bar: max(32px, min(2rem, 6dvh));
      --free: calc(var(--stage, 100dvh - 110px) - var(--bar));
      --hh: min(4.625rem, 12cqw, var(--free) / var(--lines) - 6px);
      --hw: calc(var(--hh) * var(--shape));
      --hands: 0px;
      --column: var(--kept, calc((var(--hw) + 6px) * 2 - 6px));
      --spot: clamp(20px, (var(--stage, 100dvh - 110px) - 12px) / var(--seats) - 5px, 3.5rem);
      --w: clamp(
        19px,
        min(
          (100cqw - var(--column) - var(--spot) - 6.6rem) / (var(--most) + 1) - var(--gap),
          ((var(--stage, 100dvh - 110px) - 16px) / var(--rows) - 10px - var(--tag)) * var(--tall)
        ),
        7.5rem
      );
      grid-template: minmax(0, 1fr) auto / minmax(0, 1fr) auto;
      gap: var(--space-1) var(--space-2);
      height: var(--stage, auto);
    }
    .table.long {
      --line: 2;
      --lines: 5;
      --hh: min(4.625rem, 12cqw, var(--free) / var(--lines) - 6px);
    }
    .handless {
      --column: 0px;
    }
    .handless .bar {
      display: none;
    }
    .felt {
      grid-row: 1 / 3;
      display: grid;
      grid-template-columns: auto minmax(0, 1fr);
      align-items: center;
      padding: 6px;
      min-height: 0;
    }
    .handless .felt {
      grid-column: 1 / 3;
    }
    .table .hand {
      width: var(--column);
      align-content: flex-start;
      justify-content: flex-start;
    }
    .table .bar {
      grid-area: 2 / 2;
      width: var(--column);
      order: 0;
      min-height: 0;
      padding: 0;
      gap: 2px;
      justify-content: center;
      text-align: center;
    }
    .table .bar :is(.main, .back) {
      display: none;
    }
    .table .coach {
      padding: 0;
      width: var(--bar);
      min-width: var(--bar);
    }
    .table .coach > span {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .table .tap {
      display: block;
    }
    .hand .rank {
      top: -7px;
      right: -4px;
      min-width: 20px;
      padding: 0 3px;
      border-width: 1px;
      font-size: 11px;
    }
    .table .prompt {
      min-height: 2.4em;
      font-size: calc(var(--bar) * 0.34);
      line-height: 1.2;
    }
    .over ol {
      grid-template-columns: 1fr 1fr;
      min-width: 90%;
    }
  }
`;
