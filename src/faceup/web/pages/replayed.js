import { css } from "../vendor/lit/index.js";

/** The page of a replay: the game has all the room that there is. */
export const replayed = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 100vh;
    min-height: 100dvh;
  }
  header {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-1) var(--space-2);
    padding-top: max(var(--space-1), env(safe-area-inset-top));
  }
  header h1 {
    flex: 1;
    min-width: 0;
    font-size: var(--text-0);
    font-weight: 650;
    letter-spacing: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  header nav {
    display: flex;
    gap: var(--space-2);
  }
  header nav button,
  header nav .button {
    font-size: var(--text--1);
    padding: 0 var(--space-3);
  }
  header nav [hidden] {
    display: none;
  }
  .told {
    padding: 0 var(--space-4);
    color: var(--ink-soft);
    overflow-wrap: anywhere;
  }
  faceup-replay {
    flex: 1;
  }
  dialog {
    border: 0;
    padding: var(--space-5);
    color: var(--ink);
    background: var(--surface);
    border-radius: var(--radius);
    box-shadow: var(--highest);
    width: min(24rem, calc(100vw - 1.5rem));
  }
  dialog[open] {
    display: grid;
    gap: var(--space-3);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.45);
  }
  dialog button,
  dialog .button {
    justify-content: flex-start;
  }
  dialog .quiet {
    justify-content: center;
  }
  .drop {
    margin: auto;
    padding: var(--space-7) var(--space-5);
    display: grid;
    gap: var(--space-4);
    justify-items: center;
    text-align: center;
    width: min(36rem, 100% - 2rem);
    border-radius: calc(2 * var(--radius));
    background: var(--surface);
    box-shadow: var(--high);
    transition: transform var(--quick) var(--ease), box-shadow var(--quick) var(--ease);
  }
  .drop svg {
    color: var(--accent);
  }
  .drop.over {
    transform: scale(1.02);
    box-shadow: var(--highest), inset 0 0 0 4px var(--accent);
  }
  .drop label:focus-within {
    outline: 3px solid var(--focus);
    outline-offset: 2px;
  }
  .wrong {
    color: var(--danger);
    overflow-wrap: anywhere;
  }
  @media (max-width: 1000px) {
    header nav span {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    header nav button,
    header nav .button {
      padding: 0;
      background: none;
      box-shadow: none;
      color: var(--ink-soft);
    }
  }
`;
