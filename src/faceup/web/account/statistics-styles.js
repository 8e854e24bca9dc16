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
  dt {
    font-size: var(--text--1);
    color: var(--ink-soft);
  }
  dd b {
    display: block;
    font: 800 var(--text-3) / 1.15 var(--figures);
    font-variant-numeric: tabular-nums;
  }
  .panel dd b {
    font-size: var(--text-1);
  }
  dd small {
    color: var(--ink-soft);
    font-size: var(--text--1);
  }
  .sides {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr));
    gap: var(--space-4);
    align-items: start;
  }
  .head {
    gap: var(--space-2) var(--space-3);
  }
  th,
  td {
    padding: var(--space-1) var(--space-2);
    text-align: end;
    font-weight: 400;
  }
  thead th {
    font-size: var(--text--1);
    font-weight: 600;
    color: var(--ink-soft);
  }
  th:first-child {
    text-align: start;
    padding-inline-start: 0;
  }
  tbody button {
    width: 100%;
    display: block;
    text-align: start;
    background: none;
    box-shadow: none;
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
  }
  tbody small {
    display: block;
    font-weight: 400;
    font-size: var(--text--1);
    color: var(--ink-soft);
  }
  .coach {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
    gap: var(--space-3) var(--space-6);
    align-items: start;
  }
  .measures {
    display: flex;
    gap: 2px;
    padding: 3px;
  }
  .measures button {
    display: inline-block;
    min-height: calc(var(--target) - 8px);
    padding: 0 var(--space-3);
    background: none;
    box-shadow: none;
    font-size: var(--text--1);
  }
  .measures button::first-letter {
    text-transform: uppercase;
  }
  .measures button[aria-pressed="true"] {
    background: var(--raised);
    box-shadow: var(--low);
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
  @media (max-width: 26rem) {
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
  @media (max-width: 22.4rem) {
    .wide {
      display: none;
    }
  }
  @media (max-width: 319px) {
    .tiles,
    .panel .tiles,
    li {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
