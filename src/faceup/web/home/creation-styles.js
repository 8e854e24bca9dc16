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
  .games {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr));
    gap: var(--space-3);
  }
  .games label {
    position: relative;
    border-radius: var(--radius);
    overflow: hidden;
    background: var(--surface);
    box-shadow: var(--low);
    cursor: pointer;
    text-align: center;
    padding-bottom: var(--space-2);
  }
  .games label > svg {
    display: block;
    width: 100%;
    aspect-ratio: 16 / 9;
    background: var(--ground);
    margin-bottom: var(--space-2);
  }
  .games input {
    position: absolute;
    inset: 0;
    opacity: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    cursor: pointer;
  }
  .games label:has(:checked) {
    box-shadow: 0 0 0 3px var(--accent), var(--high);
  }
  .games label:has(:checked)::after {
    content: "✓";
    position: absolute;
    top: 6px;
    inset-inline-end: 6px;
    width: 24px;
    height: 24px;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 800;
    line-height: 24px;
  }
  .games label:has(:focus-visible) {
    outline: 3px solid var(--focus);
    outline-offset: 3px;
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
  .steps {
    display: flex;
    gap: var(--space-2);
    align-items: center;
  }
  .steps output {
    min-width: 3rem;
    text-align: center;
    font: 800 var(--text-2) / 1 var(--figures);
  }
  .steps button {
    font-size: var(--text-2);
    padding: 0;
  }
  .check {
    display: flex;
    gap: var(--space-3);
    align-items: center;
    min-height: var(--target);
    cursor: pointer;
  }
  .two .check {
    grid-column: 1 / -1;
  }
  .check span {
    flex: 1;
  }
  .check small {
    display: block;
    font-weight: 400;
    color: var(--ink-soft);
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
