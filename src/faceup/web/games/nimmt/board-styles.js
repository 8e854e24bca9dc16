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
    display: grid;
    place-items: center;
  }
  .seat .name {
    max-width: 100%;
    font-size: var(--text--2);
    line-height: 1.25;
    color: var(--on-felt-soft);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .seat.me .name {
    color: var(--on-felt);
    font-weight: 700;
  }
  .play,
  .took {
    position: absolute;
    inset: 0;
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
    animation: fade var(--move) both;
  }
  @keyframes fade {
    from {
      opacity: 0;
    }
  }
  .took {
    translate: calc(var(--at) * 3px);
  }
  .gain {
    position: absolute;
    z-index: 10;
    bottom: -4px;
    left: 50%;
    translate: -50%;
    padding: 0 8px;
    border-radius: 99px;
    background: #7d1f16;
    color: #fff;
    font: 800 var(--text-0) / 1.5 var(--figures);
    white-space: nowrap;
    box-shadow: var(--high);
    animation: pop var(--move) var(--ease) both;
    animation-delay: calc(var(--move) * 0.8);
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
  .choosing .name,
  .takes .name {
    color: #ffe0a6;
    font-weight: 700;
  }
  .up.current {
    z-index: 2;
    transform: scale(1.12);
  }

  .board {
    display: grid;
    gap: 6px;
    justify-content: center;
  }
  .lane {
    position: relative;
    display: grid;
    grid-template-columns: 1.1em auto minmax(1.7em, auto);
    align-items: center;
    gap: 4px;
    padding: 3px 6px;
    border-radius: calc(var(--radius-small) + 2px);
    background: rgb(0 0 0 / 0.1);
    transition: background var(--quick) var(--ease), box-shadow var(--quick) var(--ease);
  }
  .lane.full {
    background: linear-gradient(90deg, rgb(0 0 0 / 0.1) 40%, rgb(255 120 50 / 0.42));
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
    font-size: var(--text--1);
    color: var(--on-felt-soft);
    text-align: center;
  }
  .sum {
    font: 700 var(--text-0) / 1 var(--figures);
    text-align: center;
  }
  .full .sum {
    color: #ffd2b0;
  }
  .cards {
    position: relative;
    display: flex;
    gap: var(--gap);
    width: calc((var(--w) + var(--gap)) * (var(--most) + 1) - var(--gap));
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
    width: min(92%, 84px);
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
  .sixth .bull {
    animation: shake 250ms linear infinite;
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
    animation: fade 160ms both;
  }
  .owner {
    position: absolute;
    z-index: 1;
    top: -0.6em;
    left: 50%;
    max-width: 112%;
    translate: -50%;
    padding: 0 0.4em 0 0.6em;
    border-radius: 99px;
    background: var(--surface);
    color: var(--ink);
    box-shadow: var(--low), inset 0.32em 0 0 var(--owner);
    font-size: clamp(10px, calc(var(--w) * 0.17), 14px);
    line-height: 1.35;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .size-squat .owner {
    /* No room for names: the tray shows who played what. */
    top: -2px;
    left: 4px;
    right: 4px;
    max-width: none;
    height: 5px;
    translate: none;
    padding: 0;
    background: var(--owner);
    box-shadow: none;
    text-indent: -99em;
  }
  .taking {
    position: absolute;
    right: 2.4em;
    bottom: 3px;
    max-width: calc(100% - var(--w) - 3.2em);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    padding: 0.15em 0.7em;
    border-radius: 99px;
    background: #7d1f16;
    color: #fff;
    font-size: var(--text--1);
    font-weight: 600;
    line-height: 1.35;
    box-shadow: var(--low);
    animation: fade var(--move) both;
  }
  .pick {
    position: absolute;
    inset: 0;
    background: none;
    box-shadow: 0 0 0 2px rgb(255 255 255 / 0.6), 0 0 18px rgb(255 255 255 / 0.25);
    border-radius: inherit;
    z-index: 5;
  }
  .pick[aria-pressed="true"] {
    box-shadow: 0 0 0 4px #ffb27d, 0 0 28px rgb(255 140 70 / 0.6);
  }

  @container (max-width: 559px) {
    .tray {
      gap: 3px;
      margin-bottom: 4px;
    }
    .many .tray .name {
      font-size: 10px;
    }
    .board {
      gap: 4px;
    }
    .lane {
      padding: 2px 4px;
    }
    .taking {
      right: 1.6em;
      font-size: var(--text--2);
    }
  }
`;
