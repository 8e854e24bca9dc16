import { css } from "../vendor/lit/index.js";

/** Styles of charts over time: an SVG plot below an invisible slider, which selects the point whose values are shown. */
export const plotStyles = css`
  .plot {
    position: relative;
    height: 200px;
    border-radius: var(--radius-small);
  }
  .plot:focus-within {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  svg,
  input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  svg {
    overflow: visible;
  }
  input {
    margin: 0;
    padding: 0;
    opacity: 0;
    cursor: crosshair;
    touch-action: pan-y;
  }
  text {
    font: 12px var(--font);
    fill: var(--ink-soft);
    font-variant-numeric: tabular-nums;
  }
  .grid {
    stroke: color-mix(in srgb, var(--ink-soft) 28%, transparent);
    stroke-dasharray: 2 4;
  }
  .line {
    fill: none;
    stroke-linejoin: round;
    stroke-linecap: round;
  }
  .cursor {
    stroke: var(--ink);
    opacity: 0.45;
  }
  figcaption {
    display: flex;
    flex-wrap: wrap;
    font-size: var(--text--1);
  }
`;
