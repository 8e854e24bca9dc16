import { css, html } from "../vendor/lit/index.js";

/** The table of the games of chance: felt lit from above, who sits there, what is going on, and the one thing to do. */
export const felt = css`
  .felt {
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
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--space-4);
    min-height: 1.5em;
    padding: 0 var(--space-1);
    line-height: 1.3;
    color: var(--on-felt-soft);
    font-variant-numeric: tabular-nums;
  }
  .says strong {
    color: var(--on-felt);
    animation: rise var(--move) var(--ease);
  }
  .lane {
    border-radius: var(--radius);
    background: rgb(0 0 0 / 0.17);
    box-shadow: inset 0 2px 6px rgb(0 0 0 / 0.22), inset 0 -1px 0 rgb(255 255 255 / 0.07);
    transition: background var(--move) var(--ease), box-shadow var(--move) var(--ease);
    min-width: 0;
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
  .crown {
    width: 22px;
    fill: #f0c75e;
    filter: drop-shadow(0 1px 1px rgb(0 0 0 / 0.4));
  }
  .does {
    position: sticky;
    bottom: calc(var(--space-2) + var(--foot, 0px));
    z-index: 1;
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: var(--space-2);
  }
  .does .do {
    flex: 1 1 8rem;
    max-width: 26rem;
    min-height: 56px;
    font-size: var(--text-1);
    color: #3a2500;
    background: linear-gradient(#ffd978, #f0b93f);
    box-shadow: inset 0 1px 0 rgb(255 255 255 / 0.6), 0 6px 16px rgb(0 0 0 / 0.35);
  }
  .does .do:disabled {
    opacity: 1;
    color: var(--on-felt-soft);
    background: color-mix(in srgb, var(--felt-deep), black 22%);
    box-shadow: none;
  }
  /* Where little fits on the screen, nothing lies over what does. */
  @media (max-height: 28rem) {
    .does {
      position: static;
    }
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
`;

/** Who sits there. @param {string} name */
export function who(name) {
  return html`<span class="who"><span class="chip" aria-hidden="true">${[...name.replace(/^\u2068/, "")][0]?.toUpperCase()}</span><bdi>${name}</bdi></span>`;
}
