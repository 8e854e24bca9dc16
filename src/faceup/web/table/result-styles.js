import { css } from "../vendor/lit/index.js";

/** Layout of the result: the stage above the ranking, and next to it if there is space. */
export const resultStyles = css`
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4);
  }
  .stage {
    --middle: 35%;
    align-content: center;
    justify-items: center;
    padding: var(--space-3) var(--space-4) var(--space-4);
    animation: appear calc(var(--move) * 1.5) var(--ease);
  }
  .light {
    top: 42%;
    animation: turn 20s ease-out;
  }
  .winners {
    display: flex;
    justify-content: center;
    max-width: 100%;
    padding-inline: 6px;
  }
  .winner {
    position: relative;
    width: 7.25rem;
    height: 7.25rem;
    animation: pop calc(var(--move) * 2) cubic-bezier(0.2, 1.6, 0.4, 1) backwards;
  }
  .several .winner {
    --size: 5.75rem;
    flex: 0 1 var(--size);
    height: auto;
    min-width: 0;
    aspect-ratio: 1;
    margin: 0 -6px;
  }
  .winner > * {
    grid-area: 1 / 1;
  }
  .winner .laurel {
    width: 100%;
    height: 100%;
    filter: drop-shadow(0 2px 3px rgb(0 0 0 / 0.35));
  }
  .winner .face {
    width: 62%;
    height: 62%;
    border-radius: 50%;
    background: #fff;
    box-shadow: 0 0 0 3px #f6cf62, 0 4px 14px rgb(0 0 0 / 0.4);
  }
  .stage h2 {
    max-width: 100%;
    font-size: var(--text-3);
    line-height: 1.15;
    text-wrap: balance;
    text-shadow: 0 2px 8px rgb(0 0 0 / 0.45);
  }
  .stage p {
    font-weight: 600;
    color: #e6f1ec;
    text-shadow: 0 1px 4px rgb(0 0 0 / 0.5);
  }
  .ranking {
    display: grid;
    align-content: start;
    gap: var(--space-3);
    min-width: 0;
  }
  .fact {
    flex: 1 1 8rem;
    gap: var(--space-2) var(--space-3);
    padding: var(--space-2) var(--space-4);
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: var(--low);
  }
  .fact.wide {
    flex-basis: 100%;
  }
  .fact b,
  .fact p > span {
    display: block;
  }
  .fact strong {
    font: 800 var(--text-1) / 1.3 var(--figures);
  }
  .dice {
    display: flex;
    gap: 4px;
  }
  .die {
    width: 34px;
    height: 34px;
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  nav > * {
    flex: 1 1 auto;
    padding-inline: var(--space-3);
  }
  nav .main {
    flex: 2 1 9rem;
  }
  /* On phones the first two buttons are in sight without scrolling. */
  @container (max-width: 39.99rem) {
    nav {
      display: contents;
    }
    .summary {
      grid-template-columns: 1fr 1fr;
      gap: var(--space-2);
    }
    .stage,
    .ranking {
      grid-column: 1 / -1;
    }
    .stage {
      order: -2;
    }
    nav > :not(.other) {
      order: -1;
    }
    nav .other {
      padding-inline: var(--space-2);
      font-size: var(--text--1);
    }
    nav > :nth-child(odd of .other):last-child,
    nav > :nth-child(1 of :not(.other)):nth-last-child(1 of :not(.other)) {
      grid-column: 1 / -1;
    }
  }
  @container (min-width: 40rem) {
    .summary {
      grid-template-columns: minmax(15rem, 5fr) minmax(0, 7fr);
    }
    .ranking {
      align-content: center;
    }
    nav {
      grid-column: 1 / -1;
    }
    .many {
      grid-template-rows: 1fr auto;
    }
    .many .ranking {
      grid-area: 1 / 2 / 3;
    }
    .many nav {
      grid-column: 1;
    }
    .stage h2 {
      font-size: var(--text-4);
    }
    .winner {
      width: 9.375rem;
      height: 9.375rem;
    }
    .several .winner {
      --size: 7rem;
    }
  }
  @container (min-width: 56.25rem) {
    .winner {
      width: 13.125rem;
      height: 13.125rem;
    }
    .several .winner {
      --size: 9.375rem;
    }
    .stage h2 {
      font-size: var(--text-5);
    }
    .several ~ h2 {
      font-size: var(--text-4);
    }
    .stage p {
      font-size: var(--text-1);
    }
  }
  @media (max-height: 30em) {
    @container (min-width: 40rem) {
      .summary {
        grid-template-rows: auto 1fr;
      }
      .summary .ranking {
        grid-area: 1 / 2 / 3;
      }
      .summary nav {
        grid-column: 1;
        align-content: start;
      }
      nav .other {
        flex-basis: 40%;
        gap: var(--space-1);
        padding-inline: var(--space-1);
        font-size: var(--text--1);
      }
      .winner {
        width: 5.75rem;
        height: 5.75rem;
      }
      .several .winner {
        --size: 5.75rem;
        height: auto;
      }
      .stage {
        padding: var(--space-2);
      }
      .stage h2 {
        font-size: var(--text-3);
      }
    }
  }
  @keyframes appear {
    from {
      transform: scale(0.96);
      opacity: 0;
    }
  }
  @keyframes turn {
    from {
      transform: rotate(-60deg);
    }
  }
  @keyframes pop {
    from {
      transform: scale(0.3);
      opacity: 0;
    }
  }
  :host([television]) .summary {
    zoom: 1.5;
  }
  :host([television]) .many {
    zoom: 1.34;
    --least-place: 2.75rem;
    --piles: none;
  }
`;
