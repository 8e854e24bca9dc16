import { css } from "../vendor/lit/index.js";

/** Styles of the statistics of a player. */
export const statisticsStyles = css`
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4);
  }
  .panel {
    align-content: start;
  }
  .tiles {
    grid-template-columns: repeat(3, minmax(0, 1fr));
    margin: 0;
  }
  .tiles > div {
    display: flex;
    flex-direction: column;
    gap: 2px;
    padding: var(--space-3);
    background: var(--surface);
    border-radius: var(--radius);
    box-shadow: var(--low);
  }
  .panel .tiles {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
  .panel .tiles > div {
    background: var(--sunken);
    box-shadow: none;
  }
  dd b {
    display: block;
    font: 800 var(--text-3) / 1.15 var(--figures);
    font-variant-numeric: tabular-nums;
  }
  .panel dd b {
    font-size: var(--text-1);
  }
  .head {
    gap: var(--space-2) var(--space-3);
  }
  tbody button {
    width: 100%;
    text-align: start;
    padding: var(--space-2) var(--space-3);
  }
  tbody tr {
    border-radius: var(--radius-small);
  }
  tbody tr.chosen {
    background: color-mix(in srgb, var(--accent) 12%, transparent);
  }
  tbody tr.chosen button {
    color: var(--accent);
  }
  tbody td:last-child {
    border-radius: 0 var(--radius-small) var(--radius-small) 0;
  }
  tbody th {
    border-radius: var(--radius-small) 0 0 var(--radius-small);
    width: 60%;
  }
  tbody small {
    font-weight: 400;
  }
  .coach {
    gap: var(--space-3) var(--space-6);
  }
  .segments button {
    display: block;
  }
  .segments button::first-letter {
    text-transform: uppercase;
  }
  .fault {
    margin-bottom: var(--space-2);
    font: 800 var(--text-2) / 1.25 var(--figures);
    text-wrap: balance;
  }
  li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 2px var(--space-3);
    align-items: center;
  }
  li i {
    grid-column: 1 / -1;
    height: 6px;
    border-radius: 3px;
    background: var(--warn);
    opacity: 0.75;
  }
  li:first-child i {
    background: var(--danger);
    opacity: 1;
  }
  li span:nth-child(2) {
    font-variant-numeric: tabular-nums;
    color: var(--ink-soft);
  }
  a {
    display: inline-flex;
    align-items: center;
    min-height: 28px;
  }
  .variants {
    container-type: inline-size;
  }
  @container (max-width: 24rem) {
    th,
    td {
      padding-inline: var(--space-1);
    }
    tbody button {
      padding-inline: var(--space-1);
      font-size: var(--text--1);
      overflow-wrap: anywhere;
      hyphens: auto;
    }
  }
  @container (max-width: 20.4rem) {
    .wide {
      display: none;
    }
  }
  @media (max-width: 19.99em) {
    .tiles,
    .panel .tiles,
    li {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
