import { css } from "../vendor/lit/index.js";

/** A replay: the table, and under it what one plays it with, which stays in sight. */
export const replaying = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    color: var(--ink);
  }
  faceup-table {
    flex: 1;
    --under: 132px;
  }
  .problem {
    margin: auto;
    padding: var(--space-6) var(--space-4);
    text-align: center;
  }
  .controls {
    position: sticky;
    bottom: 0;
    z-index: 5;
    padding: var(--space-2) var(--space-4) max(var(--space-2), env(safe-area-inset-bottom));
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
  .marks i {
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
  .marks i.end {
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
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .look {
    justify-self: end;
    display: flex;
    align-items: center;
    gap: var(--space-2);
    color: var(--ink-soft);
    min-width: 0;
  }
  .look select {
    min-width: 0;
    max-width: 12rem;
    text-overflow: ellipsis;
  }
  .verdicts {
    list-style: none;
    display: grid;
    gap: 2px;
    width: 100%;
    max-width: 1200px;
    margin: 0 auto;
    padding: 0 var(--space-4) var(--space-3);
    font-size: var(--text--1);
  }
  .verdict {
    display: grid;
    grid-template-columns: minmax(4rem, 9rem) minmax(5rem, 9rem) 7rem 1fr auto;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-1) var(--space-3);
    border-radius: var(--radius-small);
    background: var(--surface);
    box-shadow: var(--low);
  }
  .verdict b {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .verdict em {
    justify-self: start;
    font-style: normal;
    font-weight: 700;
    padding: 1px 10px;
    border-radius: 99px;
    background: var(--sunken);
  }
  .verdict em::before {
    content: "✓ ";
  }
  .best em,
  .only em {
    color: var(--good);
  }
  .best em::before {
    content: "★ ";
  }
  .doubtful em {
    color: var(--warn);
  }
  .doubtful em::before {
    content: "?! ";
  }
  .costly em {
    color: var(--danger);
  }
  .costly em::before {
    content: "?? ";
  }
  .better,
  .chance {
    color: var(--ink-soft);
    font-variant-numeric: tabular-nums;
  }
  @media (max-width: 700px) {
    .buttons {
      grid-template-columns: repeat(5, auto);
      justify-content: space-between;
    }
    .count,
    .ends {
      display: none;
    }
    .look {
      grid-column: 1 / -1;
      justify-self: stretch;
    }
    .look select {
      flex: 1;
      max-width: none;
    }
    .verdict {
      grid-template-columns: 1fr auto auto;
      gap: 0 var(--space-2);
    }
    .better,
    .chance {
      grid-row: 2;
    }
    .better {
      grid-column: 1 / 3;
    }
  }
`;
