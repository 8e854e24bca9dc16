import { css } from "../vendor/lit/index.js";

/** Styles of the page of the daily deal. */
export const dailyStyles = css`
  :host {
    container-type: inline-size;
  }
  .all {
    max-width: 64rem;
    margin: 0 auto;
    padding: var(--space-2) var(--space-4) var(--space-7);
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4);
  }
  .hero {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    gap: var(--space-4) var(--space-5);
    align-items: center;
    padding: clamp(1rem, 3vw, 2.25rem);
    border-radius: 24px;
    color: var(--on-felt);
    background: radial-gradient(90% 120% at 20% -10%, #3a927c, var(--felt) 45%, var(--felt-deep));
    box-shadow: var(--high);
  }
  .ghost {
    min-height: 20rem;
    opacity: 0.5;
  }
  .leaf {
    width: clamp(4.25rem, 12vw, 7rem);
    border-radius: 14px;
    box-shadow: var(--high);
  }
  .leaf small {
    padding: 6px 2px;
    font-size: clamp(0.6875rem, 1.4vw, 0.875rem);
  }
  .leaf b {
    padding: 10px 0 14px;
    font: 800 clamp(2rem, 5vw, 3.4rem) / 1 var(--figures);
  }
  .kicker {
    font-weight: 700;
    color: var(--on-felt-soft);
  }
  .what h1 {
    font-size: clamp(1.44rem, 1rem + 2.2vw, 2.5rem);
    text-wrap: balance;
  }
  .what p + h1 + p {
    margin-top: var(--space-2);
    max-width: 34rem;
  }
  .bots {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
  }
  .bots li {
    display: grid;
    justify-items: center;
    gap: var(--space-1);
    font-size: var(--text--1);
    font-weight: 600;
  }
  .bots svg {
    width: clamp(44px, 7vw, 68px);
    filter: drop-shadow(0 3px 6px rgb(0 0 0 / 0.3));
  }
  .start,
  .result {
    grid-column: 1 / -1;
  }
  div.start {
    gap: var(--space-3) var(--space-5);
  }
  .hero .main {
    background: var(--card);
    color: var(--card-ink);
    font-weight: 700;
  }
  .start .main {
    min-height: 60px;
    padding-inline: var(--space-6);
    font-size: var(--text-2);
    border-radius: 16px;
    box-shadow: var(--highest);
  }
  .start p,
  p.start {
    color: var(--on-felt-soft);
  }
  .result {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: var(--space-4) clamp(1rem, 4vw, 3rem);
    align-items: center;
  }
  .heads {
    display: grid;
    grid-template-columns: auto auto;
    align-items: center;
    justify-content: start;
    column-gap: var(--space-3);
  }
  .heads .bull {
    width: clamp(48px, 9vw, 88px);
    color: var(--on-felt-soft);
  }
  .heads b {
    font: 800 clamp(3.4rem, 11vw, 6.5rem) / 0.9 var(--figures);
  }
  .heads span {
    grid-column: 1 / -1;
    font-weight: 600;
    color: var(--on-felt-soft);
  }
  .facts {
    color: var(--on-felt-soft);
  }
  .facts b {
    display: block;
    font-size: var(--text-2);
    font-weight: 800;
    line-height: 1.25;
    color: var(--on-felt);
  }
  .facts .first {
    font-size: var(--text-3);
  }
  .facts .under {
    color: #9be8b8;
  }
  .facts .over {
    color: #ffc9a3;
  }
  .turns {
    grid-column: 1 / -1;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: center;
    gap: var(--space-2) var(--space-4);
    color: var(--on-felt-soft);
  }
  .result nav {
    grid-column: 1 / -1;
  }
  .result nav > * {
    flex: 0 1 auto;
  }
  .note,
  .result textarea {
    grid-column: 1 / -1;
  }
  .columns {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--space-4);
    align-items: start;
  }
  .columns section {
    display: grid;
    gap: var(--space-3);
  }
  .column {
    display: grid;
    gap: var(--space-4);
    min-width: 0;
  }
  .yesterday {
    gap: var(--space-3);
  }
  .yesterday > span {
    flex: 1;
    display: grid;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .ranking {
    margin: 0;
    padding: 2px;
    gap: 2px;
    max-height: 32rem;
    overflow: auto;
  }
  .ranking li {
    gap: var(--space-3);
    min-height: 52px;
    padding: var(--space-1) var(--space-3) var(--space-1) var(--space-2);
    border-radius: var(--radius-small);
  }
  .ranking li:nth-child(odd) {
    background: var(--sunken);
  }
  .ranking li.me {
    box-shadow: inset 0 0 0 2px var(--accent);
  }
  .rank {
    min-width: 2ch;
    text-align: end;
    font: 800 var(--text-1) / 1 var(--figures);
  }
  .ranking .face {
    width: 38px;
  }
  .who {
    white-space: nowrap;
  }
  .who > :first-child {
    line-height: 2.25rem;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .who small {
    flex: none;
    color: var(--ink-soft);
  }
  .ranking b {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    font: 800 var(--text-1) / 1 var(--figures);
  }
  .ranking .bull {
    width: 18px;
    color: var(--ink-soft);
  }
  .watch {
    width: var(--target);
    height: var(--target);
    margin: -4px -8px -4px 0;
  }
  .streak {
    flex-wrap: wrap;
    gap: var(--space-3);
  }
  .streak p:first-of-type {
    flex: 1;
  }
  .flame {
    width: 40px;
    display: block;
  }
  .out {
    filter: grayscale(1);
    opacity: 0.45;
  }
  .next {
    text-align: end;
    line-height: 1.3;
  }
  .next daily-countdown {
    font: 800 var(--text-2) / 1.2 var(--figures);
    font-variant-numeric: tabular-nums;
  }
  .fair summary {
    font-weight: 700;
  }
  .fair {
    padding-block: var(--space-1);
  }
  .fair[open] {
    padding-bottom: var(--space-4);
  }
  .fair dl {
    margin: var(--space-2) 0;
  }
  .fair dd {
    margin: 0 0 var(--space-2);
  }
  .fair dt {
    font-size: var(--text--1);
    color: var(--ink-soft);
  }
  code {
    overflow-wrap: anywhere;
    font-size: var(--text--1);
  }
  .valid {
    color: var(--good);
    font-weight: 700;
  }
  @media (max-width: 47.9rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  @media (max-width: 40rem) {
    .hero {
      grid-template-columns: auto minmax(0, 1fr);
      gap: var(--space-3) var(--space-4);
    }
    .bots {
      grid-column: 1 / -1;
      justify-content: space-around;
    }
    .start .main {
      width: 100%;
    }
    .result {
      grid-template-columns: minmax(0, 1fr);
    }
    .heads {
      grid-template-columns: auto auto 1fr;
      align-items: center;
    }
    .heads span {
      grid-column: auto;
      font-size: var(--text-1);
    }
    .turns {
      grid-template-columns: minmax(0, 1fr);
      gap: var(--space-1);
    }
    .result nav > * {
      flex: 1 1 auto;
    }
  }
  @container (max-width: 15rem) { /* large text on a phone */
    .hero {
      grid-template-columns: minmax(0, 1fr);
    }
    .heads {
      grid-template-columns: auto auto;
    }
    .heads span {
      grid-column: 1 / -1;
    }
  }
`;
