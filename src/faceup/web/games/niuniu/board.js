import { css } from "../../vendor/lit/index.js";

/** How a table of Niu Niu looks: felt lit from above, a tray for each seat, one's own the largest and nearest. */
export const board = css`
  :host {
    container: niuniu / inline-size;
  }
  .felt {
    --die: 42px;
    display: flex;
    flex-direction: column;
    gap: var(--space-3);
    padding: var(--space-3);
    border-radius: calc(var(--radius) + 6px);
    color: var(--on-felt);
    background: radial-gradient(120% 90% at 50% 0, color-mix(in srgb, var(--felt), white 9%), var(--felt) 45%, var(--felt-deep));
    box-shadow: inset 0 2px 10px rgb(0 0 0 / 0.25), inset 0 -1px 0 rgb(255 255 255 / 0.08), var(--low);
  }
  .says {
    min-height: 1.5em;
    padding: 0 var(--space-1);
    line-height: 1.3;
    color: var(--on-felt-soft);
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--space-4);
  }
  .says strong {
    color: var(--on-felt);
    animation: rise var(--move) var(--ease);
  }
  .lanes {
    list-style: none;
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 18.5rem), 1fr));
    gap: var(--space-3);
  }
  .lane {
    --gap: calc(var(--die) * 0.15);
    position: relative;
    display: grid;
    grid-template: "who worth" auto "dice dice" auto "sums score" auto / minmax(0, 1fr) auto;
    gap: var(--space-1) var(--space-2);
    align-items: center;
    padding: var(--space-2) var(--space-3);
    border-radius: var(--radius);
    background: rgb(0 0 0 / 0.17);
    box-shadow: inset 0 2px 6px rgb(0 0 0 / 0.22), inset 0 -1px 0 rgb(255 255 255 / 0.07);
    transition: background var(--move) var(--ease), box-shadow var(--move) var(--ease), opacity var(--move) var(--ease);
    min-width: 0;
  }
  .mine {
    --die: 46px;
    grid-column: 1 / -1;
  }
  .lane.won,
  .lane.shared {
    background: rgb(255 246 214 / 0.17);
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.25), 0 0 0 2px #f0c75e, 0 8px 26px rgb(0 0 0 / 0.3);
  }
  .lane.shared {
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.25), 0 0 0 2px rgb(255 255 255 / 0.5);
  }
  .who {
    grid-area: who;
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-width: 0;
    font-weight: 600;
  }
  .who bdi {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .chip {
    flex: none;
    width: 24px;
    height: 24px;
    display: grid;
    place-items: center;
    border-radius: 50%;
    font-size: 13px;
    font-weight: 800;
    color: var(--colour);
    background: var(--surface);
    box-shadow: var(--low);
  }
  .worth {
    grid-area: worth;
    justify-self: end;
    display: flex;
    align-items: center;
    gap: 6px;
    min-height: 1.5em;
    font: 800 var(--text-1) / 1.25 var(--figures);
    white-space: nowrap;
  }
  .worth > *,
  .sums > * {
    animation: rise var(--move) var(--ease);
  }
  .lost .worth {
    color: var(--on-felt-soft);
  }
  .crown {
    width: 22px;
    fill: #f0c75e;
    filter: drop-shadow(0 1px 1px rgb(0 0 0 / 0.4));
  }
  .dice {
    grid-area: dice;
    position: relative;
    height: calc(var(--die) * 1.22);
    width: calc(5 * var(--die) + 4 * var(--gap) + 0.5 * var(--die));
    margin: 0 auto;
  }
  .place {
    position: absolute;
    left: 0;
    top: calc(var(--die) * 0.11);
    width: var(--die);
    height: var(--die);
    /* Until they move apart they lie in the middle. */
    transform: translateX(calc(var(--at) * (var(--die) + var(--gap)) + (0.25 + var(--apart) * 0.25) * var(--die))) rotate(var(--lie));
    transition: transform calc(var(--move) * 1.5) var(--ease), opacity var(--move) var(--ease);
  }
  .sorted.niu .place {
    transform: translateX(calc(var(--at) * (var(--die) + var(--gap)) + var(--apart) * 0.5 * var(--die)));
  }
  .place .die {
    transition: filter var(--move) var(--ease);
    filter: drop-shadow(0 3px 3px rgb(0 0 0 / 0.32));
  }
  .cube .die {
    filter: none;
  }
  .sorted.no .die {
    filter: brightness(0.78) saturate(0.5) drop-shadow(0 2px 2px rgb(0 0 0 / 0.25));
  }
  .plate {
    position: absolute;
    top: 0;
    left: calc(var(--die) * -0.11);
    width: calc(3 * var(--die) + 2 * var(--gap) + 0.22 * var(--die));
    height: 100%;
    border-radius: calc(var(--die) * 0.32);
    background: rgb(255 255 255 / 0.2);
    opacity: 0;
    transform: scale(0.92);
    transition: opacity var(--move) var(--ease), transform var(--move) var(--ease);
  }
  .plate.two {
    left: calc(3 * (var(--die) + var(--gap)) + 0.39 * var(--die));
    width: calc(2 * var(--die) + var(--gap) + 0.22 * var(--die));
    background: rgb(240 199 94 / 0.4);
  }
  .sorted.niu .plate {
    opacity: 1;
    transform: none;
  }
  .empty .place {
    border-radius: 24%;
    background: rgb(0 0 0 / 0.16);
    box-shadow: inset 0 2px 4px rgb(0 0 0 / 0.25), inset 0 -1px 0 rgb(255 255 255 / 0.08);
  }
  .air .die {
    animation: shake 320ms var(--wait) ease-in-out infinite alternate;
  }
  .sums {
    grid-area: sums;
    display: flex;
    gap: var(--space-3);
    min-height: 1.35em;
    font-size: var(--text--1);
    line-height: 1.35;
    color: var(--on-felt-soft);
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  .sums b {
    color: var(--on-felt);
  }
  .score {
    grid-area: score;
    font-size: var(--text--2);
    color: var(--on-felt-soft);
    text-align: end;
    white-space: nowrap;
  }
  .throw {
    position: sticky;
    bottom: var(--space-2);
    z-index: 1;
    display: flex;
    justify-content: center;
  }
  .throw button {
    width: 100%;
    max-width: 26rem;
    min-height: 56px;
    font-size: var(--text-1);
    color: #3a2500;
    background: linear-gradient(#ffd978, #f0b93f);
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.6), 0 6px 16px rgb(0 0 0 / 0.35);
  }
  .throw button:disabled {
    opacity: 1;
    color: var(--on-felt-soft);
    background: rgb(0 0 0 / 0.35);
    box-shadow: none;
  }
  .many {
    --die: 32px;
  }
  .many .lanes {
    gap: var(--space-2);
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
  }
  .crowd {
    --die: 30px;
  }
  .crowd .sums,
  .crowd .score {
    font-size: 0.6875rem;
  }
  @container niuniu (max-width: 30rem) {
    .felt {
      padding: var(--space-2);
      gap: var(--space-2);
    }
    .lanes {
      gap: var(--space-2);
    }
    .says {
      min-height: 2.7em;
      flex-direction: column;
      font-size: var(--text--1);
    }
    .crowd {
      --die: 23px;
    }
    .crowd .lanes {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .crowd .mine {
      order: -1;
    }
    .crowd .lane:not(.mine) {
      padding: 6px var(--space-2);
      gap: 2px;
    }
    .crowd .lane:not(.mine) :is(.sums, .score) {
      display: none;
    }
    .crowd .lane:not(.mine) .chip {
      width: 18px;
      height: 18px;
      font-size: 11px;
    }
    .crowd .lane:not(.mine) :is(.who, .worth) {
      font-size: var(--text--2);
    }
  }
  @container niuniu (min-width: 44rem) {
    .felt {
      --die: 54px;
      padding: var(--space-5);
    }
    .mine {
      --die: 64px;
    }
    .many .lane:not(.mine) {
      --die: 38px;
    }
    .mine {
      grid-template: "who dice worth" auto "score dice sums" auto / minmax(0, 1fr) auto minmax(0, 1fr);
      column-gap: var(--space-5);
    }
    .mine .worth {
      font-size: var(--text-3);
    }
    .mine .sums {
      align-self: start;
    }
    .mine .score {
      text-align: start;
      align-self: start;
      font-size: var(--text--1);
    }
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
  @keyframes shake {
    from {
      transform: translateY(-8%) rotate(-9deg);
    }
    to {
      transform: translateY(8%) rotate(9deg);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .air .die {
      animation: none;
    }
  }
`;
