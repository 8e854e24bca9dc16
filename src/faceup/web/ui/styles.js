import { css, unsafeCSS } from "../vendor/lit/index.js";

/**
 * Media query of screens on which a table is laid out from left to right, because they are too low for a column: phones
 * in landscape, and desktop browsers at 200 % zoom or with text of twice the size.
 */
export const lowScreen = unsafeCSS("(max-height: 40em) and (min-width: 480px) and (min-aspect-ratio: 5/4)");

/**
 * Shared styles of elements: text, buttons, fields, panels, coloured tiles (`tile`, `wine`), and layouts: what wraps (`cluster`), a line (`aligned`) and its
 * two ends (`apart`), content from top to bottom (`stack`) and lists (`tight`). Design tokens are in style.css.
 */
export const baseStyles = css`
  :host {
    display: block;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dd,
  figure {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h1 {
    font-size: var(--text-4);
    line-height: 1.15;
    letter-spacing: calc(-0.02em * var(--tight));
  }
  h2 {
    font-size: var(--text-2);
    line-height: 1.25;
    letter-spacing: calc(-0.01em * var(--tight));
  }
  h3 {
    font-size: var(--text-1);
    line-height: 1.3;
  }
  h1,
  h2,
  h3 {
    overflow-wrap: anywhere;
  }
  a {
    color: var(--accent);
  }
  svg {
    flex: none;
  }
  .face {
    display: block;
    width: 100%;
  }
  table {
    width: 100%;
    border-collapse: collapse;
  }
  summary {
    min-height: var(--target);
    cursor: pointer;
  }
  .player {
    color: inherit;
    font-weight: 700;
    text-decoration: none;
  }
  .player:hover {
    text-decoration: underline;
  }
  .soft {
    color: var(--ink-soft);
  }
  .small {
    font-size: var(--text--1);
  }
  .error {
    color: var(--danger);
    font-weight: 600;
  }
  .chip {
    background: var(--sunken);
    border-radius: 99px;
    padding: 2px 12px;
    font-size: var(--text--1);
    white-space: nowrap;
  }
  .panel {
    background: var(--surface);
    border-radius: var(--radius);
    box-shadow: var(--low);
    padding: var(--space-4);
  }
  button,
  .button {
    font: inherit;
    font-weight: 600;
    color: var(--ink);
    background: var(--raised);
    border: 0;
    border-radius: var(--radius-small);
    box-shadow: var(--low);
    min-height: var(--target);
    min-width: var(--target);
    padding: var(--space-2) var(--space-4);
    cursor: pointer;
    text-decoration: none;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-2);
    transition: transform var(--quick) var(--ease), box-shadow var(--quick) var(--ease);
    touch-action: manipulation;
  }
  button:hover:not(:disabled, [aria-pressed="true"]),
  .button:hover {
    box-shadow: var(--high);
  }
  button:active:not(:disabled, [aria-pressed="true"]),
  .button:active {
    transform: translateY(1px);
    box-shadow: var(--low);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  .main {
    color: var(--on-accent);
    background: var(--accent);
    text-wrap: balance;
  }
  .large {
    min-height: 3.25rem;
    font-size: var(--text-1);
  }
  .gold {
    color: #3a2a00;
    background: linear-gradient(180deg, #ffdd7d, #ffc940);
  }
  .flat,
  .quiet {
    background: none;
    box-shadow: none;
  }
  .quiet {
    color: var(--accent);
  }
  .danger {
    color: var(--danger);
  }
  input,
  select,
  textarea {
    font: inherit;
    color: var(--ink);
    background: var(--sunken);
    border: 0;
    border-radius: var(--radius-small);
    min-height: var(--target);
    padding: var(--space-2) var(--space-3);
    max-width: 100%;
  }
  input {
    min-width: 0;
  }
  /* Native arrows differ between browsers. */
  select {
    appearance: none;
    padding-inline-end: 2.25rem;
    background: var(--sunken) no-repeat;
    background-image: linear-gradient(45deg, transparent 50%, var(--ink-soft) 50%), linear-gradient(-45deg, transparent 50%, var(--ink-soft) 50%);
    background-size: 0.375rem 0.375rem;
    background-position: right 1.125rem top 55%, right 0.75rem top 55%;
    text-overflow: ellipsis;
  }
  ::placeholder {
    color: var(--ink-soft);
    opacity: 1;
  }
  label {
    font-weight: 600;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  dialog {
    border: 0;
    padding: var(--space-5);
    color: var(--ink);
    background: var(--surface);
    border-radius: var(--radius);
    box-shadow: var(--highest);
    max-height: calc(100dvh - 1.5rem);
    overflow: auto;
  }
  /* A dialog takes the focus itself when it opens, so that no button looks selected. */
  dialog:focus-visible {
    outline: none;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.45);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  /* Layouts. An element's own styles come later, and can replace the gap. */
  .cluster {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .aligned {
    display: flex;
    align-items: center;
    gap: var(--space-2);
  }
  .apart {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-2);
  }
  .stack {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-3);
  }
  .tight {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-2);
  }
  .cut {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  .surface {
    background: var(--surface);
    border-radius: var(--radius);
    box-shadow: var(--low);
  }
  a:is(.panel, .surface, .sunken) {
    color: var(--ink);
    text-decoration: none;
    transition: box-shadow var(--quick) var(--ease);
  }
  a:is(.panel, .surface):hover {
    box-shadow: var(--high);
  }
  .sunken {
    background: var(--sunken);
    border-radius: var(--radius-small);
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, var(--column, 20rem)), 1fr));
    gap: var(--space-4);
    align-items: start;
  }
  .notice {
    display: grid;
    gap: var(--space-4);
    justify-items: center;
    max-width: 34rem;
    margin: auto;
    text-align: center;
  }
  .tile {
    border-radius: 20px;
    color: var(--on-felt);
    background: var(--tile, radial-gradient(90% 160% at 12% -20%, #3a927c, var(--felt) 45%, var(--felt-deep)));
    box-shadow: var(--high);
  }
  .wine {
    --tile: radial-gradient(90% 160% at 12% -20%, #a04a63, #7c2f49 45%, #531c31);
  }
  .block {
    display: block;
  }
  .page-body {
    margin: 0 auto;
    padding: var(--space-3) var(--space-4) var(--space-7);
  }
  .covering {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
  }
  .centred {
    display: grid;
    place-items: center;
  }
  .grow {
    flex: 1;
    min-width: 0;
  }
  @media (max-width: 19.99em) {
    :is(.aligned, .apart) {
      flex-wrap: wrap;
    }
    .grow {
      flex-basis: 7rem;
    }
    .chip {
      white-space: normal;
    }
  }
  .rigid {
    flex: none;
  }
  .figures {
    font-variant-numeric: tabular-nums;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @keyframes enter {
    from {
      opacity: 0;
      transform: translateY(var(--from)); /* from below, if positive */
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation-duration: 0.01ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 0.01ms !important;
    }
  }
  /* On paper, no controls: a button that is a card or a line of a list stays. */
  @media print {
    :is(nav, select, [type="range"], .segments),
    :is(button, .button):not(.felt *, .hand *, ol *, th *) {
      display: none !important;
    }
    .tile {
      background: none;
    }
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    :is(li, tr, figure, svg) {
      break-inside: avoid;
    }
    :is(h1, h2, h3) {
      break-after: avoid;
    }
  }
  /* Lines show what fills and shadows show otherwise. */
  @media (forced-colors: active), (prefers-contrast: more), print {
    :is(button, .button, input:not([type="checkbox"], [type="range"]), select, textarea, dialog, .panel, .tile, .surface, .sunken, .chip, .segments):not(:focus-visible) {
      outline: 1px solid;
      outline-offset: -1px;
    }
  }
  @media (forced-colors: active) {
    :is(.me, .mine, .own, .today):not(:focus-visible, svg *, nav *),
    label:has(> [type="radio"]:checked):not(:focus-within) {
      outline: 3px solid Highlight;
      outline-offset: -3px;
    }
    :is([aria-pressed="true"], [aria-current]:not([aria-current="false"])):not(.felt *, .held) {
      color: HighlightText;
      background: Highlight;
    }
    :is([aria-pressed="true"], [aria-current]:not([aria-current="false"])):not(.felt *, .held) * {
      color: inherit;
    }
    /* Boards, cards, faces and the marks of charts keep their colours, which are legible on their grounds. */
    :is(.felt, .held, .face, i, .main, [aria-pressed="true"], [aria-current]:not([aria-current="false"])) {
      forced-color-adjust: none;
    }
  }
`;

