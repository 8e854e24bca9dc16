import { css } from "../vendor/lit/index.js";

/** Styles of the pages that create tables and tournaments, and of `form-fields.js`. */
export const creationStyles = css`
  form {
    grid-template-columns: minmax(0, 1fr);
    max-width: 46rem;
    gap: var(--space-4);
  }
  legend {
    font-weight: 600;
    padding: 0;
    margin-bottom: var(--space-1);
  }
  .panel {
    gap: var(--space-4);
    padding: var(--space-5);
  }
  .two {
    --column: 15rem;
  }
  .field {
    grid-template-columns: minmax(0, 1fr);
  }
  .field small {
    color: var(--ink-soft);
    font-size: var(--text--1);
  }
  .named {
    gap: var(--space-3);
  }
  .named input {
    flex: 1;
  }
  .steps output {
    min-width: min(3rem, 11vw);
    text-align: center;
    font: 800 var(--text-2) / 1 var(--figures);
  }
  .steps button {
    font-size: var(--text-2);
    padding: 0;
  }
  .two .switch {
    grid-column: 1 / -1;
  }
  summary::before {
    content: "▸";
    margin-inline-end: var(--space-2);
    transition: transform var(--quick) var(--ease);
  }
  details[open] summary::before {
    transform: rotate(90deg);
  }
  .more {
    display: grid;
    gap: var(--space-4);
    padding-top: var(--space-3);
  }
  .send {
    position: sticky;
    bottom: 0;
    padding: var(--space-3) 0;
    background: linear-gradient(transparent, var(--paper) 30%);
  }
  .send .error { /* it may lie over the form */
    padding: var(--space-2) var(--space-3);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--low);
  }
  .send button {
    min-height: 56px;
    font-size: var(--text-1);
  }
`;
