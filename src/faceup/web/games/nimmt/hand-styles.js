import { css } from "../../vendor/lit/index.js";

/** Styles of the hand and the action bar. */
export const handStyles = css`
  .bar {
    display: var(--bar-display, flex);
    align-items: center;
    justify-content: space-between;
    gap: var(--space-3);
    min-height: var(--target);
    padding: 0 var(--space-1);
  }
  /* It has a fixed size, so that its text is laid out without the table around it. */
  .prompt {
    flex: 1;
    align-self: stretch;
    min-height: 1.3em;
    line-height: 1.3;
  }
  .prompt > span {
    display: grid;
    align-items: center;
    height: 100%;
    overflow: hidden;
    contain: size layout style;
  }
  .bar button {
    flex: none;
  }
  .hand {
    --tall: 0.75;
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    justify-content: center;
    align-content: flex-start;
    width: calc((var(--hw) + 6px) * var(--line) - 5px); /* a pixel more, since browsers round widths */
    margin: 0 auto;
    min-height: var(--kept, var(--hands));
  }
  .held {
    display: block;
    flex: none;
    width: var(--hw);
    padding: 0;
    min-width: 0;
    min-height: 0;
    background: none;
    box-shadow: none;
    border-radius: 11% / 8.25%;
  }
  .held:hover:not(:disabled),
  .held:active:not(:disabled) {
    box-shadow: none;
    transform: none;
  }
  .face {
    display: block;
    position: relative;
    border-radius: inherit;
    transition: transform var(--quick) var(--ease);
  }
  .held .art {
    box-shadow: var(--low);
  }
  /* Touch devices keep :hover after a tap. */
  @media (hover: hover) {
    .held[aria-disabled="false"]:hover .face {
      transform: translateY(-4px);
    }
  }
  .held:is(.marked, .sending) .face,
  .held:is(.marked, .sending):hover .face {
    transform: translateY(-7px);
    box-shadow: 0 0 0 3px var(--accent), var(--highest);
  }
  .lit-hand .held:not(.marked, .sending, .chosen) .face {
    box-shadow: 0 0 0 2px #f0b93f;
  }
  .held.chosen .face,
  .held.chosen:hover .face {
    transform: translateY(-7px);
    box-shadow: 0 0 0 3px var(--good), var(--high);
  }
  .held.chosen .art {
    opacity: 0.6;
  }
  /* A choice that arrives soon shows no words on its way. */
  .held.sending .tap {
    animation-delay: 300ms;
  }
  /* In a corner: the number stays readable. */
  .tick {
    position: absolute;
    top: -9px;
    right: -6px;
    z-index: 1;
    width: 42%;
    aspect-ratio: 1;
    max-width: 2.25rem;
    padding: 8%;
    border-radius: 50%;
    background: var(--good);
    color: var(--surface);
    box-shadow: var(--low);
    animation: pop var(--quick) var(--ease);
  }
  .tap {
    display: none;
    position: absolute;
    left: 0;
    right: 0;
    bottom: -3px;
    padding: 3px 0;
    border-radius: 0 0 7px 7px;
    background: var(--accent);
    color: var(--on-accent);
    font-size: var(--text--1);
    font-weight: 700;
    line-height: 1.3;
    text-align: center;
    animation: appear var(--quick) both;
  }
  .held .tap {
    font-size: min(var(--text--1), var(--hw) * 0.2);
  }
  .chosen .tap {
    background: var(--good);
    color: var(--surface);
  }
  .pick .tap {
    left: auto;
    right: 6px;
    bottom: 6px;
    padding: 4px 12px;
    border-radius: 99px;
    background: #ffd9b8;
    color: #4a1d05;
  }
  .tick svg {
    display: block;
  }
  .held {
    position: relative;
  }
  .rank {
    white-space: nowrap;
    position: absolute;
    top: -9px;
    right: -6px;
    z-index: 1;
    min-width: 26px;
    padding: 1px 6px;
    border-radius: 99px;
    border: 2px solid var(--surface);
    background: var(--raised);
    color: var(--ink);
    font: 700 var(--text--2) / 1.4 var(--figures);
    font-variant-numeric: tabular-nums;
    text-align: center;
    box-shadow: var(--low);
    pointer-events: none;
    animation: pop var(--quick) var(--ease) both;
  }
  .rank.best {
    background: var(--good);
    color: var(--surface);
    font-size: var(--text--1);
  }
  .rank.good {
    color: var(--good);
  }
  .rank.mistake {
    color: var(--warn);
  }
  .held:has(.rank.best) .face {
    box-shadow: 0 0 0 3px var(--good), 0 0 18px 4px color-mix(in srgb, var(--good) 55%, transparent);
  }
  .end > * {
    grid-area: 1 / 1;
  }
  .end .rank {
    position: relative;
    inset: auto;
    align-self: end;
    font-size: var(--text--1);
  }
  .coach {
    min-height: 36px;
    padding: 0 var(--space-3);
    gap: var(--space-1);
  }
  .coach[aria-pressed="true"] {
    background: var(--accent);
    color: var(--on-accent);
  }
  .coach[aria-busy="true"] {
    opacity: 0.6;
  }
  .held[aria-disabled="true"] {
    cursor: default;
  }

  @container (max-width: 34.99rem) {
    .bar {
      order: 1;
      min-height: 0;
      justify-content: center;
      text-align: center;
    }
    .bar button:not(.coach) {
      display: none;
    }
    .tap {
      display: block;
    }
    .coach {
      margin: -7px 0; /* the bar stays as high as its text */
    }
    .hand .rank {
      top: -8px;
      right: -5px;
    }
    .hand .rank,
    .end .rank {
      min-width: 22px;
      padding: 0 4px;
      border-width: 1px;
      font-size: 11px;
    }
    .prompt {
      font-size: var(--text--1);
    }
    .prompt > span {
      display: block;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    @media (max-height: 41.25em) {
      .prompt {
        font-size: var(--text--2);
        line-height: 1.2;
      }
    }
  }
`;