/** Styles of pages with forms: fields below their labels, rows of buttons, sections to open, and codes. */
export const formStyles = css`
  form,
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-3);
  }
  .field {
    gap: var(--space-1);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  summary {
    display: flex;
    align-items: center;
    font-weight: 600;
    color: var(--accent);
  }
  code {
    font-family: ui-monospace, Menlo, Consolas, monospace;
    overflow-wrap: anywhere;
  }
`;

/** Styles for forms and text on phones at 200 % zoom, which make everything wrap, so that nothing overflows. */
export const narrowStyles = css`
  @media (max-width: 19.99em) {
    * {
      min-width: 0;
      max-width: 100%;
      overflow-wrap: anywhere;
      hyphens: auto;
    }
    nav,
    header,
    form,
    li,
    li a,
    div:not(.all) {
      flex-wrap: wrap;
    }
    table,
    tbody,
    tr,
    th,
    td {
      display: block;
    }
    ul,
    ol,
    form,
    section,
    fieldset,
    div,
    label {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;

/** Styles of full-screen pages: a header line with a back button and a title above the content. */
export const screenStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100vh;
    min-height: 100dvh;
  }
  header {
    display: flex;
    flex-wrap: wrap; /* only of large text */
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-1) var(--space-2);
  }
  header h1 {
    flex: 1;
    min-width: min-content;
    font-size: var(--text-0);
    font-weight: 650;
    line-height: 1.2;
    letter-spacing: 0;
  }
  @media (max-width: 24em) {
    header {
      gap: 0;
      padding-inline: 0;
    }
    header .chip {
      padding: 2px 8px;
    }
  }
  @media (max-height: 43.75em) {
    header {
      padding-block: 0;
    }
  }
`;

/** Styles of full-screen pages with a live table: a toast at the bottom, and a message if there is no table to show. */
export const tableScreenStyles = css`
  header .quiet {
    padding: 0;
    color: var(--ink-soft);
  }
  faceup-table {
    flex: 1;
  }
  faceup-table.toasted {
    margin-bottom: 6rem; /* so that the toast covers nothing at the end of the page */
  }
  .closed {
    padding: var(--space-6) min(var(--space-5), 5vw);
    gap: var(--space-5);
  }
`;
