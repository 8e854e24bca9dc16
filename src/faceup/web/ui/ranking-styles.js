import { css } from "../vendor/lit/index.js";

/** Styles of tables that rank players: the place, the name, and numbers. */
export const rankingStyles = css`
  table {
    font-variant-numeric: tabular-nums;
  }
  th {
    font-size: var(--text--1);
    color: var(--ink-soft);
    font-weight: 600;
    text-align: start;
    padding: var(--space-2) var(--space-3);
  }
  td {
    padding: var(--space-2) var(--space-3);
    height: 52px;
  }
  th.number,
  td.number {
    text-align: end;
  }
  tbody tr:nth-child(odd) {
    background: var(--sunken);
  }
  tbody td:first-child {
    border-radius: var(--radius-small) 0 0 var(--radius-small);
    font: 800 var(--text-1) / 1 var(--figures);
    width: 3.5rem;
  }
  tbody td:last-child {
    border-radius: 0 var(--radius-small) var(--radius-small) 0;
  }
`;

/** Styles of tables of numbers: a name in the first column, and numbers in the others. */
export const numberTableStyles = css`
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
`;
