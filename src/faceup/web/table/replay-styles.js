import { lowScreen } from "../ui/styles.js";
import { css } from "../vendor/lit/index.js";

/** Layout of a replay. The controls are below the table, and stay visible. */
export const replayStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    color: var(--ink);
  }
  faceup-table {
    flex: 1;
    --below: var(--controls-height);
  }
  .problem {
    padding: var(--space-6) var(--space-4);
  }
  .controls {
    position: sticky;
    bottom: 0;
    z-index: 5;
    padding: var(--space-2) var(--space-4);
    background: var(--surface);
    box-shadow: 0 -2px 10px rgb(var(--shade) / 0.1), 0 -8px 28px rgb(var(--shade) / 0.08);
  }
  .slide {
    position: relative;
    height: var(--target);
    max-width: 1200px;
    margin: 0 auto;
  }
  .slide::before,
  .slide::after {
    content: "";
    position: absolute;
    top: 19px;
    left: 10px;
    right: 10px;
    height: 6px;
    border-radius: 3px;
    background: var(--sunken);
    pointer-events: none;
  }
  .slide::after {
    right: auto;
    width: calc((100% - 20px) * var(--part));
    background: var(--accent);
  }
  .bookmarks i {
    position: absolute;
    z-index: 1;
    top: 6px;
    left: calc(10px + (100% - 20px) * var(--part));
    width: 7px;
    height: 7px;
    margin-left: -3.5px;
    rotate: 45deg;
    background: var(--warn);
    pointer-events: none;
  }
  .bookmarks i.end {
    rotate: none;
    border-radius: 50%;
    background: var(--ink-soft);
  }
  input[type="range"] {
    appearance: none;
    position: absolute;
    z-index: 2;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    padding: 0;
    background: none;
    cursor: pointer;
  }
  input[type="range"]::-webkit-slider-runnable-track {
    height: 100%;
  }
  input[type="range"]::-webkit-slider-thumb {
    appearance: none;
    width: 20px;
    height: 20px;
    margin-top: 12px;
    border-radius: 50%;
    background: radial-gradient(circle at 35% 25%, #fff8, #fff0 60%) var(--accent);
    box-shadow: var(--high);
  }
  input[type="range"]::-moz-range-thumb {
    width: 20px;
    height: 20px;
    border: 0;
    border-radius: 50%;
    background: var(--accent);
    box-shadow: var(--high);
  }
  .buttons {
    display: grid;
    grid-template-columns: 1fr repeat(7, auto) 1fr;
    align-items: center;
    gap: var(--space-1);
    max-width: 1200px;
    margin: 0 auto;
  }
  .buttons button {
    padding: 0;
    font-variant-numeric: tabular-nums;
  }
  .buttons .play {
    width: 56px;
    height: 56px;
    border-radius: 50%;
    margin: 0 var(--space-2);
  }
  .count {
    white-space: nowrap;
  }
  .look,
  .look label {
    min-width: 0;
  }
  .look {
    justify-content: flex-end;
  }
  .look [aria-pressed="true"] {
    background: var(--sunken);
  }
  .look select {
    min-width: 0;
    max-width: 12rem;
  }
  .hands {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(318px, 100%), 1fr));
    gap: var(--space-2) var(--space-5);
    max-width: 1600px;
    max-height: 34vh;
    overflow-y: auto;
    margin: 0 auto;
    padding: var(--space-2) 0;
  }
  ::slotted([slot="step"]) {
    max-width: 1600px;
    max-height: 30vh;
    overflow-y: auto;
    margin: 0 auto var(--space-2);
    padding: 4px;
  }
  @media (max-width: 56.25em) {
    .buttons .ends {
      display: none;
    }
    .buttons {
      grid-template-columns: 1fr repeat(5, auto) 1fr;
    }
  }
  @media (max-width: 43.75em) {
    .buttons {
      grid-template-columns: repeat(5, auto);
      justify-content: space-between;
    }
    .count {
      display: none;
    }
    .look {
      grid-column: 1 / -1;
    }
    .look label,
    .look select {
      flex: 1;
      max-width: none;
    }
  }
  /* One line, so that the rows and the hand stay in sight. */
  @media ${lowScreen} {
    .controls {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0 var(--space-3);
      padding: 0 var(--space-3);
    }
    .slide {
      flex: 1 1 7rem;
    }
    .buttons {
      display: flex;
      gap: 0;
      margin: 0;
    }
    .buttons .play {
      width: var(--target);
      height: var(--target);
      margin: 0;
    }
    .count,
    .buttons .ends,
    .look label > svg {
      display: none;
    }
    .look select {
      width: 7rem;
    }
    .hands,
    ::slotted([slot="step"]) {
      flex-basis: 100%;
    }
  }
`;
