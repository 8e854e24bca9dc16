import { css } from "../../vendor/lit/index.js";

/* Cards in the rows are as wide as five of them and a bull fit beside each other, and no higher than leaves room for the
   hand. */
export const styles = css`
  :host {
    container-type: inline-size;
    /* As high as its contents: if a frame's flexible boxes decided it, they would lay us out again and again (20 ms a step). */
    flex: none !important;
    --widest: 104px;
  }
  :host([television]) {
    --widest: 200px;
  }
  .table {
    --gap: clamp(3px, 0.8cqw, 10px);
    --tall: 0.75;
    /* My hand: so many cards in a line, as wide as fits, and no higher than leaves room for the rows. */
    --line: var(--held);
    --lines: 1;
    --hh: clamp(64px, 14dvh, 139px);
    --hw: min((100cqw - 4px) / var(--line) - 6px, var(--hh) * 0.75);
    --hands: calc((var(--hw) / 0.75 + 6px) * var(--lines) + 4px);
    --around: 150px; /* what a frame needs of the screen's height, and --under what a page has beside it */
    --bar: 62px;
    --lanes: calc(100dvh - var(--around) - var(--under, 0px) - var(--bar) - var(--hands) - var(--spot) / var(--tall) - 50px);
    --w: max(
      19px,
      min(
        var(--widest),
        (100cqw - 34px - 3.2em) / (var(--most) + 1) - var(--gap),
        max(var(--least, 26px), (var(--lanes) / var(--rows) - 12px) * var(--tall))
      )
    );
    --h: calc(var(--w) / var(--tall));
    --spot: clamp(26px, min(5cqw, (100cqw - 20px) / var(--seats) - 6px), 60px);
    display: grid;
    gap: var(--space-2);
    color: var(--ink);
  }
  .handless {
    --hands: 0px;
  }
  .size-squat {
    --tall: 1.0227;
  }
  .art,
  .bull,
  .pip {
    display: block;
  }
  .art {
    width: 100%;
    height: auto;
    border-radius: 9px;
    border-radius: 11% / calc(11% * var(--tall));
    box-shadow: var(--low);
    overflow: hidden;
  }
  .pip {
    display: inline-block;
    height: 0.9em;
    width: 0.9em;
    vertical-align: -0.06em;
    margin-left: 0.15em;
  }
  ol {
    list-style: none;
    margin: 0;
    padding: 0;
  }

  /* Everybody's card, at the edge of the board. */
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

  /* The felt, with its rows. */
  .felt {
    position: relative;
    padding: var(--space-2);
    border-radius: var(--radius);
    background: radial-gradient(120% 100% at 50% 0%, var(--felt), var(--felt-deep));
    color: var(--on-felt);
    box-shadow: var(--high), inset 0 2px 0 rgb(255 255 255 / 0.12), inset 0 -20px 40px rgb(0 0 0 / 0.12);
  }
  .shuffling {
    min-height: calc(var(--h) * 3);
    display: grid;
    place-items: center;
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
  .whose {
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
    box-shadow: var(--low), inset 0.32em 0 0 var(--whose);
    font-size: clamp(10px, calc(var(--w) * 0.17), 14px);
    line-height: 1.35;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .size-squat .whose {
    /* No room for a name: who played what stands at the edge. */
    top: -2px;
    left: 4px;
    right: 4px;
    max-width: none;
    height: 5px;
    translate: none;
    padding: 0;
    background: var(--whose);
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

  /* My cards, and what to do with them. */
  .bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-3);
    min-height: var(--target);
    padding: 0 var(--space-1);
  }
  .prompt {
    line-height: 1.3;
  }
  .bar button {
    flex: none;
  }
  .hand {
    --tall: 0.75;
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    justify-content: center;
    align-content: flex-start;
    width: calc((var(--hw) + 6px) * var(--line) - 5px); /* a pixel more, since browsers round widths */
    margin: 0 auto;
    min-height: var(--hands);
  }
  .held {
    display: block;
    flex: none;
    width: var(--hw);
    padding: 0;
    min-width: 0;
    min-height: 0;
    background: none;
    box-shadow: none;
    border-radius: 11% / 8.25%;
  }
  .held:hover:not(:disabled),
  .held:active:not(:disabled) {
    box-shadow: none;
    transform: none;
  }
  .face {
    display: block;
    position: relative;
    border-radius: inherit;
    transition: transform var(--quick) var(--ease), box-shadow var(--quick) var(--ease);
  }
  .held .art {
    box-shadow: var(--low);
  }
  /* A finger leaves nothing raised where it was. */
  @media (hover: hover) {
    .held[aria-disabled="false"]:hover .face {
      transform: translateY(-4px);
    }
  }
  .held.marked .face,
  .held.marked:hover .face {
    transform: translateY(-7px);
    box-shadow: 0 0 0 3px var(--accent), var(--highest);
  }
  .held.chosen .face,
  .held.chosen:hover .face {
    transform: translateY(-7px);
    box-shadow: 0 0 0 3px var(--good), var(--high);
  }
  .held.chosen .art {
    opacity: 0.6;
  }
  .held.sending .tick {
    opacity: 0.4;
  }
  .tick {
    position: absolute;
    inset: 0;
    margin: auto;
    width: 56%;
    aspect-ratio: 1;
    max-width: 44px;
    padding: 12%;
    border-radius: 50%;
    background: var(--good);
    color: var(--surface);
    box-shadow: var(--low);
    animation: pop var(--quick) var(--ease);
  }
  .tap {
    display: none;
    position: absolute;
    left: 0;
    right: 0;
    bottom: -3px;
    padding: 3px 0;
    border-radius: 0 0 7px 7px;
    background: var(--accent);
    color: var(--on-accent);
    font-size: var(--text--1);
    font-weight: 700;
    line-height: 1.3;
    text-align: center;
    animation: fade var(--quick) both;
  }
  .chosen .tap {
    background: var(--good);
    color: var(--surface);
  }
  .pick .tap {
    left: auto;
    right: 6px;
    bottom: 6px;
    padding: 4px 12px;
    border-radius: 99px;
    background: #ffd9b8;
    color: #4a1d05;
  }
  .tick svg {
    display: block;
  }
  .held[aria-disabled="true"] {
    cursor: default;
  }

  .over {
    position: absolute;
    z-index: 8;
    inset: 0;
    display: grid;
    align-content: center;
    justify-items: center;
    gap: var(--space-3);
    border-radius: inherit;
    background: rgb(6 30 24 / 0.86);
    animation: fade var(--move) both;
  }
  .over ol {
    display: grid;
    gap: 2px;
    min-width: min(18em, 90%);
  }
  .over li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto 3.2em;
    gap: var(--space-3);
    padding: 2px var(--space-3);
    border-radius: var(--radius-small);
    line-height: 1.35;
  }
  .over .name {
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .over .leads {
    background: rgb(255 255 255 / 0.14);
  }
  .over .leads .heads {
    color: inherit;
  }
  .over .heads {
    text-align: right;
  }
  .over .plus {
    color: var(--on-felt-soft);
  }

  @media (max-width: 999px) {
    .table {
      --around: 212px;
    }
    .crowd {
      --around: 272px;
    }
    @media (min-height: 740px) {
      .table {
        --around: 284px;
      }
      .crowd {
        --around: 344px;
      }
    }
  }
  :host([television]) .table {
    --around: 110px;
  }

  @container (max-width: 559px) {
    .table {
      --bar: 0px;
      --least: 34px;
    }
    .long {
      --line: 5;
      --lines: 2;
      --hh: clamp(64px, 10.4dvh, 110px);
    }
    .bar {
      order: 1;
      min-height: 0;
      justify-content: center;
      text-align: center;
    }
    .bar button {
      display: none;
    }
    .tap {
      display: block;
    }
    .table {
      gap: var(--space-1);
    }
    .felt {
      padding: 4px;
    }
    .board {
      gap: 4px;
    }
    .lane {
      padding: 2px 4px;
    }
    .tray {
      gap: 3px;
      margin-bottom: 4px;
    }
    .many .tray .name {
      font-size: 10px;
    }
    .taking {
      right: 1.6em;
      font-size: var(--text--2);
    }
    .prompt {
      font-size: var(--text--1);
    }
    @media (max-height: 660px) {
      .prompt {
        font-size: var(--text--2);
        line-height: 1.2;
      }
    }
    .many .over ol {
      grid-template-columns: 1fr 1fr;
      min-width: 100%;
      font-size: var(--text--1);
    }
    .many .over li {
      grid-template-columns: minmax(0, 1fr) auto auto;
      gap: var(--space-2);
      padding: 2px var(--space-2);
    }
  }
`;
