import { css } from "../vendor/lit/index.js";

/** Styles of the page of a tournament. */
export const tournamentStyles = css`
  .all {
    max-width: 68rem;
    gap: var(--space-4);
  }
  .head {
    justify-content: space-between;
    align-items: end;
    gap: var(--space-3) var(--space-5);
    padding: var(--space-5);
    border-radius: var(--radius);
    background: radial-gradient(120% 140% at 20% 0%, var(--felt), var(--felt-deep));
    color: var(--on-felt);
    box-shadow: var(--high);
  }
  .head > div {
    min-width: 0;
  }
  .head h1 {
    hyphens: auto;
  }
  .kicker {
    font-weight: 600;
    color: var(--on-felt-soft);
  }
  .now {
    font-weight: 600;
    margin-top: var(--space-1);
  }
  .facts {
    gap: var(--space-1) var(--space-2);
    margin-top: var(--space-3);
  }
  .facts .chip {
    background: rgb(0 0 0 / 0.24);
  }
  .clock {
    display: grid;
    text-align: end;
    color: var(--on-felt-soft);
  }
  .clock b {
    font: 800 var(--text-4) / 1.1 var(--figures);
    font-variant-numeric: tabular-nums;
    color: var(--on-felt);
  }
  .bar {
    height: 6px;
    margin-top: var(--space-2);
    border-radius: 3px;
    overflow: hidden;
    background: rgb(0 0 0 / 0.28);
  }
  .bar i {
    display: block;
    height: 100%;
    border-radius: inherit;
    background: var(--on-felt);
    transition: width var(--move) var(--ease);
  }
  .columns {
    grid-template-columns: minmax(0, 1fr); /* the standings need the whole width of a tablet */
    gap: var(--space-4);
    align-items: start;
  }
  @media (min-width: 60rem) {
    .columns {
      grid-template-columns: minmax(0, 1.35fr) minmax(0, 1fr);
    }
  }
  .column {
    gap: var(--space-4);
  }
  .me label {
    width: 100%;
  }
  .me input {
    flex: 1 1 9rem;
  }
  .me .main {
    flex: 1 1 9rem;
  }
  .buttons .main {
    flex: 1 1 14rem;
    min-height: 3.25rem;
  }
  .sure {
    background: var(--danger);
    color: var(--surface);
  }
  .ranking {
    padding: var(--space-3) var(--space-2);
  }
  .ranking h2,
  .ranking > p {
    padding: var(--space-1) var(--space-2) 0;
  }
  th,
  td {
    padding: var(--space-1) var(--space-2);
  }
  td {
    height: 3rem;
  }
  th.number,
  td.number {
    white-space: nowrap;
  }
  tbody td:first-child {
    width: 2.75rem;
  }
  .who {
    width: 100%;
    max-width: 0;
  }
  .who div {
    min-width: 0;
  }
  .who span {
    display: grid;
    min-width: 0;
  }
  .who b,
  .who a {
    font-weight: 600;
    color: inherit;
    text-decoration: none;
  }
  .who a:hover {
    text-decoration: underline;
  }
  .who small {
    line-height: 1.1;
  }
  .people {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr));
    padding-inline: var(--space-2);
  }
  .people li {
    min-height: 3rem;
    padding: var(--space-1) var(--space-2);
  }
  .people .who {
    flex: 1;
    max-width: none;
    min-width: 0;
    width: auto;
  }
  .people .who a {
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .people .mine {
    box-shadow: inset 0 0 0 2px var(--accent);
  }
  .people .gone {
    color: var(--ink-soft);
  }
  .people button {
    flex: none;
    min-height: 2.5rem;
    padding: 0 var(--space-2);
    font-size: var(--text--1);
  }
  .face {
    width: 1.875rem;
  }
  .points {
    font-weight: 700;
  }
  tr.mine td {
    box-shadow: inset 0 0 0 99px rgb(var(--shade) / 0.1);
  }
  tr.mine .who b,
  tr.mine .who a {
    font-weight: 800;
  }
  tr.gone {
    color: var(--ink-soft);
  }
  td.tool {
    width: 1%;
    padding-inline: 0;
  }
  td.tool button {
    min-height: 2.5rem;
    padding: 0 var(--space-2);
    font-size: var(--text--1);
  }
  @media (max-width: 34rem) {
    .wide {
      display: none;
    }
    .head {
      padding: var(--space-4);
    }
    .clock {
      text-align: start;
    }
  }
  @media (max-width: 19.99em) {
    .who {
      max-width: none;
    }
  }
  .rounds {
    gap: var(--space-1);
  }
  .rounds button {
    min-width: var(--target);
    padding: 0 var(--space-2);
    font-family: var(--figures);
  }
  .rounds [aria-pressed="true"] {
    background: var(--accent);
    color: var(--on-accent);
  }
  .tables > li {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3);
    border-radius: var(--radius-small);
    background: var(--sunken);
  }
  .tables .own {
    box-shadow: inset 0 0 0 2px var(--accent);
  }
  .tables header {
    min-height: 1.75rem;
  }
  .tables header a {
    display: inline-flex;
    align-items: center;
    min-height: 2.25rem;
    margin-block: -0.25rem;
    padding-inline: var(--space-2);
    font-size: var(--text--1);
    font-weight: 600;
  }
  .seats {
    gap: var(--space-1) var(--space-2);
  }
  .seats li {
    display: inline-flex;
    align-items: center;
    gap: var(--space-1);
    max-width: 100%;
    padding: 2px 10px 2px 3px;
    border-radius: 99px;
    background: var(--surface);
    font-size: var(--text--1);
  }
  .seats .bot {
    padding-inline-start: 10px;
    color: var(--ink-soft);
  }
  .seats .face {
    width: 1.5rem;
  }
  .seats span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    unicode-bidi: isolate;
  }
  .seats em {
    font: 800 var(--text--1) / 1 var(--figures);
    font-style: normal;
  }
  .seats .first em {
    color: var(--good);
  }
  details.panel {
    display: block;
  }
  summary {
    min-height: 1.75rem;
    font-weight: 600;
    color: var(--accent);
  }
  details ul {
    list-style: disc;
    margin-top: var(--space-2);
    display: grid;
    gap: var(--space-2);
    padding-inline-start: 1.1rem;
  }
  .ghost {
    min-height: 60vh;
  }
`;
