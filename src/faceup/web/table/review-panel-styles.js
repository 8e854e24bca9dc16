import { css } from "../vendor/lit/index.js";

/** Layout of the review. */
export const panelStyles = css`
  :host {
    container-type: inline-size;
  }
  section {
    padding: var(--space-4);
  }
  header {
    padding: 0;
  }
  h3 {
    font-size: var(--text-2);
  }
  h4 {
    margin: 0;
    font-size: var(--text-1);
    line-height: 1.3;
  }
  h3 svg {
    color: var(--accent);
  }
  select {
    max-width: 12rem;
  }
  .ask {
    gap: var(--space-2) var(--space-3);
  }
  .progress {
    display: grid;
    gap: var(--space-1);
  }
  progress {
    appearance: none;
    width: 100%;
    height: 8px;
    border: 0;
    border-radius: 4px;
    overflow: hidden;
    background: var(--sunken);
  }
  progress::-webkit-progress-bar {
    background: var(--sunken);
  }
  progress::-webkit-progress-value {
    background: var(--accent);
  }
  progress::-moz-progress-bar {
    background: var(--accent);
  }
  a.step {
    display: inline-flex;
    align-items: center;
    min-height: 32px;
    font-weight: 600;
  }
  .decided {
    font-size: var(--text-1);
    font-weight: 700;
    line-height: 1.35;
    text-wrap: pretty;
  }
  .decided a {
    font-size: var(--text--1);
  }
  .highlight {
    padding: var(--space-3) var(--space-4);
    border-radius: var(--radius-small);
    background: color-mix(in srgb, var(--good) 9%, var(--raised));
  }
  .highlight.costliest {
    background: color-mix(in srgb, var(--warn) 9%, var(--raised));
  }
  .highlight h4 {
    font-size: var(--text--1);
    font-weight: 650;
    color: var(--ink-soft);
  }
  .highlight p {
    line-height: 1.5;
  }
  h5 {
    margin: var(--space-3) 0 var(--space-1);
    font-size: var(--text-0);
  }
  .fold {
    border-radius: var(--radius-small);
    background: color-mix(in srgb, var(--sunken) 45%, var(--surface));
    padding: 0 var(--space-3);
  }
  .fold[open] {
    padding-bottom: var(--space-3);
  }
  .fold > summary {
    padding: var(--space-2) 0;
    font-weight: 650;
  }
  .fold .fold {
    margin-top: var(--space-1);
    background: none;
  }
  .counts {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 2px var(--space-2);
    margin-inline-start: var(--space-3);
    font-weight: 400;
  }
  .moments,
  .help {
    display: grid;
    gap: var(--space-3);
  }
  .up {
    color: var(--good);
    font-weight: 700;
  }
  .down {
    color: var(--danger);
    font-weight: 700;
  }
  .lucks {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr));
    gap: var(--space-4);
  }
  .fold > .small {
    margin-top: var(--space-2);
  }
  @container (min-width: 35rem) {
    .highlights {
      grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr));
    }
  }
`;
