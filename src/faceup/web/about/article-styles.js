import { css } from "../vendor/lit/index.js";

/** Styles of a page of text. */
export const articleStyles = css`
  article {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4);
    width: min(46rem, 100%);
    margin: 0 auto;
    padding: var(--space-4);
    overflow-wrap: anywhere;
  }
  article h2 {
    margin-top: var(--space-3);
  }
  article p,
  article li {
    line-height: 1.6;
  }
  article ul {
    list-style: revert;
    padding-inline-start: 1.4em;
  }
  .wide {
    overflow-x: auto;
    border-radius: var(--radius-small);
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: var(--space-2) var(--space-3);
    text-align: start;
    vertical-align: top;
    min-width: 8rem;
  }
  @media (max-width: 40rem) {
    table,
    tbody,
    tr,
    td {
      display: block;
    }
    thead {
      display: none;
    }
    tr {
      padding: var(--space-2) 0;
    }
    td {
      padding: 0 var(--space-3);
    }
    td:first-child {
      font-weight: 600;
    }
  }
  pre {
    overflow-x: auto;
    white-space: pre-wrap;
    font-size: var(--text--1);
  }
  summary {
    min-height: var(--target);
    cursor: pointer;
  }
`;
