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
    --widest: 104px;
  }
  :host([television]) {
    --widest: 200px;
  }
  .table {
    --gap: clamp(3px, 0.8cqw, 10px);
    --tall: 0.75;
    /* The hand: as wide as fits, and no higher than leaves room for the rows. */
    --line: var(--held);
    --lines: 1;
    --hh: clamp(64px, 14dvh, 139px);
    --hw: min((100cqw - 4px) / var(--line) - 6px, var(--hh) * 0.75);
    --hands: calc((var(--hw) / 0.75 + 6px) * var(--lines) + 4px);
    --around: 150px; /* height used by the frame; --controls-height is used by a replay's controls */
    --bar: 62px;
    --lanes: calc(100dvh - var(--around) - var(--controls-height, 0px) - var(--bar) - var(--hands) - var(--spot) / var(--tall) - 50px);
    --w: max(
      19px,
      min(
        var(--widest),
        (100cqw - 34px - 3.2em) / (var(--most) + 1) - var(--gap),
        max(var(--least, 26px), (var(--lanes) / var(--rows) - 12px) * var(--tall))
      )
    );
    --h: calc(var(--w) / var(--tall));
    --spot: clamp(26px, min(5cqw, (100cqw - 20px) / var(--seats) - 6px), 60px);
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
    list-style: none;
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
    display: grid;
    place-items: center;
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
    animation: fade var(--move) both;
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
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
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

  @media (max-width: 999px) {
    .table {
      --around: 212px;
    }
    .crowd {
      --around: 272px;
    }
    @media (min-height: 740px) {
      .table {
        --around: 284px;
      }
      .crowd {
        --around: 344px;
      }
    }
  }
  :host([television]) .table {
    --around: 110px;
  }

  @container (max-width: 559px) {
    .table {
      --bar: 0px;
      --least: 34px;
      gap: var(--space-1);
    }
    .long {
      --line: 5;
      --lines: 2;
      --hh: clamp(64px, 10.4dvh, 110px);
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
`;
