import { lowScreen } from "../../ui/styles.js";
import { css } from "../../vendor/lit/index.js";

/** Styles of the tray, with the card of each seat in this turn, and of the rows. */
export const boardStyles = css`
  .tray {
    display: grid;
    grid-template-columns: repeat(var(--seats), minmax(0, 7rem));
    justify-content: center;
    gap: var(--space-1);
    margin-bottom: 10px;
  }
  .seat {
    display: grid;
    justify-items: center;
    gap: 1px;
    min-width: 0;
  }
  .spot {
    position: relative;
    width: var(--spot);
    height: calc(var(--spot) / var(--tall));
    border-radius: 6px;
    background: rgb(0 0 0 / 0.14);
    box-shadow: inset 0 1px 4px rgb(0 0 0 / 0.25);
  }
  /* Its contents are laid out without the table around it. That needs a box that is no item of a grid. */
  .content {
    height: 100%;
    contain: size layout style;
  }
  .seat .name {
    max-width: 100%;
    font-size: var(--text--2);
    line-height: 1.25;
    color: var(--on-felt-soft);
  }
  .seat.me .name {
    color: var(--on-felt);
    font-weight: 700;
  }
  .play {
    place-self: stretch;
  }
  .down {
    animation: laid var(--move) var(--ease);
  }
  @keyframes laid {
    from {
      transform: translateY(14px) scale(0.8);
      opacity: 0;
    }
  }
  .was {
    font: 700 calc(var(--spot) * 0.42) / 1 var(--figures);
    color: var(--on-felt-soft);
    animation: appear var(--move) both;
  }
  @keyframes pop {
    from {
      transform: scale(0);
    }
    60% {
      transform: scale(1.3);
    }
  }
  .out .spot {
    visibility: hidden;
  }
  .out .name {
    text-decoration: line-through;
  }
  .choosing .spot,
  .takes .spot {
    box-shadow: 0 0 0 3px #ffe0a6, 0 0 18px rgb(255 224 166 / 0.5);
  }
  .choosing .name {
    color: #ffe0a6;
    font-weight: 700;
  }
  .takes .name {
    visibility: hidden;
  }
  .up.current {
    z-index: 2;
    transform: scale(1.12);
    transform-origin: 50% 100%;
  }

  /* Rows have fixed sizes, and are no items of a grid: so a row is laid out without the table around it. */
  .lane {
    --edge: 3px;
    --side-edge: 6px;
    --strip: calc((var(--w) + var(--gap)) * (var(--most) + 1) - var(--gap));
    position: relative;
    display: grid;
    grid-template-columns: 1.1em var(--strip) 2.3em;
    align-items: center;
    gap: 4px;
    width: calc(3.4em + 8px + var(--strip) + 2 * var(--side-edge));
    height: calc(var(--h) + var(--tag) + 2 * var(--edge));
    margin: 0 auto;
    padding: calc(var(--edge) + var(--tag)) var(--side-edge) var(--edge);
    contain: size layout style;
    border-radius: calc(var(--radius-small) + 2px);
    background: rgb(0 0 0 / 0.1);
  }
  .lane + .lane {
    margin-top: 6px;
  }
  .lane.full {
    background: linear-gradient(90deg, rgb(0 0 0 / 0.1) 40%, rgb(255 120 50 / 0.42));
  }
  .lane.lit {
    outline: 2px solid #f0b93f;
    outline-offset: -1px;
  }
  .lane.loses {
    box-shadow: 0 0 0 3px #ffb27d, 0 0 28px rgb(255 140 70 / 0.5);
  }
  @media (hover: hover) {
    .lane.open:hover {
      background: rgb(255 255 255 / 0.16);
    }
  }
  .number {
    color: var(--on-felt-soft);
    text-align: center;
  }
  .sum {
    font: 700 var(--text-0) / 1 var(--figures);
    text-align: center;
    white-space: nowrap;
  }
  .full .sum {
    color: #ffd2b0;
  }
  .cards {
    position: relative;
    display: flex;
    gap: var(--gap);
    height: var(--h);
  }
  .slot {
    width: var(--w);
    height: var(--h);
    flex: none;
    border-radius: calc(var(--w) * 0.11);
    background: rgb(0 0 0 / 0.12);
    box-shadow: inset 0 1px 4px rgb(0 0 0 / 0.22);
  }
  .slot.end {
    background: none;
    box-shadow: none;
    display: grid;
    place-items: center;
  }
  .end .bull {
    width: 86%;
    overflow: visible;
  }
  .asleep {
    filter: saturate(0.55) brightness(0.78);
  }
  .almost .bull {
    animation: nod 600ms var(--ease);
  }
  .full .bull {
    animation: shake 500ms var(--ease);
  }
  .steam {
    transform-origin: 50% 70%;
    animation: steam 1.6s ease-out 3;
  }
  @keyframes nod {
    40% {
      transform: translateY(-10%);
    }
  }
  @keyframes shake {
    25% {
      transform: translateX(-6%) rotate(-4deg);
    }
    75% {
      transform: translateX(6%) rotate(4deg);
    }
  }
  @keyframes steam {
    from {
      transform: scale(0.7);
      opacity: 0;
    }
    30% {
      opacity: 1;
    }
    to {
      transform: scale(1.15) translateY(4%);
      opacity: 0.85;
    }
  }
  .lying {
    position: absolute;
    left: calc(var(--at) * (var(--w) + var(--gap)));
    top: 0;
    width: var(--w);
  }
  .lying.ghost {
    opacity: 0.78;
    translate: 0 -4px;
    animation: appear 160ms both;
  }
  /* Above its card, in the upper edge of the row. */
  .owner {
    position: absolute;
    bottom: calc(100% + 1px);
    left: 50%;
    max-width: calc(100% + var(--gap) - 2px);
    translate: -50%;
    padding: 0 0.4em 0 0.6em;
    border-radius: 99px;
    background: var(--surface);
    color: var(--ink);
    box-shadow: inset 0.32em 0 0 var(--owner);
    font-size: calc(var(--tag) * 0.75);
    line-height: var(--tag);
  }
  /* No room for names: the tray shows who played what. */
  .terse .owner {
    bottom: auto;
    top: calc(100% + 1px);
    width: calc(100% - 8px);
    max-width: none;
    height: 3px;
    padding: 0;
    background: var(--owner);
    box-shadow: none;
    text-indent: -99em;
  }
  /* In the colour of the player who pinned it. */
  .pin {
    position: absolute;
    z-index: 2;
    top: -9px;
    right: calc(-8px + 0.6em * var(--nth));
    width: clamp(18px, 38%, 40px);
    aspect-ratio: 1;
    border-radius: 50%;
    box-shadow: 0 0 0 2px var(--owner), var(--low);
    animation: pop 360ms var(--ease);
  }
  .pin svg {
    display: block;
  }
  /* Who took the row, in place of the bull: the places of the cards stay visible. */
  .taking {
    position: absolute;
    left: calc(var(--at) * (var(--w) + var(--gap)));
    bottom: 0;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: center;
    width: var(--w);
    max-height: 100%;
    padding: 0.15em 0 0.2em;
    border-radius: var(--radius-small);
    background: #7d1f16;
    color: #fff;
    box-shadow: var(--low), inset 0 0.25em 0 var(--owner);
    font-size: clamp(10px, calc(var(--w) * 0.17), 1rem);
    line-height: 1.25;
    animation: appear var(--move) both;
  }
  .taking bdi {
    max-width: 100%;
    padding-top: 0.1em;
  }
  .taking b {
    font: 800 1.3em / 1.1 var(--figures);
    white-space: nowrap;
  }
  .pick {
    position: absolute;
    inset: 0;
    background: none;
    border-radius: inherit;
    z-index: 5;
  }
  /* Also under the mouse, where buttons have another shadow. */
  button.pick:not(:disabled) {
    box-shadow: 0 0 0 2px rgb(255 255 255 / 0.6), 0 0 18px rgb(255 255 255 / 0.25);
  }
  button.pick[aria-pressed="true"]:not(:disabled) {
    box-shadow: 0 0 0 4px #ffb27d, 0 0 28px rgb(255 140 70 / 0.6);
  }

  @container (max-width: 37.49rem) {
    .tray {
      gap: 3px;
      margin-bottom: 4px;
    }
    /* No room for names: the colours are those of the seats. */
    .many .tray .name {
      display: none;
    }
    .many .spot {
      margin-bottom: 5px;
      box-shadow: 0 5px 0 -1px var(--owner);
    }
    .lane {
      --edge: 2px;
      --side-edge: 4px;
    }
    .lane + .lane {
      margin-top: 4px;
    }
  }

  @container (min-width: 37.5rem) {
    .tray {
      --tall: 1.0227;
      grid-template: repeat(var(--seats), auto) / auto;
      margin: 0;
    }
    .seat {
      grid-template-columns: auto minmax(0, 4.5rem);
      align-items: center;
      justify-items: start;
      gap: max(6px, calc(var(--spot) * 0.07)); /* the card of a seat that chooses a row grows */
    }
    .seat .name {
      font-size: var(--text--1);
    }
    :host([television]) .seat {
      grid-template-columns: auto minmax(0, 7.5rem);
    }
    :host([television]) .lane {
      font-size: max(1em, 2.8dvh);
    }
    :host([television]) .seat .name {
      font-size: max(var(--text--1), 3dvh);
    }
  }

  @media ${lowScreen} {
    .tray {
      --tall: 1.0227;
      grid-template: repeat(var(--seats), minmax(0, 1fr)) / auto;
      height: 100%;
      gap: 0;
      margin: 0;
    }
    .seat {
      grid-template-columns: auto auto;
      align-content: center;
      align-items: center;
      justify-items: start;
      gap: 6px;
    }
    .terse .tray .seat .name {
      display: var(--tray-names, block);
      max-width: 5em;
    }
    .lane + .lane {
      margin-top: 4px;
    }
  }
`;
