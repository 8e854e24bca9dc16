import { css } from "../vendor/lit/index.js";

/** Styles of a message at the bottom of the screen with buttons, the main one of the class `join`. */
export const toastStyles = css`
  :host {
    position: fixed;
    inset-inline: var(--space-3);
    bottom: calc(var(--space-3) + env(safe-area-inset-bottom));
    z-index: 20;
    pointer-events: none;
  }
  section {
    pointer-events: auto;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2) var(--space-3);
    max-width: 32rem;
    margin: 0 auto;
    padding: var(--space-3) var(--space-3) var(--space-3) var(--space-4);
    border-radius: var(--radius);
    color: var(--on-felt);
    background: radial-gradient(120% 160% at 20% 0%, var(--felt), var(--felt-deep));
    box-shadow: var(--highest);
    animation: rise calc(var(--move) * 1.2) var(--ease);
  }
  p {
    flex: 1 1 11rem;
    font-weight: 650;
  }
  p small {
    display: block;
    font-weight: 400;
    font-size: var(--text--1);
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
  .join {
    color: #3a2a00;
    background: linear-gradient(180deg, #ffdd7d, #ffc940);
  }
  @keyframes rise {
    from {
      transform: translateY(120%);
      opacity: 0;
    }
  }
`;
