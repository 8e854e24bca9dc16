import { css } from "../vendor/lit/index.js";

export const partyStatisticsStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-5);
  }
  .panel {
    gap: var(--space-4);
  }
  .head {
    gap: var(--space-2) var(--space-4);
  }
  .scroll {
    overflow-x: auto;
  }
  thead th {
    white-space: nowrap;
  }
  .who {
    min-width: 6.5rem;
  }
  .who b {
    max-width: 11rem;
  }
  .who .face {
    width: 2rem;
  }
  .wins {
    display: inline-flex;
    align-items: center;
    gap: var(--space-2);
  }
  .wins i {
    height: 0.75rem;
    border-radius: 99px;
    background: linear-gradient(180deg, #ffdd7d, #f0b429);
  }
  .wins b {
    font: 800 var(--text-1) / 1 var(--figures);
  }
  .places {
    white-space: nowrap;
  }
  .places span {
    display: inline-grid;
    place-items: center;
    min-width: 1.7rem;
    height: 1.7rem;
    margin-inline-start: 2px;
    padding: 0 4px;
    border-radius: 99px;
    font-weight: 700;
    font-size: var(--text--1);
    background: var(--sunken);
  }
  .places span:nth-child(1) {
    background: #f3c65a;
    color: #3a2a00;
  }
  .places span:nth-child(2) {
    background: #cfd5da;
    color: #272c30;
  }
  .places span:nth-child(3) {
    background: #d9a27a;
    color: #33190a;
  }
  .record {
    gap: 2px;
    padding: var(--space-3);
    border-radius: var(--radius);
  }
  .record b {
    font: 800 var(--text-4) / 1.1 var(--figures);
  }
  .record span {
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }
  summary {
    display: flex;
    align-items: center;
    font-weight: 600;
    color: var(--accent);
  }
  .duels li {
    display: grid;
    grid-template-columns: 1fr auto minmax(3rem, 8rem) auto 1fr;
    align-items: center;
    gap: var(--space-2);
  }
  .duels span:first-child {
    text-align: end;
  }
  .duels i {
    display: block;
    height: 0.625rem;
    border-radius: 99px;
    overflow: hidden;
    background: #7c2f49;
  }
  .duels u {
    display: block;
    height: 100%;
    background: #3a927c;
  }
  .games {
    margin-top: var(--space-3);
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr));
  }
  .games a {
    gap: var(--space-3);
    height: 100%;
    padding: var(--space-3) var(--space-4);
  }
  .games a > span {
    overflow-wrap: anywhere;
    unicode-bidi: isolate;
  }
  .games b svg {
    margin-inline-end: 3px;
    vertical-align: -2px;
    color: #d99a12;
  }
  .games .when {
    text-align: end;
    white-space: nowrap;
  }
`;
