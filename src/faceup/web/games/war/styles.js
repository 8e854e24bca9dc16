import { lowScreen } from "../../ui/styles.js";
import { css } from "../../vendor/lit/index.js";

/** Layout of War: each seat's pile and revealed cards, with the balance of cards between them. */
export const styles = css`
  :host {
    container: war / inline-size;
  }
  .felt {
    --card: min(68px, calc((100cqw - 4.5rem) / 2.2));
    transition: background var(--move);
  }
  .sudden {
    background: radial-gradient(120% 90% at 50% 0, #8c3327, #6b221a 45%, #451310);
    --on-felt-soft: #f0c9bf;
  }
  .lane {
    position: relative;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: var(--space-5);
    padding: var(--space-3);
  }
  /* In long wars, the cards overlap the name. */
  .who {
    position: absolute;
    top: var(--space-3);
    inset-inline-end: var(--space-3);
    max-width: calc(100% - 2 * var(--card) - 3.25rem);
    overflow: hidden;
  }
  .card {
    width: var(--card);
    aspect-ratio: 5 / 7;
  }
  .playing {
    display: block;
    width: 100%;
    height: 100%;
    filter: drop-shadow(0 2px 3px rgb(0 0 0 / 0.35));
  }
  .pile {
    position: relative;
    width: var(--card);
    height: calc(var(--card) * 1.4);
    border-radius: calc(var(--card) * 0.09);
    background: rgb(0 0 0 / 0.16);
    box-shadow: inset 0 2px 4px rgb(0 0 0 / 0.25);
  }
  .pile .card {
    position: absolute;
    transform: translate(calc(var(--layer) * 1.5px), calc(var(--layer) * -1.5px));
  }
  .pile b {
    position: absolute;
    right: -10px;
    bottom: -6px;
    min-width: 32px;
    padding: 2px 7px;
    border-radius: 16px;
    text-align: center;
    font: 800 var(--text-0) / 1.5 var(--figures);
    font-variant-numeric: tabular-nums;
    color: var(--ink);
    background: var(--surface);
    box-shadow: var(--high);
  }
  .pile.shuffling .card {
    animation: riffle 440ms ease-in-out 2;
  }
  .spread {
    position: relative;
    height: calc(var(--card) * 1.4);
  }
  .spread .card {
    position: absolute;
    top: 0;
    /* Next to each other if there is room, else overlapping. */
    left: calc(var(--at) * min(var(--card) * 1.1, (100% - var(--card)) / var(--gaps)));
    transition: transform var(--move) var(--ease);
  }
  .won .spread .last {
    transform: translateY(-4px) scale(1.06);
    filter: drop-shadow(0 0 9px rgb(255 217 120 / 0.75));
  }
  .lost .spread .card {
    filter: brightness(0.8) saturate(0.7);
  }
  .lost .spread .last {
    transform: rotate(5deg);
  }
  .calm .card {
    animation: none;
    transition: none;
  }
  .between {
    gap: var(--space-2);
  }
  .balance {
    height: 8px;
    border-radius: 4px;
    overflow: hidden;
    background: var(--other);
    box-shadow: inset 0 1px 2px rgb(0 0 0 / 0.4), 0 0 0 2px rgb(0 0 0 / 0.18);
  }
  .balance i {
    display: block;
    height: 100%;
    transform: scaleX(var(--part));
    transform-origin: 0 0;
    background: linear-gradient(rgb(255 255 255 / 0.3), transparent), var(--colour);
    transition: transform var(--move) var(--ease);
  }
  .calm .balance i {
    transition: none;
  }
  .caption strong {
    min-width: 0;
  }
  .caption.war strong {
    color: #ffd978;
    animation: thump 420ms var(--ease);
  }
  .auto {
    display: flex;
    border-radius: var(--radius-small);
    background: color-mix(in srgb, var(--felt-deep), black 22%);
    box-shadow: inset 0 2px 5px rgb(0 0 0 / 0.3);
  }
  .auto button {
    color: var(--on-felt);
    background: none;
    box-shadow: none;
    padding: 0;
    min-height: 3.5rem;
  }
  .auto button[aria-pressed="true"] {
    color: #3a2500;
    background: linear-gradient(#ffd978, #f0b93f);
    box-shadow: var(--low);
  }
  @container war (max-width: 30rem) {
    .felt {
      gap: var(--space-2);
      padding: var(--space-2);
    }
    .caption {
      min-height: 2.7em;
      flex-direction: column;
      flex-wrap: nowrap;
      font-size: var(--text--1);
    }
  }
  @container war (min-width: 40rem) {
    .felt {
      --card: 100px;
      padding: var(--space-4) var(--space-5);
    }
    .lane {
      padding: var(--space-4);
    }
    .caption {
      flex-wrap: nowrap;
    }
    .caption span {
      flex: none;
    }
    .caption strong {
      font-size: var(--text-1);
    }
  }
  @container war (min-width: 56rem) {
    .felt {
      --card: max(7.75rem, 13dvh);
    }
  }
  :host([television]) .felt {
    --card: min(13cqw, 13.5vh);
  }
  /* Both lanes as high as the screen, and the buttons at the side. */
  @media ${lowScreen} {
    .felt.felt {
      --card: clamp(40px, ((var(--stage, 100dvh - 110px) - 76px) / 2 - 20px) / 1.4, 140px);
      display: grid;
      grid-template: minmax(0, 1fr) auto minmax(0, 1fr) / minmax(0, 1fr) auto;
      gap: 4px 8px;
      height: var(--stage, auto);
      padding: 8px;
    }
    .lane.lane,
    .between {
      grid-column: 1;
    }
    .lane.lane {
      align-items: center;
      padding: 4px 12px 4px 10px;
    }
    .felt .who {
      top: 6px;
    }
    .between {
      gap: 4px;
    }
    .caption.caption {
      flex-flow: row nowrap;
      min-height: 1.4em;
      font-size: var(--text--1);
    }
    .caption.caption span {
      flex: 0 1 auto;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .caption.caption strong {
      flex: none;
      max-width: 80%;
      font-size: inherit;
    }
    .actions.actions {
      grid-area: 1 / 2 / 4;
      position: static;
      flex-flow: column;
      justify-content: stretch;
      width: clamp(6.25rem, 17cqw, 9.5rem);
    }
    .actions .action {
      flex: 1;
      padding-inline: var(--space-2);
    }
    .auto {
      justify-content: space-around;
    }
    .auto button {
      min-height: 44px;
      flex: 1;
      min-width: 32px;
    }
  }
  @keyframes riffle {
    50% {
      transform: translate(calc(var(--side) * 38%), calc(var(--layer) * -1.5px)) rotate(calc(var(--side) * 9deg));
    }
  }
  @keyframes thump {
    30% {
      transform: scale(1.25);
    }
  }
`;
