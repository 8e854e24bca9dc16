import { css } from "../vendor/lit/index.js";

/** Styles of a tile that floats at the bottom of the screen. */
export const floatingStyles = css`
  :host {
    position: fixed;
    inset-inline: var(--space-3);
    bottom: calc(var(--space-3) + env(safe-area-inset-bottom));
    z-index: 20;
    pointer-events: none;
  }
  .tile {
    pointer-events: auto;
    max-width: 32rem;
    margin: 0 auto;
    box-shadow: var(--highest);
    --from: 120%;
    animation: enter calc(var(--move) * 1.2) var(--ease);
  }
`;

/** Styles of a message in such a tile, with buttons. */
export const toastStyles = css`
  .tile {
    gap: var(--space-2) var(--space-3);
    padding: var(--space-3) var(--space-3) var(--space-3) var(--space-4);
    border-radius: var(--radius);
    background: radial-gradient(120% 160% at 20% 0%, var(--felt), var(--felt-deep));
  }
  p {
    flex: 1 1 11rem;
    font-weight: 650;
  }
  p small {
    font-weight: 400;
    color: var(--on-felt-soft);
  }
  div {
    display: flex;
    gap: var(--space-2);
    margin-inline-start: auto;
  }
  .quiet {
    color: var(--on-felt);
    padding: 0;
  }
  .words.quiet {
    padding: 0 var(--space-2);
  }
`;
