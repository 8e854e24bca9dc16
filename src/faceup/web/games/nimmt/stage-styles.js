import { css } from "../../vendor/lit/index.js";

/**
 * Styles of the stage above the board, on which cards are revealed at full size. Everything lies at the top left corner
 * of the felt and is put in its place by transforms.
 */
export const stageStyles = css`
  /* Rows that feel a card are not painted again. */
  .cards {
    will-change: transform;
  }
  .was {
    animation: none;
  }
  .above {
    position: absolute;
    inset: 0;
    z-index: 7;
    border-radius: inherit;
    pointer-events: none;
  }
  .stage {
    display: grid;
    grid-template: 100% / 100%;
    height: 100%;
    overflow: clip;
    overflow-clip-margin: 10px;
    border-radius: inherit;
  }
  .stage > * {
    grid-area: 1 / 1;
    place-self: start;
    transform-origin: 0 0;
    contain: layout style;
  }
  .stage,
  .stage > :not(.counter) {
    contain: size layout style;
  }
  .stage > .scrim {
    place-self: stretch;
    border-radius: inherit;
    background: radial-gradient(120% 90% at 50% 45%, rgb(4 26 21 / 0.6), rgb(4 26 21 / 0.86));
  }
  .flyer {
    width: var(--width);
    height: calc(var(--width) / 0.75);
  }
  .body {
    position: relative;
    width: 100%;
    height: 100%;
    transform-origin: 50% 85%;
  }
  .side {
    position: absolute;
    inset: 0;
  }
  .side .art {
    box-shadow: 0 2px 3px rgb(0 0 0 / 0.3), 0 8px 16px rgb(0 0 0 / 0.35);
  }
  .tag {
    position: absolute;
    bottom: -0.75em;
    left: 50%;
    max-width: 108%;
    translate: -50%;
    padding: 0 0.5em 0 0.75em;
    border-radius: 99px;
    background: var(--surface);
    color: var(--ink);
    box-shadow: var(--low), inset 0.38em 0 0 var(--owner);
    font-size: clamp(11px, calc(var(--width) * 0.115), 17px);
    font-weight: 600;
    line-height: 1.5;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .mine .side:nth-child(2) .art {
    box-shadow: 0 0 0 max(2px, calc(var(--width) * 0.03)) #ffd978, 0 8px 18px rgb(0 0 0 / 0.4);
  }
  .mine .tag {
    background: #ffd978;
    color: #3a2500;
  }
  /* Without this, the browser would animate elements that start transparent on the main thread. */
  .dust,
  .runner,
  .counter,
  .counter > span {
    will-change: transform, opacity;
  }
  .dust {
    transform-origin: 50% 50%;
    border-radius: 50%;
    opacity: 0;
    background: radial-gradient(closest-side, rgb(255 244 214 / 0.2) 40%, rgb(255 244 214 / 0.8) 68%, transparent);
  }
  .runner {
    z-index: 98;
    transform-origin: 50% 90%;
    opacity: 0;
  }
  .runner .bull {
    width: 100%;
    height: 100%;
    overflow: visible;
    filter: drop-shadow(0 5px 5px rgb(0 0 0 / 0.4));
  }
  .runner .body {
    transform-origin: 50% 90%;
  }
  /* A transform inside of a drawing would lay it out in every frame. */
  .steam {
    animation-name: puff;
  }
  @keyframes puff {
    from {
      opacity: 0;
    }
    30% {
      opacity: 1;
    }
  }
  .counter {
    display: grid;
    z-index: 99;
    transform-origin: 50% 50%;
    opacity: 0;
    padding: 0 10px;
    border-radius: 99px;
    background: #7d1f16;
    color: #fff;
    font: 800 var(--text-1) / 1.55 var(--figures);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
    box-shadow: 0 0 0 2px #ffe0a6, var(--high);
  }
  .counter > span {
    grid-area: 1 / 1;
    justify-self: center;
  }
  .counter > :not(:last-child) {
    opacity: 0;
  }
  /* On a television, the stage fills the window: the shadow of the scrim is its part beyond the felt. */
  :host([television]) .stage {
    overflow: visible;
  }
  :host([television]) .stage > .scrim {
    box-shadow: 0 0 0 100vmax rgb(4 26 21 / 0.86);
  }
  :host([television]) .tag {
    font-size: calc(var(--width) * 0.17);
  }
  :host([television]) .counter {
    font-size: var(--text-3);
  }
`;
