import { css } from "../vendor/lit/index.js";

/** What stands around a replay: how to keep and share it, and what was wrong. */
export const replayed = css`
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
    width: min(24rem, calc(100vw - 1.5rem));
  }
  dialog[open] {
    display: grid;
    align-content: start; /* else WebKit makes it as high as it may be */
    gap: var(--space-3);
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
